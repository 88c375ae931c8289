package conversations

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/kit/markdown"
	"vigueur/internal/law"
	"vigueur/internal/search/question"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/guard"
	"vigueur/internal/web/httpapi/transport"
	"vigueur/internal/web/mcp"
)

// The addresses that clients of OpenAI's interface call.
const (
	CompletionsPrefix = "/v1/"
	CompletionsRoute  = CompletionsPrefix + "chat/completions"
	ModelsRoute       = CompletionsPrefix + "models"
)

// closingList begins the list of sources that ends the content of an answer.
const closingList = "\n\nSources :\n"

// Completion is the answer to a question in OpenAI's form, or a piece of it.
type Completion struct {
	ID      string             `json:"id"`
	Object  string             `json:"object" enum:"chat.completion,chat.completion.chunk"`
	Created int64              `json:"created"`
	Model   string             `json:"model"`
	Choices []completionChoice `json:"choices"`
}

type completionChoice struct {
	Index   int               `json:"index"`
	Message *completionAnswer `json:"message,omitempty"`
	Delta   *completionAnswer `json:"delta,omitempty"`
	Finish  *string           `json:"finish_reason"`
}

type completionAnswer struct {
	Role        string       `json:"role,omitempty" enum:"assistant"`
	Content     string       `json:"content,omitempty"`
	Annotations []annotation `json:"annotations,omitempty"`
}

// annotation is a place of the content that cites a source. The places are counted in code
// points.
type annotation struct {
	Type string      `json:"type" enum:"url_citation"`
	URL  urlCitation `json:"url_citation"`
}

type urlCitation struct {
	Start int    `json:"start_index"`
	End   int    `json:"end_index"`
	URL   string `json:"url"`
	Title string `json:"title"`
}

type completionInput struct {
	Model    *string             `json:"model,omitempty" doc:"Un modèle de GET /v1/models ; sans lui, celui par défaut."`
	Messages []completionMessage `json:"messages" minItems:"1"`
	Stream   bool                `json:"stream,omitempty"`
	Count    *int                `json:"n,omitempty" minimum:"1" maximum:"1"`
	Filters  QuestionFilters     `json:"filters,omitempty" doc:"Ce qui limite la réponse, comme dans une question."`
}

type completionMessage struct {
	Role    string          `json:"role" enum:"user,assistant,system,developer,tool,function"`
	Content json.RawMessage `json:"content,omitempty" doc:"Un texte, ou une liste de parties qui sont des textes. Sans lui, un tour d’avant ne compte pas."`

	text string // of Content
}

// Check reads the texts of the messages, the last of which is the question. What a system message asks for, and what a
// tool returned, changes no answer; an earlier turn that was stopped before its first word has no content.
func (i *completionInput) Check(f *form.Faults) {
	for n := range i.Messages {
		m := &i.Messages[n]
		loc := []any{"body", "messages", n, "content"}
		last := n == len(i.Messages)-1
		if last && m.Role != "user" && m.Role != "" {
			f.Add("value_error", []any{"body", "messages", n, "role"}, nil, "Le dernier message est la question : son rôle est 'user'.")
		}
		if last && m.Content == nil {
			f.Missing(loc)
		}
		if m.Content == nil || m.Role != "user" && m.Role != "assistant" {
			continue
		}
		var others, read bool
		m.text, others, read = readContent(m.Content)
		switch length := utf8.RuneCountInString(m.text); {
		case !read:
			f.Add("string_type", loc, nil, "Un texte est attendu.")
		case others:
			f.Add("value_error", loc, nil, "Seuls des textes sont admis.")
		case m.Role == "user" && !strings.ContainsFunc(m.text, form.Seen):
			f.Add("string_too_short", loc, nil, "Au moins 1 caractère.")
		case m.Role == "user" && length > questionLimit:
			f.Add("string_too_long", loc, nil, "Au plus %d caractères.", questionLimit)
		case strings.ContainsRune(m.text, 0):
			f.Add("value_error", loc, nil, "Ce texte contient un caractère qui n’est pas admis.")
		}
	}
}

// readContent reads the text of a message: a string, or a list of parts. others reports whether there are parts that are
// no texts.
func readContent(raw json.RawMessage) (text string, others, ok bool) {
	var parts []struct{ Type, Text string }
	switch {
	case string(raw) == "null":
		return "", false, false
	case json.Unmarshal(raw, &text) == nil:
	case json.Unmarshal(raw, &parts) == nil:
		for _, p := range parts {
			others = others || p.Type != "text"
			text += p.Text
		}
	default:
		return "", false, false
	}
	return strings.TrimSpace(text), others, true
}

// turn returns the question with its earlier turns.
func (i *completionInput) turn() (turn asked) {
	var said []chat.Message
	for _, m := range i.Messages {
		if m.Role == "user" || m.Role == "assistant" && m.text != "" {
			said = append(said, chat.Message{Role: chat.Role(m.Role), Content: m.text})
		}
	}
	turn.Question, turn.Earlier = said[len(said)-1].Content, earlierTurns(said[:len(said)-1])
	i.Filters.limit(&turn)
	return turn
}

// complete serves POST /v1/chat/completions. It answers the last message of a conversation that
// the client keeps, in OpenAI's form.
func (s *Handlers) complete(c *fiber.Ctx, user postgres.User, input completionInput) (reply Completion, err error) {
	asked := input.turn()
	if asked.Model, err = s.model(input.Model); err != nil {
		return reply, err
	}
	asked.UserID, asked.Backlog = user.ID, s.Backlog
	if err := s.narrowToHome(c.UserContext(), user.ID, user.Country, &asked); err != nil {
		return reply, err
	}
	turn := asked.NewTurn
	session := guard.SessionFor(c, user, "user")
	if input.Stream {
		answer, err := s.begin(c.UserContext(), turn)
		if err != nil {
			return reply, err
		}
		answer.session = session
		s.streamCompletion(c, answer, turn)
		return reply, contract.Written(nil)
	}
	ctx, leave := transport.WatchClient(c, mcp.Longest)
	m, err := s.wholeAnswer(ctx, session, turn)
	leave()
	if err != nil {
		return reply, err
	}
	transport.Note(c, slog.String("message_id", m.ID.String()))
	w := &completionWire{server: s, of: streamOf{message: m.ID}, turn: turn, created: m.CreatedAt.Unix()}
	content := markdown.Inert(m.Content)
	text, notes := w.ending(content, m.Citations, m.Validation)
	reply = w.piece(completionChoice{Message: &completionAnswer{Role: string(chat.Assistant), Content: content + text, Annotations: notes}, Finish: &finished})
	reply.Object = "chat.completion"
	return reply, nil
}

var finished = "stop"

// streamCompletion streams an answer, and stops the answer if the client closes the connection.
func (s *Handlers) streamCompletion(c *fiber.Ctx, answer streamOf, turn postgres.NewTurn) {
	transport.Note(c, slog.String("message_id", answer.message.String()))
	s.showTokens(c, answer)
	s.OpenEventStream(c, answer.session, func(w *transport.EventConn, e *transport.Event) error {
		f := s.follower(w, answer)
		f.wire = &completionWire{server: s, of: answer, turn: turn, created: s.Now().Unix()}
		defer f.note(e)
		err := f.run(context.Background(), answer.sub)
		if !errors.Is(err, transport.ErrEnded) && !errors.Is(err, transport.ErrLost) {
			ctx, cancel := context.WithTimeout(context.Background(), s.WorkTime())
			defer cancel()
			if failed := s.cancelAnswer(ctx, answer.session.User, answer.message); failed != nil {
				s.Log.WarnContext(ctx, "stop an answer that nobody reads", "message_id", answer.message, "error", failed)
			}
		}
		return err
	})
}

// earlierTurns returns the last questions of a conversation that were answered, with their
// answers without the list of sources: as much of them as is read.
func earlierTurns(said []chat.Message) (turns []postgres.EarlierTurn) {
	for i := len(said) - 2; i >= 0 && len(turns) < question.TurnsRead; i-- {
		if said[i].Role == chat.User && said[i+1].Role == chat.Assistant {
			answer, _, _ := strings.Cut(said[i+1].Content, closingList)
			turns = append(turns, postgres.EarlierTurn{Question: question.Beginning(said[i].Content), Answer: question.Beginning(answer)})
		}
	}
	slices.Reverse(turns)
	return turns
}

// completionWire is a stream in OpenAI's form: data without numbers and names.
type completionWire struct {
	server  *Handlers
	of      streamOf
	turn    postgres.NewTurn
	created int64

	sent   string // text of the answer that was taken
	inert  markdown.Stream
	shown  string // what the client has of it
	again  string // text of a later attempt that does not yet go beyond sent
	behind bool   // a later attempt has begun
	over   bool   // nothing more may be sent
}

func (w *completionWire) piece(c completionChoice) Completion {
	return Completion{ID: "chatcmpl-" + w.of.message.String(), Object: "chat.completion.chunk", Created: w.created, Model: w.turn.Model, Choices: []completionChoice{c}}
}

// data appends an event.
func (w *completionWire) data(out *bytes.Buffer, v any) {
	raw, err := json.Marshal(v)
	if err != nil {
		panic("httpapi: " + err.Error()) // only values of this file are encoded
	}
	fmt.Fprintf(out, "data: %s\n\n", raw)
}

func (w *completionWire) Event(out *bytes.Buffer, e chat.Event) {
	if w.over {
		return
	}
	switch e.Kind {
	case chat.Chunk:
		var chunk struct{ Text string }
		_ = json.Unmarshal(e.Data, &chunk) // the service's own
		w.text(out, chunk.Text)
	case chat.Reset:
		w.behind, w.again = true, ""
	case chat.ErrorKind:
		var told struct{ Detail string }
		_ = json.Unmarshal(e.Data, &told) // the service's own
		out.Write(w.Failed(told.Detail))
		w.over = true
	case chat.Final:
		w.final(out, e.Data)
	}
}

// text sends a piece of text. What was sent cannot be taken back: a later attempt must begin
// with the same words.
func (w *completionWire) text(out *bytes.Buffer, text string) {
	if w.behind {
		w.again += text
		switch {
		case strings.HasPrefix(w.sent, w.again):
			return
		case !strings.HasPrefix(w.again, w.sent):
			out.Write(w.Failed("La réponse a dû être recommencée autrement. Reposez la question."))
			w.over = true
			return
		}
		text, w.behind = w.again[len(w.sent):], false
	}
	w.sent += text
	w.show(out, text, false)
}

// show sends what a reader may render of a piece of text.
func (w *completionWire) show(out *bytes.Buffer, text string, last bool) {
	role := ""
	if w.shown == "" {
		role = string(chat.Assistant)
	}
	if text = w.inert.Write(text, last); text != "" {
		w.shown += text
		w.data(out, w.piece(completionChoice{Delta: &completionAnswer{Role: role, Content: text}}))
	}
}

func (w *completionWire) final(out *bytes.Buffer, data []byte) {
	var m struct {
		Citations  []law.Citation
		Validation *chat.Validation
	}
	if w.over = true; json.Unmarshal(data, &m) != nil || w.behind && w.again != w.sent {
		out.Write(w.Failed("La réponse a dû être recommencée autrement. Reposez la question."))
		return
	}
	w.show(out, "", true)
	if text, notes := w.ending(w.shown, m.Citations, m.Validation); text != "" {
		w.data(out, w.piece(completionChoice{Delta: &completionAnswer{Content: text, Annotations: notes}}))
	}
	w.data(out, w.piece(completionChoice{Delta: &completionAnswer{}, Finish: &finished}))
	out.WriteString("data: [DONE]\n\n")
}

func (w *completionWire) Failed(text string) []byte {
	var out bytes.Buffer
	w.data(&out, CompletionError{completionFault{Message: text, Type: "server_error"}})
	return out.Bytes()
}

func (w *completionWire) Stopped() []byte { return w.Failed(lostText) }

// citationMark matches a citation in an answer.
var citationMark = regexp.MustCompile(`\[(\d{1,3})\]`)

// ending returns what follows the words of an answer, its warning and the list of its sources,
// and where the words cite them.
func (w *completionWire) ending(content string, citations []law.Citation, checked *chat.Validation) (text string, notes []annotation) {
	if checked != nil && checked.Warning != nil {
		text = "\n\nAttention : " + markdown.Inert(*checked.Warning)
	}
	if len(citations) == 0 {
		return text, nil
	}
	service := &mcp.Service{BaseURL: w.server.Base(), Now: w.server.Now}
	sources := map[int]mcp.Source{}
	list := make([]string, len(citations))
	for i, source := range service.Cited(citations, w.turn.Filters.Date) {
		source.Title = markdown.Inert(source.Title)
		sources[citations[i].Index] = source
		list[i] = fmt.Sprintf("[%d] %s", citations[i].Index, source.Title)
		if source.Article != "" {
			list[i] += ", article " + source.Article
		}
		if source.Page > 0 {
			list[i] += fmt.Sprintf(", page %d", source.Page)
		}
		list[i] += " : " + source.URL
	}
	for _, positions := range citationMark.FindAllStringSubmatchIndex(content, -1) {
		index, _ := strconv.Atoi(content[positions[2]:positions[3]]) // at most three digits
		if source, ok := sources[index]; ok {
			start := utf8.RuneCountInString(content[:positions[0]])
			notes = append(notes, annotation{"url_citation", urlCitation{start, start + utf8.RuneCountInString(content[positions[0]:positions[1]]), source.URL, source.Title}})
		}
	}
	return text + closingList + strings.Join(list, "\n"), notes
}

// CompletionError is an error in OpenAI's form.
type CompletionError struct {
	Error completionFault `json:"error"`
}

type completionFault struct {
	Message string  `json:"message"`
	Type    string  `json:"type"`
	Param   *string `json:"param"`
	Code    *string `json:"code"`
}

// AsCompletionError returns an error in OpenAI's form. detail is that of the service's own.
func AsCompletionError(status int, _ error, detail any) any {
	out := completionFault{Type: "invalid_request_error"}
	if status >= fiber.StatusInternalServerError {
		out.Type = "server_error"
	}
	switch detail := detail.(type) {
	case string:
		out.Message = detail
	case form.Faults:
		var told []string
		for _, f := range detail {
			where := make([]string, len(f.Loc))
			for i, part := range f.Loc {
				where[i] = fmt.Sprint(part)
			}
			param := strings.TrimPrefix(strings.Join(where, "."), "body.")
			if out.Param == nil {
				out.Param = &param
			}
			told = append(told, param+" : "+f.Msg)
		}
		out.Message = strings.Join(told, " ")
	}
	return CompletionError{out}
}

type completionModels struct {
	Object string            `json:"object" enum:"list"`
	Data   []completionModel `json:"data"`
}

type completionModel struct {
	ID      string `json:"id"`
	Object  string `json:"object" enum:"model"`
	Created int64  `json:"created"`
	OwnedBy string `json:"owned_by"`
}

// listCompletionModels serves GET /v1/models. It lists the models in OpenAI's form.
func (s *Handlers) listCompletionModels(*fiber.Ctx, postgres.User, contract.None) (completionModels, error) {
	list := make([]completionModel, len(s.Models))
	for i, m := range s.Models {
		list[i] = completionModel{m.ID, "model", started.Unix(), "vigueur"}
	}
	return completionModels{"list", list}, nil
}

// started is the start of the process, which responses give as the age of its models.
var started = time.Now()
