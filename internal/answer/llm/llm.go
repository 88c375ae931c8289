// Package llm defines the interfaces of models that write answers (Generator) and that
// compare texts by meaning (Embedder). A Generator gets a Prompt, the question and the
// numbered passages found for it, and writes French text in pieces, citing passages by «
// [n] ».
//
// A Generator is only responsible for the wording of its prompt: its caller checks what it
// writes. An error of yield (the reader stopped, the lease was lost) ends the writing and
// is returned unchanged. Generators hold no state between calls and are safe for use by
// many goroutines.
package llm

import (
	"context"
	"errors"
	"time"

	"vigueur/internal/law"
	"vigueur/internal/search/decide"
	"vigueur/internal/search/question"
)

// ErrAbstained means that the generator found no answer in its passages and has written so;
// what it wrote is valid.
var ErrAbstained = errors.New("llm: the passages do not answer")

// ErrBusy means that a server works but accepts no further request now, because its own
// limit or the configured one is reached.
var ErrBusy = errors.New("llm: the model is busy")

// ErrCut means that the answer is incomplete: the generator reached a limit or repeated
// itself. What it wrote is valid.
var ErrCut = errors.New("llm: the answer was cut")

// Generator writes the answer to a prompt. It passes the text to yield in pieces; their
// concatenation is the answer. It stops at the first error of yield and returns it, and
// stops when ctx ends. An error of kind errs.Unavailable means that the same prompt may
// succeed later.
type Generator interface {
	Generate(ctx context.Context, p Prompt, yield func(delta string) error) error
}

// Embedder returns for each text a vector of length 1, close to those of texts with a
// similar meaning. All vectors of a model have the same dimension.
type Embedder interface {
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// Usage is what one or more requests to a model consumed.
type Usage struct {
	Server    string
	In, Out   int     // tokens read and written
	Estimated bool    // the server did not report the tokens
	Cost      float64 // in the currency of the configured prices
}

// Prompt is the input of a generator.
type Prompt struct {
	Question string
	Date     time.Time          // day whose law is asked about, midnight UTC
	History  []Turn             // earlier turns of the conversation, oldest first
	Passages []Passage          // numbered from 1, best first
	Missing  []string           // texts that the question names and the catalogue lacks
	Asked    *question.Question // the analyzed question; nil: Read analyzes it
	// Verdict says whether the first passage answers, according to the search. If the
	// verdict is Closed, every generator says that nothing answers and cites nothing. A
	// generator that does not judge the passages itself also says so unless Verdict.Answers
	// is true, quotes the best passages as candidates if Verdict.Doubtful is true, and names the
	// next passages beside the best one unless Verdict.Certain is true.
	Verdict decide.Verdict
	// Country is the country whose law the first passage is, if the question names several, or no
	// country and the catalogue has law of others; "": the answer need not name it. Others
	// are the other countries whose law may answer too.
	Country string
	Others  []string
	// Refuse takes, in place of yield, the words with which a generator says that nothing answers; nil: yield takes them.
	// They are not the model's, so nobody checks them as such.
	Refuse func(delta string) error
	// Alone asks for something else than an answer; nil: an answer is asked for.
	Alone *Request
	// Spent is called with the usage of each request to a model after it has ended,
	// successfully or not; nil: it is not reported.
	Spent func(Usage)
}

// Request asks a model for something else than an answer. The passages of its prompt keep their numbers.
type Request struct {
	Rules  string
	Text   string
	Tokens int // maximum length of what the model says
}

// Read returns the analyzed question.
func (p Prompt) Read() question.Question {
	if p.Asked != nil {
		return *p.Asked
	}
	var previous question.Conversation
	for _, t := range p.History {
		previous.Asked, previous.Answers = append(previous.Asked, t.Question), append(previous.Answers, t.Answer)
	}
	return question.Read(p.Question, previous)
}

// Turn is an earlier question with its answer.
type Turn struct {
	Question string
	Answer   string // "" if nothing answered
}

// New marks a passage that gives the new wording of an article of another text.
// Passage.Article is then the number of the amended article.
type New struct {
	Of   string // title of the amended text
	Part string // « premier alinéa », if only that is replaced
	By   string // number of the article that gives the new wording
	Verb string // « tel que remplacé par », « tel qu’inséré par »
}

// Assembled says which act made the wording of a passage's article.
type Assembled struct {
	Title string   // of the act
	By    []string // numbers of its articles that have the instructions
	N     []int    // their passages
}

// Passage is a source that the answer may cite as « [N] ».
type Passage struct {
	N       int
	Title   string      // of the text
	Type    law.DocType // of the text
	Number  string      // official number of the text, "" if it has none
	Edition string      // the day of the text, « 18 janvier 1996 », if another passage is of a text of the same name
	Article string      // number of the article, "" for a preamble or an annex
	New     *New        // nil: the article belongs to the text
	// Assembled says which acts made the wording; nil: it is as printed.
	Assembled *Assembled
	Apart     bool     // nothing is quoted of it: a second edition of another passage, or the law of another country than asked
	Support   bool     // an article that made the wording of another passage, to be cited with it only
	Heading   string   // the article's own title, often empty
	Path      []string // headings above the article, outermost first
	Text      string   // verbatim
	Named     bool     // the question names or refers to it
	Score     float64  // probability that it answers, 0 to 1
	Readable  bool     // worth naming to the reader if no passage answers
	Record    []string // what the catalogue knows besides Text, only for checking the answer
	// Home is the common name of the country whose law the text is, and State since when the text is in force and what
	// became of it; "" if they are unknown.
	Home, State string
	// Country is the common name of the country whose law the text is, if the question
	// names no country; "": it is unknown, or need not be named.
	Country string
}
