package e2e

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"vigueur/e2e/stage"
)

var update = flag.Bool("update", false, "rewrite testdata/readme.txt; scripts/readme then puts it into README.md")

// transcript is what README.md shows of the programs' output, as scripts/readme reads it.
const transcript = "testdata/readme.txt"

const (
	notice  = "Dans quel délai dois-je déclarer la naissance de mon bébé à la mairie ?"
	wording = "Que dit l’article 36 du code du travail ?"
)

// TestReadmeShowsWhatTheProgramsPrint runs the commands of README.md on the sample and compares their output with the
// recorded one.
func TestReadmeShowsWhatTheProgramsPrint(t *testing.T) {
	t.Parallel()
	s := openSample(t)
	startWorker(t, s)
	client := signIn(t, s, startAPI(t, s))
	await(t, "a search with all vectors", func() bool {
		told := ingest(t, s, "ask", "--explain", notice)
		return strings.Contains(told, `"meant": true`) && strings.Contains(told, `"sentences": true`)
	})
	var got strings.Builder
	record := func(name, printed string) { fmt.Fprintf(&got, "-- %s --\n%s\n", name, strings.TrimSpace(printed)) }
	record("notice", folded(steady(shortened(ingest(t, s, "ask", notice)))))
	record("stream", folded(steady(stream(t, client, wording))))
	if *update {
		if err := os.WriteFile(transcript, []byte(got.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(filepath.FromSlash(transcript))
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("the programs print\n%s\nwhere %s has\n%s\nscripts/readme records it anew", got.String(), transcript, want)
	}
}

// ingest runs the command, which must succeed.
func ingest(t *testing.T, s *stage.Stage, args ...string) string {
	t.Helper()
	out, code := s.Ingest(t.Context(), "", args...)
	if code != 0 {
		t.Fatalf("ingest %v: exit code %d: %s", args, code, out)
	}
	return out
}

// stream asks over HTTP and returns the first event and the last: how the text between is cut into events depends on time.
func stream(t *testing.T, c *stage.Client, question string) string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, err := c.Send(ctx, http.MethodPost, "/api/v1/chat-rag/stream", map[string]any{"question": question}, nil)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(r.Body)
	_ = r.Body.Close() // it was read
	if err != nil {
		t.Fatal(err)
	}
	var events []string
	for event := range strings.SplitSeq(string(body), "\n\n") {
		if strings.HasPrefix(event, "id: ") {
			events = append(events, event)
		}
	}
	if len(events) < 2 || !strings.Contains(events[len(events)-1], "event: final") {
		t.Fatalf("the stream is\n%s", body)
	}
	return events[0] + "\n\n…\n\n" + event.ReplaceAllString(events[len(events)-1], "id: …")
}

var (
	event    = regexp.MustCompile(`^id: [0-9]+`)
	seconds  = regexp.MustCompile(`en [0-9]+(?:,[0-9]+)? s\)`)
	latency  = regexp.MustCompile(`"latency_ms":[0-9]+`)
	id       = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	fraction = regexp.MustCompile(`(0\.[0-9]{2})[0-9]+`)
	regions  = regexp.MustCompile(`("regions":\[\{[^}]*\})(?:,\{[^}]*\})+\]`)
	long     = regexp.MustCompile(`"((?:[^"\\]|\\.){56})(?:[^"\\]|\\.){8,}"`)
)

// steady replaces what differs from run to run, and shortens long values of JSON.
func steady(printed string) string {
	for _, r := range []struct {
		of   *regexp.Regexp
		with string
	}{
		{seconds, "en … s)"}, {latency, `"latency_ms":…`}, {id, "…"}, {fraction, "$1…"}, {regions, "$1,…]"}, {long, `"$1…"`},
	} {
		printed = r.of.ReplaceAllString(printed, r.with)
	}
	return printed
}

var (
	otherArticles = regexp.MustCompile(`(?s)(\[1\]\n\n).*?\n\n(Sources :)`)
	otherSources  = regexp.MustCompile(`(?m)(^  \[[2-9]\] .*\n)+`)
)

// shortened leaves out what an answer gives behind its first article.
func shortened(answer string) string {
	return otherSources.ReplaceAllString(otherArticles.ReplaceAllString(answer, "$1…\n\n$2"), "  …\n")
}

// lineLength is how long the lines of README.md may be.
const lineLength = 120

// folded breaks long lines at blanks, or behind commas where there is none.
func folded(printed string) string {
	var out strings.Builder
	for line := range strings.Lines(printed) {
		for utf8.RuneCountInString(line) > lineLength+1 {
			runes := []rune(line)
			head := string(runes[:lineLength])
			at := strings.LastIndexAny(head, " ,") + 1
			out.WriteString(strings.TrimRight(head[:at], " ") + "\n")
			line = strings.TrimLeft(line[at:], " ")
		}
		out.WriteString(line)
	}
	return out.String()
}
