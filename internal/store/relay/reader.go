package relay

import "sync"

// readerBuffer is how many messages a reader may lag behind before it has to read the
// log instead: about a second of a fast model.
const readerBuffer = 64

// reader buffers messages between the dispatcher, which never blocks on it, and one
// subscription. An idle reader holds no memory for messages.
type reader struct {
	wake chan struct{} // holds a token when there is something to take

	mu       sync.Mutex
	messages []string
	behind   bool // the log must be read; it contains all that messages held
}

func newReader() *reader { return &reader{wake: make(chan struct{}, 1)} }

// readLogNext drops the buffered messages and makes the next take report behind.
func (r *reader) readLogNext() {
	r.mu.Lock()
	r.behind, r.messages = true, nil
	r.mu.Unlock()
	r.signal()
}

// push adds a message, unless the buffer is full: then the log has to be read.
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

// take returns the messages since the last call, or that the log must be read instead.
func (r *reader) take() (messages []string, behind bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	messages, behind = r.messages, r.behind
	r.messages, r.behind = nil, false
	return messages, behind
}
