package relay

import "sync"

// readerBuffer is how many messages a reader may lag before it is sent to its
// log: a second of a quick model.
const readerBuffer = 64

// reader is a buffer between the dispatcher, which never waits for it, and one
// subscription. An idle one holds nothing.
type reader struct {
	wake chan struct{} // holds a token when there is something to take

	mu       sync.Mutex
	messages []string
	behind   bool // the log must be read, and has whatever is in messages
}

func newReader() *reader { return &reader{wake: make(chan struct{}, 1)} }

// fallBehind sends the reader to its log.
func (r *reader) fallBehind() {
	r.mu.Lock()
	r.behind, r.messages = true, nil
	r.mu.Unlock()
	r.rouse()
}

// hear takes in a message, if the reader keeps up.
func (r *reader) hear(payload string) {
	r.mu.Lock()
	switch {
	case r.behind:
	case len(r.messages) == readerBuffer:
		r.behind, r.messages = true, nil
	default:
		r.messages = append(r.messages, payload)
	}
	r.mu.Unlock()
	r.rouse()
}

func (r *reader) rouse() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// take gives what has come, or that the log must be read instead.
func (r *reader) take() (messages []string, behind bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	messages, behind = r.messages, r.behind
	r.messages, r.behind = nil, false
	return messages, behind
}
