package openai

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// errBroken means that a stream ended before the end of its answer.
var errBroken = errors.New("openai: the answer broke off")

// errDone stops reading a stream at its last event.
var errDone = errors.New("openai: done")

// chunk is one event of a stream, or a whole completion of a server that does not stream.
// Fields with reasoning (reasoning_content, reasoning) are not read.
type chunk struct {
	Choices []struct {
		Delta   content `json:"delta"`
		Message content `json:"message"`
		Reason  string  `json:"finish_reason"`
	} `json:"choices"`
	Error json.RawMessage `json:"error"`
	Usage *struct {
		In  int `json:"prompt_tokens"`
		Out int `json:"completion_tokens"`
	} `json:"usage"`
}

type content struct {
	Content json.RawMessage `json:"content"`
}

// completion reads a completion into w and returns its finish reason.
func (r *response) completion(w *writer) (reason string, err error) {
	if r.is("application/json") {
		data, err := io.ReadAll(r)
		if err != nil {
			return "", fmt.Errorf("%w: %w", errBroken, r.why(err))
		}
		return read(data, w)
	}
	if !r.is("text/event-stream") {
		return "", fmt.Errorf("%w: a response of type %q", errBroken, r.head.Get("Content-Type"))
	}
	err = events(r, func(data []byte) error {
		r.alive()
		if string(data) == "[DONE]" {
			return errDone
		}
		why, err := read(data, w)
		if why != "" {
			reason = why
		}
		return err
	})
	switch {
	case errors.Is(err, errDone), err == nil && reason != "":
		return reason, nil
	case err == nil:
		return "", fmt.Errorf("%w: the stream ended before it was done", errBroken)
	case w.ended(err):
		return reason, err
	}
	return "", fmt.Errorf("%w: %w", errBroken, r.why(err))
}

// read processes one chunk.
func read(data []byte, w *writer) (reason string, err error) {
	var c chunk
	if err := json.Unmarshal(data, &c); err != nil {
		return "", fmt.Errorf("%w: %w", errBroken, err)
	}
	if len(c.Error) > 0 && string(c.Error) != "null" {
		return "", fmt.Errorf("%w: the server says %.200s", errBroken, c.Error)
	}
	if c.Usage != nil {
		w.setUsage(c.Usage.In, c.Usage.Out)
	}
	if len(c.Choices) == 0 { // the token counts come in such a chunk
		return "", nil
	}
	choice := c.Choices[0]
	for _, part := range []content{choice.Delta, choice.Message} {
		if err := w.write(unquote(part.Content)); err != nil {
			return "", err
		}
	}
	return choice.Reason, nil
}
