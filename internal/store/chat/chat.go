// Package chat defines conversations: messages, the events of an answer while it is being
// written, and its validation.
//
// An answer is a message with a state: queued, running, then exactly one of done, failed or
// cancelled. Each time a worker leases it, its attempt number increases. Its events are
// numbered within the message: attempt k uses the numbers from (k-1)*AttemptStride+1 on. So
// the numbers of a later attempt are always larger, however many events the earlier attempt
// sent.
package chat

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"vigueur/internal/law"
)

// Role is the author of a message.
type Role string

// The authors of messages.
const (
	User      Role = "user"
	Assistant Role = "assistant"
)

// State is the state of an answer.
type State string

// The states of an answer; a user's message is Done from the start.
const (
	Queued    State = "queued"
	Running   State = "running"
	Done      State = "done"
	Failed    State = "failed"
	Cancelled State = "cancelled"
)

// Ended reports whether the answer is final.
func (s State) Ended() bool { return s == Done || s == Failed || s == Cancelled }

// Conversation is a user's thread of questions and answers.
type Conversation struct {
	ID            uuid.UUID
	UserID        uuid.UUID
	Title         string
	Domain        *string
	Model         *string
	MessageCount  int
	LastMessageAt time.Time
	CreatedAt     time.Time
}

// Message is a question or an answer.
type Message struct {
	ID             uuid.UUID
	ConversationID uuid.UUID
	Role           Role
	Content        string
	Citations      []law.Citation
	SeeAlso        []law.Citation // articles that the answer points to and does not quote
	Validation     *Validation
	Certainty      *Certainty // nil: a question, a failed answer, a greeting
	LatencyMS      *int
	Model          *string
	CreatedAt      time.Time

	State     State
	Attempt   int
	Filters   law.Filters
	Rating    string // what the asker thinks of the answer: up, down or ""
	ChunkEnds []int  // byte offset in Content of the end of each streamed chunk
	Error     string // French error message if the state is Failed
}

// Validation is the result of checking an answer.
type Validation struct {
	OK      bool    `json:"ok"`
	Warning *string `json:"warning"`
}

// Certainty says how surely an answer answers its question.
type Certainty struct {
	Grade       Grade
	Probability float64 // that the first article cited answers, or that the best one found does if none is cited; 0 to 1
}

// Fields returns the fields of c as they are shown, both nil if c is nil.
func (c *Certainty) Fields() (grade *Grade, probability *float64) {
	if c == nil {
		return nil, nil
	}
	return &c.Grade, &c.Probability
}

// Grade is the certainty of an answer.
type Grade string

// The grades, from the most to the least certain.
const (
	Sure    Grade = "sure"    // one article, alone
	Likely  Grade = "likely"  // one article first, the others named below it
	Unsure  Grade = "unsure"  // articles that may answer
	Refused Grade = "refused" // no article answers
)

// EventKind is the kind of a server-sent event.
type EventKind string

// The events of an answer.
const (
	Chunk     EventKind = "chunk"
	Reset     EventKind = "reset"
	Final     EventKind = "final"
	ErrorKind EventKind = "error"
)

// AttemptStride is the distance between the event numbers of two attempts. No answer has
// that many events.
const AttemptStride = 1_000_000

// Event is an event of an answer: a chunk of text, a reset, or the end of the answer.
type Event struct {
	Seq  int64 // number within the message, see the package comment
	Kind EventKind
	Data []byte // data for the client, as JSON
}

// Last reports whether the event ends the stream.
func (e Event) Last() bool { return e.Kind == Final || e.Kind == ErrorKind }

// FirstSeq returns the number of the first event of an attempt. Attempts count from 1.
func FirstSeq(attempt int) int64 { return int64(attempt-1)*AttemptStride + 1 }

// ResetSeq returns the number of the reset event that begins a later attempt.
func ResetSeq(attempt int) int64 { return FirstSeq(attempt) - 1 }

// AttemptOf returns the attempt to which the event with number seq belongs. A reset belongs
// to the attempt that it begins.
func AttemptOf(seq int64) int { return int(seq/AttemptStride) + 1 }

// TitleLimit is the maximum length of a title made from a question, in code points,
// including the ellipsis.
const TitleLimit = 80

// Title makes a conversation's title from its first question. It collapses white space, and
// cuts a title that is longer than TitleLimit between two words and adds « … ».
func Title(question string) string {
	q := strings.Join(strings.Fields(question), " ")
	if utf8.RuneCountInString(q) <= TitleLimit {
		return q
	}
	cut := string([]rune(q)[:TitleLimit-1])
	rest := string([]rune(q)[TitleLimit-1:])
	if i := strings.LastIndexByte(cut, ' '); i > 0 && !strings.HasPrefix(rest, " ") {
		cut = cut[:i]
	}
	return strings.TrimRight(cut, " ,;:.") + "…"
}

// Contents returns what one side said in messages, in their order.
func Contents(messages []Message, side Role) (texts []string) {
	for _, m := range messages {
		if m.Role == side {
			texts = append(texts, m.Content)
		}
	}
	return texts
}
