package relay

import "sync"

// readerBuffer is the number of messages that a reader can buffer. If it lags further
// behind, it has to read the log. 64 messages are about one second of a fast model.
const readerBuffer = 64

// reader is the buffer between the dispatcher, which it never blocks, and one subscription.
// An idle reader needs no memory for messages.
type reader struct {
	wake chan struct{} // holds a token if take has something to return

	mu       sync.Mutex
	messages []string
	behind   bool // whether the log must be read, which contains all buffered messages
}

func newReader() *reader { return &reader{wake: make(chan struct{}, 1)} }

// readLogNext drops the buffered messages. The next call of take then returns behind.
func (r *reader) readLogNext() {
	r.mu.Lock()
	r.behind, r.messages = true, nil
	r.mu.Unlock()
	r.signal()
}

// push adds a message. If the buffer is full, the log has to be read instead.
func (r *reader) push(payload string) {
	r.mu.Lock()
	switch {
	case r.behind:
	case len(r.messages) == readerBuffer:
		r.behind, r.messages = true, nil
	default:
		r.messages = append(r.messages, payload)
	}
	r.mu.Unlock()
	r.signal()
}

func (r *reader) signal() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// take returns the messages since the last call. If behind is true, the caller must read
// the log instead.
func (r *reader) take() (messages []string, behind bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	messages, behind = r.messages, r.behind
	r.messages, r.behind = nil, false
	return messages, behind
}
