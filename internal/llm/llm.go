// Package llm says what it is to write an answer and to compare texts by meaning
// (Embedder): a Generator is given a Prompt
// (the question and the numbered passages found for it) and writes French text
// in pieces, pointing at the passages by « [n] ».
//
// A Generator owns its prompt's wording and nothing else: what it writes is
// checked by whoever called it, and an error of yield (the reader stopped, the
// lease was lost) is returned as it is and ends the writing. Generators hold no
// state between calls and may be used by many goroutines at once.
package llm

import (
	"context"
	"errors"
	"time"

	"vigueur/internal/law"
	"vigueur/internal/question"
)

// ErrAbstained says that the generator found in its passages nothing that
// answers, and has written so; what it wrote stands.
var ErrAbstained = errors.New("llm: the passages do not answer")

// ErrBusy says that a server answers, but now takes no further question: its
// bound, or the one that it is given, is reached.
var ErrBusy = errors.New("llm: the model is busy")

// ErrCut says that the answer stops short of its end: the generator ran into its
// limit, or into itself. What it wrote stands.
var ErrCut = errors.New("llm: the answer was cut")

// Generator writes the answer to a prompt. It hands the text to yield in pieces
// which, put end to end, are the answer; it stops at the first error of yield
// and returns it, and stops when ctx ends. An error of kind errs.Unavailable
// means that the same prompt may succeed later.
type Generator interface {
	Generate(ctx context.Context, p Prompt, yield func(delta string) error) error
}

// Embedder gives for each text a vector of length 1 that lies near those of texts
// of like meaning. All vectors of a model have one dimension.
type Embedder interface {
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// Usage is what an answer took of a model.
type Usage struct {
	Server    string
	In, Out   int     // tokens that were read, and written
	Estimated bool    // the server did not say how many
	Cost      float64 // in the money of the prices that were set
}

// Prompt is all that a generator knows.
type Prompt struct {
	Question string
	Date     time.Time          // the day whose law is asked about, midnight UTC
	History  []Turn             // earlier turns of the conversation, oldest first
	Passages []Passage          // numbered from 1, the best first
	Missing  []string           // texts that the question names and the catalogue has not
	Abstain  bool               // nothing was found that could answer: say so, cite nothing
	Asked    *question.Question // what the question says, as it was read; nil: Read reads it
	// How likely the first passage answers, as the search has it. Who does not judge
	// the passages by themselves abstains where it is unlikely, and gives the best
	// as candidates where it is doubtful.
	Unlikely, Doubtful bool
	// The country whose law the first passage is, where law of others may answer too
	// and the question names none; "": nothing is to be said of it.
	Country string
	Others  []string
	// Spent is told what each request to a model took, once it has ended, however it
	// ended; nil: nobody is.
	Spent func(Usage)
}

// Read gives what the question says.
func (p Prompt) Read() question.Question {
	if p.Asked != nil {
		return *p.Asked
	}
	var before question.Conversation
	for _, t := range p.History {
		before.Asked, before.Answers = append(before.Asked, t.Question), append(before.Answers, t.Answer)
	}
	return question.Read(p.Question, before)
}

// Turn is an earlier question with its answer.
type Turn struct {
	Question string
	Answer   string
}

// New says of a passage that it is the new wording of an article of another text,
// which the text gives: Passage.Article is that article's number.
type New struct {
	Of   string // title of the text whose article it is
	Part string // « premier alinéa », where only that is worded anew
	By   string // number of the article that gives it
	Verb string // « tel que remplacé par », « tel qu’inséré par »
}

// Passage is one source that the answer may cite as « [N] ».
type Passage struct {
	N        int
	Title    string      // of the text
	Type     law.DocType // of the text
	Number   string      // official number of the text, "" when it has none
	Article  string      // number of the article, "" for a preamble or an annex
	New      *New        // nil: the article is one of the text
	Heading  string      // the article's own title, often empty
	Path     []string    // headings above the article, outermost first
	Text     string      // verbatim
	Named    bool        // the question names it, or points at it
	Score    float64     // how likely it answers, 0 to 1
	Readable bool        // worth naming where nothing answers
	Record   []string    // what the catalogue knows beside Text, for the check alone
	// Country is the one whose law the text is, as people call it, where the question
	// names none; "": that is not known, or nothing is to be said of it.
	Country string
}
