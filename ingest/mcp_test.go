package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"vigueur/internal/kit/terminal"
)

// TestMCPChecksTheAddressOfItsLinks checks that links cannot begin with what is no address.
func TestMCPChecksTheAddressOfItsLinks(t *testing.T) {
	d := newDesk(t)
	for _, address := range []string{"ici", "javascript:alert(1)", "ftp://droit.example"} {
		d.run(t, "mcp", "--base-url", address).want(t, exitUsage, "--base-url attend une adresse")
	}
}

// TestMCPServes checks that the command answers messages line by line, tells what is wrong in
// French, and ends with its input.
func TestMCPServes(t *testing.T) {
	d := newDesk(t)
	d.db(t) // migrated
	in, messages := io.Pipe()
	replies, out := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		a := &app{in: in, out: terminal.Screen{Writer: out, Width: func() int { return d.width }}, err: &heard{}, environ: d.environ, stalled: d.stalled, busy: d.busy}
		ended <- a.run(t.Context(), []string{"mcp"})
		_ = out.Close() // a pipe's end
	}()
	lines := bufio.NewScanner(replies)
	lines.Buffer(nil, 1<<20)
	id := 0
	exchange := func(method, params string) (text string, refused bool) {
		t.Helper()
		id++
		fmt.Fprintf(messages, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", id, method, params)
		if !lines.Scan() {
			t.Fatalf("%s: no reply: %v", method, lines.Err())
		}
		var r struct {
			ID     int
			Result struct {
				IsError    bool
				ServerInfo struct{ Name string }
				Content    []struct{ Text string }
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil || r.ID != id {
			t.Fatalf("%s: %v, %s", method, err, lines.Bytes())
		}
		if len(r.Result.Content) == 1 {
			return r.Result.Content[0].Text, r.Result.IsError
		}
		return r.Result.ServerInfo.Name, false
	}
	if name, _ := exchange("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"essai","version":"1"}}`); name != "vigueur" {
		t.Errorf("the server calls itself %q", name)
	}
	fmt.Fprintln(messages, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	if text, refused := exchange("tools/call", `{"name":"coverage","arguments":{}}`); refused || !strings.Contains(text, `"texts":0`) {
		t.Errorf("coverage: %v, %s", refused, text)
	}
	if text, refused := exchange("tools/call", `{"name":"search_articles","arguments":{"query":"  "}}`); !refused || !strings.Contains(text, "« query » manque") {
		t.Errorf("a blank query: %v, %s", refused, text)
	}
	if err := messages.Close(); err != nil {
		t.Fatal(err)
	}
	if code := <-ended; code != exitDone {
		t.Errorf("exit code %d", code)
	}
}
