package french

import "sync"

// reader is an Analyzer that calls of Analyze and Terms reuse, one after the other. Without
// it, computing the stems of frequent words would take more than half of their time.
type reader struct {
	Analyzer
	tokens []Token
}

var readers sync.Pool

// The sizes up to which a reader keeps its memory between calls, so that a long text does
// not stay in memory.
const (
	keptWords  = 1 << 13
	keptTokens = 1 << 10
)

// release makes the reader available to other calls, without the text of this one.
func (r *reader) release() {
	r.forget()
	readers.Put(r)
}

// forget drops the analyzed text, and the cached words if there are more than keptWords.
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

// take returns a reader that no other call uses. The caller must release it.
func take() *reader {
	if r, ok := readers.Get().(*reader); ok {
		return r
	}
	return new(reader)
}
