package page

import (
	"fmt"
	"testing"

	"vigueur/e2e/browser"
)

// operation is an expression for an operation of the documentation.
func operation(id, selector string) string {
	return fmt.Sprintf(`document.querySelector("#%s %s")`, id, selector)
}

// outcome waits for what the documentation says of a request.
func (v *visit) outcome(id, pattern string) {
	v.t.Helper()
	must(v.t, v.Await(fmt.Sprintf(`/%s/.test(%s.textContent)`, pattern, operation(id, ".outcome"))))
}

// Operations are found by words; requests are sent with a token that stays on the page, and
// nothing is written before it is confirmed; the sample that reads a stream reads one.
func TestDocumentation(t *testing.T) {
	v := atPage(t)
	must(t, v.Open("/docs"), v.Type("#find", "deces suivre repr"), v.See("Aucune opération"))
	must(t, v.Type("#find", ""), v.Type("#find", "REPRENDRE flux"), v.See("1 opération"),
		v.Await(`[...document.querySelectorAll("article.operation:not([hidden])")].map((a) => a.id).join() === "resume"`))
	must(t, v.Type("#find", ""), v.Await(`!document.querySelector("article.operation[hidden], section[hidden]")`))

	// Without a token nothing is sent.
	must(t, v.ClickOn(operation("me", ".try > summary")), v.ClickOn(operation("me", ".try button:not([type])")))
	v.outcome("me", "Donnez un jeton")
	client, err := v.service.Client(t.Context(), v.service.api)
	must(t, err)
	must(t, v.Type("#token", client.Token), v.ClickOn(operation("me", ".try button:not([type])")))
	v.outcome("me", "^200, application.json, .* ms$")
	must(t, v.Await(operation("me", ".answered")+`.textContent.includes(`+quote(v.reader())+`)`))

	// A question is asked once it is confirmed, and its answer is shown as it comes.
	must(t, v.ClickOn(operation("ask", ".try > summary")), v.ClickOn(operation("ask", ".try button:not([type])")),
		v.Await(operation("ask", ".confirm code")+`.textContent === "POST /api/v1/chat-rag/stream"`), v.ClickOn(operation("ask", ".confirm .no")))
	if said, err := browser.Eval[string](v.Tab, operation("ask", ".outcome")+`.textContent`); err != nil || said != "" {
		t.Errorf("given up, and %q, %v", said, err)
	}
	must(t, v.ClickOn(operation("ask", ".try button:not([type])")), v.ClickOn(operation("ask", ".confirm .yes")))
	v.outcome("ask", "^200, text.event-stream.* ms$")
	must(t, v.Await(operation("ask", ".answered")+`.textContent.includes("event: final")`))

	// What is missing or would lead elsewhere is told.
	must(t, v.ClickOn(operation("resume", ".try > summary")), v.ClickOn(operation("resume", ".try button:not([type])")))
	v.outcome("resume", "« message_id » est obligatoire")

	// The sample is run as it is printed.
	must(t, v.Await(`(() => {
		if (window.sampled === undefined) {
			window.sampled = []
			const Sample = Object.getPrototypeOf(async () => {}).constructor
			new Sample("BASE", "TOKEN", "console", `+operation("ask", ".fetch")+`.textContent)(location.origin, document.querySelector("#token").value,
				{log: (event, data) => window.sampled.push(event)}).catch((e) => window.sampled.push(String(e)))
		}
		return window.sampled.includes("chunk") && window.sampled.at(-1) === "final"
	})()`))

	// The token is nowhere but in its field, and is forgotten with the page.
	if kept, err := browser.Eval[string](v.Tab, `JSON.stringify([localStorage, sessionStorage, document.cookie])`); err != nil || kept != `[{},{},""]` {
		t.Errorf("kept %s, %v", kept, err)
	}
	must(t, v.Reload(), v.Await(`document.querySelector("#token").value === ""`))
	found, err := v.Check(axe(t))
	must(t, err)
	for _, rule := range found {
		t.Errorf("%s (%s): %q", rule.ID, rule.Help, rule.Nodes)
	}
	v.blameless()
}
