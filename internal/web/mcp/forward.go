package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"vigueur/internal/kit/errs"
)

// Forward reads the messages of a client from in, one a line, and writes to out what exchange replies to each, one a
// line, until in or ctx ends. It refuses a line that is not a message and goes on with the next; an error of exchange
// becomes a reply with its public sentence. It ends the exchange of a call that the client cancels. version is the
// version of the protocol that was agreed on, "" before that. The error is that of in or out.
func Forward(ctx context.Context, in io.Reader, out io.Writer, exchange func(ctx context.Context, version string, message []byte) (reply []byte, err error)) error {
	ctx, cancel := context.WithCancel(ctx)
	f := &forwarder{exchange: exchange, out: out, slots: make(chan struct{}, atOnce), calls: map[string]context.CancelFunc{}}
	defer f.running.Wait()
	defer cancel()
	for reader := bufio.NewReader(in); ; {
		line, long, err := nextLine(reader)
		if line = bytes.TrimSpace(line); long || len(line) > 0 {
			if failed := f.take(ctx, line, long); failed != nil {
				return failed
			}
		}
		switch {
		case ctx.Err() != nil || errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

// forwarder forwards the messages of one client.
type forwarder struct {
	exchange func(ctx context.Context, version string, message []byte) ([]byte, error)
	slots    chan struct{} // of concurrent calls
	running  sync.WaitGroup

	mu      sync.Mutex
	out     io.Writer
	version string
	calls   map[string]context.CancelFunc // by the id of the call
}

// nextLine reads a line. It drops a line that is longer than mostLine.
func nextLine(in *bufio.Reader) (line []byte, long bool, err error) {
	for {
		piece, err := in.ReadSlice('\n')
		if long = long || len(line)+len(bytes.TrimRight(piece, "\r\n")) > mostLine; !long {
			line = append(line, piece...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, long, err
		}
	}
}

// take refuses a line that is not a message, or begins its exchange. The error is that of the output.
func (f *forwarder) take(ctx context.Context, line []byte, long bool) error {
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
			f.begin(ctx, m, line)
			return nil
		}
	}
	if number := new(float64); json.Unmarshal(m.ID, number) != nil && json.Unmarshal(m.ID, new(string)) != nil {
		m.ID = nil // a reply cannot have such an id
	}
	return f.reply(refusal(m.ID, code, told))
}

// begin begins the exchange of a message, or ends that of a call which the client cancels.
func (f *forwarder) begin(ctx context.Context, m message, line []byte) {
	if m.Method == "notifications/cancelled" {
		var what struct {
			Params struct {
				ID json.RawMessage `json:"requestId"`
			} `json:"params"`
		}
		_ = json.Unmarshal(line, &what) // another message names no call
		f.mu.Lock()
		defer f.mu.Unlock()
		if end := f.calls[string(what.Params.ID)]; end != nil {
			end()
		}
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	f.mu.Lock()
	f.calls[string(m.ID)] = cancel
	f.mu.Unlock()
	select {
	case f.slots <- struct{}{}:
	case <-ctx.Done():
	}
	f.running.Go(func() {
		defer func() { <-f.slots }()
		f.finish(ctx, m, line)
		cancel()
	})
}

// finish exchanges a message and writes the reply. A call that was cancelled gets none.
func (f *forwarder) finish(ctx context.Context, m message, line []byte) {
	f.mu.Lock()
	version := f.version
	f.mu.Unlock()
	reply, err := f.exchange(ctx, version, line)
	f.mu.Lock()
	delete(f.calls, string(m.ID))
	f.mu.Unlock()
	switch {
	case ctx.Err() != nil:
		return
	case err != nil && len(m.ID) > 0:
		code := int64(jsonrpc.CodeInternalError)
		if errs.Is(err, errs.Invalid) {
			code = jsonrpc.CodeInvalidRequest
		}
		reply = refusal(m.ID, code, errs.Public(err))
	case len(reply) == 0:
		return
	case m.Method == "initialize":
		var agreed struct {
			Result struct {
				Version string `json:"protocolVersion"`
			} `json:"result"`
		}
		_ = json.Unmarshal(reply, &agreed) // a refusal agrees on nothing
		f.mu.Lock()
		f.version = agreed.Result.Version
		f.mu.Unlock()
	}
	_ = f.reply(reply) // an output that is closed ends the input
}

// reply writes a line.
func (f *forwarder) reply(line []byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, err := f.out.Write(append(bytes.TrimSpace(line), '\n'))
	return err
}

// refusal returns the reply that refuses a message.
func refusal(id json.RawMessage, code int64, told string) []byte {
	reply, err := json.Marshal(errorReply{"2.0", id, &jsonrpc.Error{Code: code, Message: told}})
	if err != nil {
		panic(err) // the id was valid JSON
	}
	return reply
}
