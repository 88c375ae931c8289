package conversations

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/version"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/guard"
	"vigueur/internal/web/httpapi/transport"
	"vigueur/internal/web/mcp"
)

// programs returns the service for programs that speak the Model Context Protocol.
func (s *Handlers) programs() *mcp.HTTP {
	service := &mcp.Service{DB: s.DB, BaseURL: s.Base(), Version: version.Read().Version, Now: s.Now, Turn: s.turnOfTool}
	service.Ask = func(ctx context.Context, q mcp.Question) (mcp.Answer, error) { return s.askAsTool(ctx, service, q) }
	return service.HTTP()
}

// protocolRequest describes a request or a notification of JSON-RPC 2.0.
type protocolRequest struct {
	Version string          `header:"Mcp-Protocol-Version" doc:"La version du protocole que le client a convenue. Une version inconnue donne 400, avec la liste de celles qui sont admises." example:"2025-06-18"`
	JSONRPC string          `json:"jsonrpc" enum:"2.0"`
	ID      json.RawMessage `json:"id,omitempty" doc:"Un nombre ou un texte ; absent d’une notification."`
	Method  string          `json:"method,omitempty" example:"initialize"`
	Params  json.RawMessage `json:"params,omitempty" doc:"Un objet ; autre chose est refusé dans la réponse (-32602)."`
}

// protocolMessage describes a response of JSON-RPC 2.0.
type protocolMessage struct {
	JSONRPC string          `json:"jsonrpc" enum:"2.0"`
	ID      json.RawMessage `json:"id,omitempty" doc:"Un nombre ou un texte ; absent d’une notification."`
	Result  map[string]any  `json:"result,omitempty"`
	Error   *protocolError  `json:"error,omitempty"`
}

type protocolError struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// exchange returns the handler of POST /mcp: messages of the Model Context Protocol.
func (s *Handlers) exchange(programs *mcp.HTTP) func(*fiber.Ctx, postgres.User) (protocolMessage, error) {
	return func(c *fiber.Ctx, user postgres.User) (written protocolMessage, _ error) {
		body, err := transport.ReadJSON(c)
		if err != nil {
			return written, err
		}
		header := http.Header{}
		for name, value := range c.Request().Header.All() {
			header.Add(string(name), string(value))
		}
		ctx, leave := transport.WatchClient(c, mcp.Longest)
		reply, err := programs.Exchange(context.WithValue(ctx, askerKey{}, asker{guard.SessionFor(c, user, "user"), user.Country}), header, body)
		leave()
		if err != nil {
			return written, err
		}
		if c.Status(reply.Status); reply.Body != nil {
			c.Set(fiber.HeaderContentType, fiber.MIMEApplicationJSON)
			err = c.Send(reply.Body)
		}
		return written, contract.Written(err)
	}
}

// turnOfTool waits for a turn of the caller of a tool to check a text.
func (s *Handlers) turnOfTool(ctx context.Context) (release func(), err error) {
	who, _ := ctx.Value(askerKey{}).(asker) // a call without one has the turn of nobody
	return s.Checks.Take(ctx, transport.Turn{Who: who.session.User.String(), Most: transport.Usual, Each: 1, Patience: transport.Brief})
}

// askerKey is the context key of the caller of a tool.
type askerKey struct{}

// asker is the session and the own country of the caller of a tool.
type asker struct {
	session postgres.Session
	home    string
}

// askAsTool asks a question for a program.
func (s *Handlers) askAsTool(ctx context.Context, service *mcp.Service, q mcp.Question) (mcp.Answer, error) {
	who, ok := ctx.Value(askerKey{}).(asker)
	if !ok {
		return mcp.Answer{}, errs.New(errs.Unauthorized, "")
	}
	model, err := s.model(nil)
	if err != nil {
		return mcp.Answer{}, err
	}
	turn := asked{NewTurn: postgres.NewTurn{UserID: who.session.User, Question: strings.TrimSpace(q.Question), Filters: q.Filters(), Model: model, Backlog: s.Backlog}}
	if err := s.narrowToHome(ctx, who.session.User, who.home, &turn); err != nil {
		return mcp.Answer{}, err
	}
	m, err := s.wholeAnswer(ctx, who.session, turn.NewTurn)
	if err != nil {
		return mcp.Answer{}, err
	}
	out := mcp.Answer{Text: m.Content, Abstained: m.State == chat.Done && len(m.Citations) == 0, Sources: service.Cited(m.Citations, turn.Filters.Date)}
	if m.Validation != nil && m.Validation.Warning != nil {
		out.Warning = *m.Validation.Warning
	}
	return out, nil
}

// wholeAnswer asks a question and waits for its answer. An answer that nobody waits for any
// more, because ctx has ended, is stopped. The error is Unavailable if the answer failed.
func (s *Handlers) wholeAnswer(ctx context.Context, session postgres.Session, turn postgres.NewTurn) (m chat.Message, err error) {
	streamOf, err := s.begin(ctx, turn)
	if err != nil {
		return m, err
	}
	streamOf.session = session
	revoked, left := s.JoinSession(session)
	defer left()
	f := s.follower(&transport.EventConn{Gone: ctx.Done(), Revoked: revoked}, streamOf)
	told := &unheard{}
	f.wire, f.send = told, func([]byte) error { return nil }
	why := f.run(context.WithoutCancel(ctx), streamOf.sub)
	following, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.WorkTime())
	defer cancel()
	if ctx.Err() != nil {
		if err := s.cancelAnswer(following, session.User, streamOf.message); err != nil {
			s.Log.WarnContext(ctx, "stop an answer that nobody waits for", "message_id", streamOf.message, "error", err)
		}
		return m, errs.Wrap(errs.Unavailable, "La réponse n’est pas venue à temps.", why)
	}
	if told.text != "" {
		return m, errs.Wrap(errs.Unavailable, told.text, why)
	}
	if m, err = s.DB.Answer(following, session.User, streamOf.message); err != nil {
		return m, err
	}
	if m.State == chat.Failed {
		return m, errs.New(errs.Unavailable, m.Error)
	}
	return m, nil
}

// unheard is the wire of a follower without a client. It keeps the reason of an early end.
type unheard struct{ text string }

func (*unheard) Event(*bytes.Buffer, chat.Event) {}

func (k *unheard) Failed(text string) []byte { k.text = text; return nil }

func (k *unheard) Stopped() []byte { k.text = lostText; return nil }
