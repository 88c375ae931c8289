package openai

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// eventLimit is the maximum length of a line, in bytes.
const eventLimit = 1 << 20

// events reads the data of server-sent events: the joined « data: … » lines of each event.
// Comments, names, ids and unknown fields are ignored, and so is a last event without a
// blank line after it.
func events(r io.Reader, yield func(data []byte) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, eventLimit)
	lines.Split(anyLine)
	var data []byte
	has := false
	for lines.Scan() {
		line := lines.Bytes()
		if len(line) == 0 {
			if has {
				if err := yield(data); err != nil {
					return err
				}
			}
			data, has = data[:0], false
			continue
		}
		value, ok := bytes.CutPrefix(line, []byte("data"))
		if !ok || len(value) > 0 && value[0] != ':' {
			continue
		}
		if has {
			data = append(data, '\n')
		}
		value = bytes.TrimPrefix(value, []byte(":"))
		data, has = append(data, bytes.TrimPrefix(value, []byte(" "))...), true
		if len(data) > eventLimit {
			return errTooLong
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return errTooLong
	}
	return lines.Err()
}

// anyLine splits at \n, \r\n and \r. A \r at the end of the data waits for the next byte,
// which may be its \n.
func anyLine(data []byte, atEOF bool) (advance int, token []byte, err error) {
	i := bytes.IndexAny(data, "\r\n")
	switch {
	case i < 0 && atEOF && len(data) > 0:
		return len(data), data, nil
	case i < 0:
		return 0, nil, nil
	case data[i] == '\n':
		return i + 1, data[:i], nil
	case i+1 < len(data) && data[i+1] == '\n':
		return i + 2, data[:i], nil
	case i+1 < len(data) || atEOF:
		return i + 1, data[:i], nil
	}
	return 0, nil, nil
}
