package apidoc

import "strings"

// fetchSample is JavaScript for any browser and for Node.js. EventSource cannot read these
// streams, because it only sends GET and no Authorization.
const fetchSample = `const response = await fetch(BASE + PATH, {
  method: "POST",
  headers: { Authorization: ` + "`Bearer ${TOKEN}`" + `, "Content-Type": "application/json", Accept: "text/event-stream" },
  body: JSON.stringify(BODY),
})
if (!response.ok) throw new Error(` + "`${response.status} ${await response.text()}`" + `)
const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
for (let text = "", done = false; !done; ) {
  const part = await reader.read()
  done = part.done
  text += part.value ?? ""
  const events = text.split("\n\n")
  text = events.pop() // the part of an event that has not come whole
  for (const event of events) {
    const fields = event.split("\n").filter((line) => !line.startsWith(":")).map((line) => line.split(/: ?(.*)/s))
    const of = (name) => fields.filter((f) => f[0] === name).map((f) => f[1]).join("\n")
    if (of("event")) console.log(of("event"), JSON.parse(of("data")))
  }
}`

// fetch returns JavaScript that sends a POST and reads the stream of events that answers it,
// "" for other operations. BASE is the service's address, TOKEN an access token or API key.
func fetch(o operation) string {
	if o.Method != "POST" || !o.streams() || o.Body == nil || len(o.Body.Examples) == 0 {
		return ""
	}
	return strings.NewReplacer("PATH", `"`+o.Path+`"`, "BODY", compact(o.Body.Examples[0].Text)).Replace(fetchSample)
}
