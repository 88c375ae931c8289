package french

import "sync"

// reader is an Analyzer that single calls share one after the other: to find the stems of
// frequent words anew for each call would take more than half of its time.
type reader struct {
	Analyzer
	tokens []Token
}

var readers sync.Pool

// What a reader keeps from one call to the next, so that a long text does not stay in memory.
const (
	keptWords  = 1 << 13
	keptTokens = 1 << 10
)

// release gives the reader to the next caller, without the text of this one.
func (r *reader) release() {
	r.forget()
	readers.Put(r)
}

// forget drops the text that was read, and words beyond keptWords.
func (r *reader) forget() {
	if len(r.known) > keptWords {
		r.known = nil
	}
	if cap(r.lexes) > keptTokens {
		r.lexes = nil
	}
	if cap(r.tokens) > keptTokens {
		r.tokens = nil
	}
	clear(r.lexes[:cap(r.lexes)])
	clear(r.tokens[:cap(r.tokens)])
}

// take returns a reader that nobody else has, for release to give back.
func take() *reader {
	if r, ok := readers.Get().(*reader); ok {
		return r
	}
	return new(reader)
}
