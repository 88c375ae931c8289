package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// replyWriter writes each reply as one line, with errors in French.
type replyWriter struct {
	mu  sync.Mutex // refusals and answers are written concurrently
	out io.WriteCloser
}

// Write writes a line.
func (w *replyWriter) Write(p []byte) (int, error) {
	line, ended := bytes.CutSuffix(p, []byte("\n"))
	told := translateReply(line)
	if ended {
		told = append(slices.Clip(told), '\n')
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, err := w.out.Write(told); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Close closes the output.
func (w *replyWriter) Close() error { return w.out.Close() }

// lines reads messages, one a line. The SDK ends a connection at the first line that it cannot
// parse; lines refuses such a line itself and skips it.
type lines struct {
	io.Closer
	in      *bufio.Reader
	replies *replyWriter
	left    []byte // rest of the line that Read returns in pieces
}

// Read returns bytes of at most one line.
func (l *lines) Read(p []byte) (int, error) {
	for len(l.left) == 0 {
		line, long, err := l.next()
		if line = bytes.TrimSpace(line); len(line) > 0 {
			if refused := l.refuse(line, long); refused != nil {
				return 0, refused
			}
		}
		if err != nil && len(l.left) == 0 {
			return 0, err
		}
	}
	n := copy(p, l.left)
	l.left = l.left[n:]
	return n, nil
}

// next reads a line. It drops a line that is longer than mostLine.
func (l *lines) next() (line []byte, long bool, err error) {
	for {
		piece, err := l.in.ReadSlice('\n')
		if long = long || len(line)+len(bytes.TrimRight(piece, "\r\n")) > mostLine; !long {
			line = append(line, piece...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, long, err
		}
	}
}

// refuse replies with an error to a line that is not a message, and keeps others for Read. The
// error is that of the output.
func (l *lines) refuse(line []byte, long bool) error {
	code, told := int64(jsonrpc.CodeInvalidRequest), "Cette ligne n’est pas un message JSON-RPC 2.0."
	m, err := readMessage(line)
	switch {
	case long:
		m.ID, told = nil, "Un message a 1 Mio au plus."
	case errors.Is(err, errBatch):
		told = batchText
	case !json.Valid(line):
		code = jsonrpc.CodeParseError
	case err == nil:
		if _, err = jsonrpc.DecodeMessage(line); err == nil {
			l.left = slices.Concat(line, []byte("\n"))
			return nil
		}
	}
	if number := new(float64); json.Unmarshal(m.ID, number) != nil && json.Unmarshal(m.ID, new(string)) != nil {
		m.ID = nil // a reply cannot have such an id
	}
	reply, err := json.Marshal(errorReply{"2.0", m.ID, &jsonrpc.Error{Code: code, Message: told}})
	if err != nil {
		return err
	}
	l.replies.mu.Lock()
	defer l.replies.mu.Unlock()
	_, err = l.replies.out.Write(append(reply, '\n'))
	return err
}
