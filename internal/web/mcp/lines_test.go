package mcp_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"vigueur/internal/web/mcp"
)

// Every line of an input that is not blank is given to the SDK, which can read it, or refused
// with a reply.
func FuzzLines(f *testing.F) {
	for _, seed := range []string{"", "\n\n", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "[]\n{}", "{\"jsonrpc\":\"2.0\",\"id\":\"a\"}\r\nx", "{\"id\":{}}\n\xff"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		given, replies, err := mcp.Lines(input)
		ok(t, err)
		n := 0
		for line := range bytes.Lines(given) {
			if _, err := jsonrpc.DecodeMessage(bytes.TrimSpace(line)); err != nil {
				t.Errorf("given %q: %v", line, err)
			}
			n++
		}
		for line := range bytes.Lines(replies) {
			if !json.Valid(line) {
				t.Errorf("replied %q", line)
			}
			n++
		}
		want := 0
		for line := range bytes.Lines(input) {
			if len(bytes.TrimSpace(line)) > 0 {
				want++
			}
		}
		if n != want {
			t.Errorf("%d lines of %d", n, want)
		}
	})
}
