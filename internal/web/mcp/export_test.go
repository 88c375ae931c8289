package mcp

import (
	"bufio"
	"bytes"
	"io"
)

type output struct{ io.Writer }

func (output) Close() error { return nil }

// Lines returns what the SDK is given of an input, and the replies to what is refused.
func Lines(input []byte) (given, replies []byte, err error) {
	var out bytes.Buffer
	l := &lines{in: bufio.NewReader(bytes.NewReader(input)), replies: &replyWriter{out: output{&out}}}
	given, err = io.ReadAll(l)
	return given, out.Bytes(), err
}
