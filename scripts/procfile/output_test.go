package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestWholeLines(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	m := newMultiplexer(&out, []process{{name: "api"}, {name: "worker"}}, false)
	api, worker := m.writer("api"), m.writer("worker")
	for _, step := range []struct {
		to   *lineWriter
		text string
	}{{api, "begins, "}, {worker, "whole\n"}, {api, "ends\n\nlast"}} {
		if n, err := step.to.Write([]byte(step.text)); n != len(step.text) || err != nil {
			t.Fatalf("Write: %d, %v", n, err)
		}
	}
	api.flush()
	worker.flush()
	want := "worker | whole\napi    | begins, ends\napi    | \napi    | last\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

func TestBreaksEndlessLine(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	w := newMultiplexer(&out, []process{{name: "x"}}, false).writer("x")
	text := strings.Repeat("a", 3*longestLine)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	w.flush()
	if got := strings.ReplaceAll(strings.ReplaceAll(out.String(), "x | ", ""), "\n", ""); got != text {
		t.Errorf("%d bytes came out of %d", len(got), len(text))
	}
	if lines := strings.Count(out.String(), "\n"); lines != 3 {
		t.Errorf("%d lines, want 3", lines)
	}
}

func TestColors(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	w := newMultiplexer(&out, []process{{name: "api"}}, true).writer("api")
	if _, err := w.Write([]byte("x\n")); err != nil {
		t.Fatal(err)
	}
	if want := "\x1b[36mapi |\x1b[0m x\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}
