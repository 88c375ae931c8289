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
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"vigueur/internal/kit/markdown"
	"vigueur/internal/law"
	"vigueur/internal/law/country"
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
	OK      bool    `json:"ok" doc:"Chaque phrase cite un passage qui la porte, et le droit cité est en vigueur."`
	Warning *string `json:"warning" doc:"Sinon, pourquoi."`
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

// Word returns the grade as people read it.
func (g Grade) Word() string {
	switch g {
	case Sure:
		return "réponse sûre"
	case Likely, Unsure:
		return "réponse possible"
	case Refused:
		return "sans réponse"
	}
	return ""
}

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

// ChunkEvent is the data of an event with a piece of the answer.
type ChunkEvent struct {
	Text string `json:"text"`
}

// ResetEvent is the data of an event after which the answer begins again.
type ResetEvent struct{}

// FinalEvent is the data of an answer's last event.
type FinalEvent struct {
	ConversationID uuid.UUID      `json:"conversation_id"`
	MessageID      uuid.UUID      `json:"message_id"`
	Citations      []law.Citation `json:"citations"`
	SeeAlso        []SeeAlso      `json:"see_also,omitempty" doc:"À lire aussi : absent s’il n’y a rien."`
	Validation     Validation     `json:"validation"`
	Certainty      *Grade         `json:"certainty" enum:"sure,likely,unsure,refused"`
	Probability    *float64       `json:"probability"`
	LatencyMS      *int           `json:"latency_ms"`
	Model          *string        `json:"model"`
	Country        string         `json:"pays,omitempty" doc:"Le pays dont le droit a été demandé : celui du filtre, ou celui du compte si la question n’en nomme pas. Absent si c’est celui de tous les pays."`
}

// SeeAlso is an article that an answer points to without citing it.
type SeeAlso struct {
	law.Citation
	Index int `json:"index,omitempty" doc:"Absent : ce n’est pas une citation du texte."`
}

// Beside returns the articles that an answer points to.
func (m Message) Beside() (list []SeeAlso) {
	for _, c := range m.SeeAlso {
		list = append(list, SeeAlso{Citation: c})
	}
	return list
}

// ChunkData returns the data of a chunk event.
func ChunkData(text string) []byte { return encode(ChunkEvent{text}) }

// ErrorData returns the data of an error event. detail is a French sentence.
func ErrorData(detail string) []byte {
	return encode(struct {
		Detail string `json:"detail"`
	}{detail})
}

// FinalData returns the data of an answer's final event. It is made from the stored
// message, so that a live stream and a replay end with the same event.
func FinalData(m Message) []byte {
	validation := Validation{OK: true}
	if m.Validation != nil {
		validation = *m.Validation
	}
	grade, probability := m.Certainty.Fields()
	citations := m.Citations
	if citations == nil {
		citations = []law.Citation{}
	}
	return encode(FinalEvent{m.ConversationID, m.ID, citations, m.Beside(), validation, grade, probability, m.LatencyMS, m.Model, m.Filters.Country})
}

// End returns the last event of the answer m: an error event if the answer failed, else a
// final event. It is made from the stored message.
func End(m Message) (EventKind, []byte) {
	if m.State == Failed {
		return ErrorKind, ErrorData(m.Error)
	}
	return Final, FinalData(m)
}

// Replay returns the events of an ended answer whose numbers are above after: the chunks,
// with the numbers under which they were streamed, and the end. If after belongs to an
// earlier attempt, a reset comes first. If after is the number of the end, there are no
// events.
func Replay(m Message, cursor int64) []Event {
	attempt := max(m.Attempt, 1)
	events := EventsWritten(attempt, m.Content, m.ChunkEnds, cursor)
	seq := FirstSeq(attempt) + int64(len(m.ChunkEnds))
	if kind, data := End(m); seq > cursor {
		events = append(events, Event{Seq: seq, Kind: kind, Data: data})
	}
	return events
}

// EventsWritten returns the events above number after for the chunks that an attempt has written
// so far. ends holds the end of each chunk in text. If after belongs to an earlier attempt,
// a reset comes first.
func EventsWritten(attempt int, text string, ends []int, cursor int64) (events []Event) {
	if cursor > 0 && AttemptOf(cursor) < attempt {
		events = append(events, Event{Seq: ResetSeq(attempt), Kind: Reset, Data: []byte("{}")})
	}
	seq, start := FirstSeq(attempt), 0
	for _, end := range ends {
		if seq > cursor {
			events = append(events, Event{Seq: seq, Kind: Chunk, Data: ChunkData(text[start:end])})
		}
		start = end
		seq++
	}
	return events
}

// encode encodes the data of an event as JSON on one line, as server-sent events require.
func encode(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic("chat: " + err.Error()) // only values of this package are encoded
	}
	return data
}

// Markdown exports a conversation as Markdown: each question as a quotation, followed by
// the answer without images and links, how sure it is, the day of its law, its warnings and its sources, with the words that
// it does not quote itself. base is the prefix of the citations' URLs.
func Markdown(c Conversation, messages []Message, base string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", plain(c.Title))
	fmt.Fprintf(&b, "Conversation du %s", moment(c.CreatedAt))
	if c.Domain != nil {
		fmt.Fprintf(&b, " · domaine : %s", plain(*c.Domain))
	}
	b.WriteString("\n")
	for _, m := range messages {
		if m.Role == User {
			fmt.Fprintf(&b, "\n## Question du %s\n\n%s\n", moment(m.CreatedAt), quotation("> ", m.Content))
			continue
		}
		writeAnswer(&b, m, strings.TrimRight(base, "/"))
	}
	return b.String()
}

func writeAnswer(b *strings.Builder, m Message, base string) {
	b.WriteString("\n### Réponse\n")
	said := describeLaw(m)
	if grade, _ := m.Certainty.Fields(); grade != nil {
		said = strings.ToUpper(grade.Word()[:1]) + grade.Word()[1:] + ". " + said
	}
	fmt.Fprintf(b, "\n*%s*\n", said)
	text := strings.TrimSpace(m.Content)
	if text != "" {
		fmt.Fprintf(b, "\n%s\n", markdown.Inert(text))
	}
	switch {
	case !m.State.Ended():
		b.WriteString("\n*La réponse est en cours.*\n")
	case m.State == Failed:
		fmt.Fprintf(b, "\n**Échec :** %s\n", plain(m.Error))
	case m.Validation != nil && m.Validation.Warning != nil:
		fmt.Fprintf(b, "\n**Attention :** %s\n", plain(*m.Validation.Warning))
	}
	if len(m.Citations) == 0 {
		return
	}
	b.WriteString("\n**Sources**\n")
	quoted := squeeze(text)
	for _, c := range m.Citations {
		fmt.Fprintf(b, "\n- %s\n", source(c, base))
		if words := squeeze(c.Excerpt); !strings.Contains(quoted, words) {
			quoted += "\n" + words // a quotation stands once
			fmt.Fprintf(b, "\n%s\n", quotation("  > ", c.Excerpt))
		}
	}
}

// squeeze returns a text with each run of white space as one space.
func squeeze(text string) string { return strings.Join(strings.Fields(text), " ") }

// describeLaw returns the country, if one was asked for, and the day of the law that an answer is about.
func describeLaw(m Message) string {
	day := m.CreatedAt
	if m.Filters.Date != nil {
		day = *m.Filters.Date
	}
	said := "Droit"
	if m.Filters.Country != "" {
		said = "Droit demandé : " + plain(country.Name(country.Code(m.Filters.Country))) + ","
	}
	return said + " au " + day.Format("02/01/2006") + "."
}

// source formats a citation with its URL.
func source(c law.Citation, base string) string {
	title := plain(c.Title)
	if r := c.Replaces; r != nil { // the amended text comes first, because the question was about it
		title = plain(r.Title) + ", article " + plain(r.Article) + " nouveau, " + r.By() + " : " + title
	}
	parts := []string{fmt.Sprintf(`\[%d\] %s`, c.Index, title)}
	if c.OfficialNumber != "" && !strings.Contains(c.Title, c.OfficialNumber) {
		parts = append(parts, "n° "+plain(c.OfficialNumber))
	}
	if c.Article != nil {
		parts = append(parts, "article "+plain(*c.Article))
	}
	if c.Page != nil {
		parts = append(parts, fmt.Sprintf("page %d", *c.Page))
	}
	if as, err := time.Parse(time.DateOnly, c.AsOf); err == nil {
		parts = append(parts, "version consolidée au "+law.WriteDate(as))
	}
	if told, ok := map[law.Status]string{law.Repealed: "abrogé", law.Amended: "modifié"}[c.Status]; ok {
		parts = append(parts, told)
	}
	if c.URL == "" {
		return strings.Join(parts, ", ")
	}
	return strings.Join(parts, ", ") + fmt.Sprintf(" : [%s](<%s>)", plain(base+c.URL), base+c.URL)
}

// plain returns a text on one line, with all Markdown escaped.
func plain(text string) string { return markdown.Escape(squeeze(text)) }

// quotation returns a text as a quotation: it escapes the text and puts prefix before each
// line. List markers at the start of a line are escaped with a backslash.
func quotation(prefix, text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i, line := range lines {
		line = plain(line)
		if line != "" && strings.ContainsRune("-+=", rune(line[0])) {
			line = `\` + line
		}
		lines[i] = strings.TrimRight(prefix+line, " ")
	}
	return strings.Join(lines, "\n")
}

func moment(t time.Time) string { return t.UTC().Format("02/01/2006 à 15:04") + " UTC" }
