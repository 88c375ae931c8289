// Package vigueur is a client of Vigueur's HTTP interface. Most of it, in client.gen.go, is
// generated from the OpenAPI document, with a method for each operation; Open returns such a
// client, and its method Stream reads an answer while it is written.
package vigueur

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strings"
)

// Open returns a client of the service at an address such as https://droit.example.org.
// token is an access token or an API key.
func Open(address, token string, options ...ClientOption) (*ClientWithResponses, error) {
	authorize := WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", "Bearer "+token)
		return nil
	})
	return NewClientWithResponses(address, append([]ClientOption{authorize}, options...)...)
}

// Refused is a response of status 400 or more.
type Refused struct {
	Status int
	Detail string // French sentence; the JSON of the faults if the request had several
}

func (e *Refused) Error() string { return fmt.Sprintf("HTTP %d: %s", e.Status, e.Detail) }

// mostDetail is the maximum length of an error response that is read, in bytes.
const mostDetail = 64 << 10

// Check returns a *Refused for a response of status 400 or more, and reads its body.
func Check(r *http.Response) error {
	if r.StatusCode < http.StatusBadRequest {
		return nil
	}
	raw, err := io.ReadAll(io.LimitReader(r.Body, mostDetail))
	if err != nil {
		return err
	}
	var body struct{ Detail json.RawMessage }
	detail := strings.TrimSpace(string(raw))
	if json.Unmarshal(raw, &body) == nil && len(body.Detail) > 0 {
		detail = string(body.Detail)
		var sentence string
		if json.Unmarshal(body.Detail, &sentence) == nil {
			detail = sentence
		}
	}
	return &Refused{r.StatusCode, detail}
}

// Event is one event of an answer; one of the pointers is set.
type Event struct {
	ID    string // for Last-Event-ID, to resume after this event
	Chunk *ChunkEvent
	Reset *ResetEvent // the chunks so far are void
	Final *FinalEvent // the last event
}

// ErrUnfinished is the error of a stream that ended without a last event: the answer is not
// lost, and Resume reads it from the ID of the last event.
var ErrUnfinished = errors.New("vigueur: the stream ended before the answer")

// Stream asks a question and yields the events of its answer, the last of which is Final. An
// answer that fails ends with the error *Refused of status 0.
func (c *ClientWithResponses) Stream(ctx context.Context, question Question) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		r, err := c.Ask(ctx, nil, question)
		if err != nil {
			yield(Event{}, err)
			return
		}
		defer r.Body.Close()
		if err := Check(r); err != nil {
			yield(Event{}, err)
			return
		}
		Events(r.Body)(yield)
	}
}

// mostEvent is the maximum length of one event, in bytes.
const mostEvent = 4 << 20

// Events yields the events of a stream that the operations ask and resume return.
func Events(stream io.Reader) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		lines := bufio.NewScanner(stream)
		lines.Buffer(make([]byte, 0, 64<<10), mostEvent)
		var id, name string
		var data bytes.Buffer
		for lines.Scan() {
			field, value, _ := strings.Cut(lines.Text(), ":")
			value = strings.TrimPrefix(value, " ")
			switch {
			case lines.Text() == "":
				if name != "" {
					e, err := eventOf(id, name, data.Bytes())
					if !yield(e, err) || err != nil || e.Final != nil {
						return
					}
				}
				name = ""
				data.Reset()
			case field == "id":
				id = value
			case field == "event":
				name = value
			case field == "data":
				data.WriteString(value)
			}
		}
		err := lines.Err()
		if err == nil {
			err = ErrUnfinished
		}
		yield(Event{}, err)
	}
}

// eventOf decodes an event. Events of unknown names are skipped by readers, who find no
// pointer set.
func eventOf(id, name string, data []byte) (Event, error) {
	e := Event{ID: id}
	var into any
	switch name {
	case "chunk":
		e.Chunk = new(ChunkEvent)
		into = e.Chunk
	case "reset":
		e.Reset = new(ResetEvent)
		into = e.Reset
	case "final":
		e.Final = new(FinalEvent)
		into = e.Final
	case "error":
		var failed Error
		if err := json.Unmarshal(data, &failed); err != nil {
			return e, fmt.Errorf("vigueur: event %s: %w", name, err)
		}
		return e, &Refused{Detail: failed.Detail}
	default:
		return e, nil
	}
	if err := json.Unmarshal(data, into); err != nil {
		return e, fmt.Errorf("vigueur: event %s: %w", name, err)
	}
	return e, nil
}
