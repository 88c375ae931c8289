package main

import (
	"bytes"
	"fmt"
	"io"
	"sync"
)

// multiplexer brings the output of several processes into one, whole lines at a time, each behind the name
// of its process.
type multiplexer struct {
	mu     sync.Mutex
	out    io.Writer
	width  int
	color  bool
	colors map[string]int
}

func newMultiplexer(out io.Writer, processes []process, color bool) *multiplexer {
	m := &multiplexer{out: out, color: color, colors: map[string]int{}}
	for i, p := range processes {
		m.width = max(m.width, len(p.name))
		m.colors[p.name] = 31 + (i+5)%6 // cyan, red, green, yellow, blue, magenta
	}
	return m
}

// writer returns where the process called name writes to. It must be flushed when the process has ended.
func (m *multiplexer) writer(name string) *lineWriter {
	prefix := fmt.Sprintf("%-*s | ", m.width, name)
	if m.color {
		prefix = fmt.Sprintf("\x1b[%dm%-*s |\x1b[0m ", m.colors[name], m.width, name)
	}
	return &lineWriter{to: m, prefix: []byte(prefix)}
}

func (m *multiplexer) emit(prefix, line []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, err := m.out.Write(bytes.Join([][]byte{prefix, line, {'\n'}}, nil))
	return err
}

// longestLine bounds what is held back of a line that does not end, in bytes; a longer one is broken.
const longestLine = 64 << 10

// lineWriter holds back what is not yet a whole line.
type lineWriter struct {
	to     *multiplexer
	prefix []byte
	mu     sync.Mutex
	rest   []byte
}

// Write takes any part of the output. An output that can no longer be written to (a closed terminal) is no
// reason to stop a process, so it never fails.
func (w *lineWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.rest = append(w.rest, p...)
	for {
		end := bytes.IndexByte(w.rest, '\n')
		skip := 1
		if end < 0 && len(w.rest) > longestLine {
			end, skip = longestLine, 0
		}
		if end < 0 {
			return len(p), nil
		}
		_ = w.to.emit(w.prefix, w.rest[:end])
		w.rest = w.rest[end+skip:]
	}
}

// flush writes a last line without an end.
func (w *lineWriter) flush() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.rest) > 0 {
		_ = w.to.emit(w.prefix, w.rest)
		w.rest = nil
	}
}
