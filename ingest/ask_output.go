package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"vigueur/internal/answer/why"
	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/terminal"
	"vigueur/internal/law"
	"vigueur/internal/store/chat"
	"vigueur/internal/web/client"
	"vigueur/internal/work/queue"
)

// listening prints one answer while it is written.
type listening struct {
	*app
	server *server
	asked  question
	once   string // key under which the question is taken once, however often it is sent

	conversation, message string
	last                  string          // id of the last event
	shown                 strings.Builder // text of the answer that was printed
	end                   final
	failed                string       // why the answer failed; "" if it did not
	moved                 atomic.Int64 // when the last event came, ns since 1970
	begun                 func()       // called when the answer is known; may be nil
	down                  bool         // whether it was reported that the server does not respond
}

// final is the data of the event that ends an answer.
type final struct {
	Citations   []citation       `json:"citations"`
	SeeAlso     []citation       `json:"see_also,omitempty"`
	Validation  *chat.Validation `json:"validation"`
	Certainty   *chat.Grade      `json:"certainty"`
	Probability *float64         `json:"probability"`
	LatencyMS   *int             `json:"latency_ms"`
	Model       *string          `json:"model"`
}

// cancelTime is the timeout for canceling an answer on Ctrl-C.
const cancelTime = 3 * time.Second

// errAnswered ends the stream of an answer.
var errAnswered = errors.New("answered")

// listen prints the answer as it is streamed, and joins the stream again where it was cut off.
func (l *listening) listen(ctx context.Context) error {
	l.moved.Store(time.Now().UnixNano())
	watching, stop := context.WithCancel(ctx)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		l.worry(watching)
	}()
	defer func() { stop(); <-watched }()
	for heard := time.Now(); ; {
		left := l.last
		err := l.join(ctx)
		switch {
		case errors.Is(err, errAnswered):
			return nil
		case ctx.Err() != nil:
			return l.giveUp(ctx)
		case l.last != left:
			heard = time.Now()
		case !client.MayPass(err) || time.Since(heard) > l.stalled:
			return err
		}
		if !l.down && l.message == "" {
			fmt.Fprintln(l.err, errs.Public(err)+" Nouvel essai…")
			l.down = true
		}
		select {
		case <-ctx.Done():
			return l.giveUp(ctx)
		case <-time.After(5 * l.poll):
		}
	}
}

// join sends the question, or reads the stream of its answer after the last event.
func (l *listening) join(ctx context.Context) error {
	method, path, input := http.MethodPost, "/chat-rag/stream", any(l.asked)
	if l.message != "" {
		method, path, input = http.MethodGet, path+"/"+l.message, nil
	}
	r, err := l.server.Request(ctx, method, path, nil, input)
	if err != nil {
		return err
	}
	if l.message == "" {
		r.Header.Set("Idempotency-Key", l.once)
	} else {
		r.Header.Set("Last-Event-ID", l.last)
	}
	return l.server.Events(ctx, r, func(h http.Header) {
		l.conversation, l.message = h.Get("X-Conversation-Id"), h.Get("X-Message-Id")
		if l.begun != nil {
			l.begun()
		}
	}, l.hear)
}

// hear prints one event. The error is errAnswered at the end of the answer, and Unavailable if only the stream ended.
func (l *listening) hear(e client.Event) error {
	l.moved.Store(time.Now().UnixNano())
	if e.ID != "" {
		l.last = e.ID
	}
	switch chat.EventKind(e.Kind) {
	case chat.Chunk:
		var chunk struct {
			Text string `json:"text"`
		}
		if err := json.Unmarshal(e.Data, &chunk); err != nil {
			return errs.Wrap(errs.Unavailable, "La réponse est illisible.", err)
		}
		l.show(chunk.Text)
	case chat.Reset:
		if l.shown.Len() > 0 && !l.json {
			fmt.Fprintln(l.out, "\n[Le worker s’est arrêté ; un autre reprend la réponse du début.]")
		}
		l.shown.Reset()
	case chat.Final:
		if err := json.Unmarshal(e.Data, &l.end); err != nil {
			return errs.Wrap(errs.Unavailable, "La fin de la réponse est illisible.", err)
		}
		return errAnswered
	case chat.ErrorKind:
		var told struct {
			Detail string `json:"detail"`
		}
		_ = json.Unmarshal(e.Data, &told) // the sentence below stands for it
		if e.ID == "" {                   // it is not of the answer, which goes on
			return errs.New(errs.Unavailable, told.Detail)
		}
		if l.failed = told.Detail; l.failed == "" {
			l.failed = "La réponse a été interrompue."
		}
		return errAnswered
	}
	return nil
}

// show prints a piece of the answer.
func (l *listening) show(text string) {
	l.shown.WriteString(text)
	if !l.json {
		_, _ = io.WriteString(l.out, text) // if the pipe is closed, the last write reports it
	}
}

// worry reports, once, that nothing is streamed, and why, until ctx ends.
func (l *listening) worry(ctx context.Context) {
	for tick := time.NewTicker(5 * l.poll); ; {
		select {
		case <-ctx.Done():
			tick.Stop()
			return
		case <-tick.C:
		}
		switch still := time.Since(time.Unix(0, l.moved.Load())); {
		case still > l.stalled/5 && l.server.idle(ctx, queue.Answers):
			fmt.Fprintln(l.err, noWorker)
		case still > l.stalled:
			fmt.Fprintf(l.err, "Rien ne vient depuis %.0f s ; la réponse est toujours attendue (Ctrl-C y renonce).\n", l.stalled.Seconds())
		default:
			continue
		}
		tick.Stop()
		return
	}
}

// giveUp cancels the answer on Ctrl-C, because nobody else would read it.
func (l *listening) giveUp(ctx context.Context) error {
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), cancelTime)
	defer cancel()
	if l.message == "" { // the question may have been taken: sent once more, it is the same
		known, stop := context.WithCancel(last)
		l.begun = stop
		_ = l.join(known) // it ends as soon as the answer is known
		stop()
	}
	if l.message == "" {
		return ctx.Err()
	}
	if err := l.server.Call(last, http.MethodPost, "/chat-rag/stream/"+l.message+"/cancel", nil, nil, nil); err != nil {
		return err
	}
	fmt.Fprintln(l.err, "\nInterrompu : la réponse est abandonnée.")
	return quiet{exitInterrupted}
}

// citation is a citation of an answer.
type citation = law.Citation

// answered is an answer in JSON, for --json.
type answered struct {
	Question  string  `json:"question"`
	Date      *string `json:"date"`
	Answer    string  `json:"answer"`
	Abstained bool    `json:"abstained"`
	final
	State          chat.State `json:"state"`
	Error          string     `json:"error"`
	ConversationID string     `json:"conversation_id"`
	MessageID      string     `json:"message_id"`
	Why            *why.Why   `json:"why,omitempty"` // only with --explain
}

// answered returns the answer that was heard.
func (l *listening) answered() answered {
	out := answered{Question: l.asked.Question, Answer: l.shown.String(), final: l.end,
		State: chat.Done, Error: l.failed, ConversationID: l.conversation, MessageID: l.message}
	out.Citations = append([]citation{}, out.Citations...) // not null
	if l.failed != "" {
		out.State = chat.Failed
	}
	out.Abstained = out.State == chat.Done && len(out.Citations) == 0
	if day := l.asked.Filters["date"]; day != "" {
		out.Date = &day
	}
	return out
}

// printSources prints the sources of an answer, its warning and its model.
func (a *app) printSources(m answered) error {
	var b strings.Builder
	if m.Answer != "" {
		b.WriteString("\n")
	}
	if len(m.Citations) > 0 {
		b.WriteString("\nSources :\n")
	}
	for _, c := range m.Citations {
		fmt.Fprintf(&b, "  [%d] %s\n", c.Index, terminal.Line(source(c)))
	}
	if len(m.SeeAlso) > 0 {
		b.WriteString("\nÀ lire aussi :\n")
	}
	for _, c := range m.SeeAlso {
		fmt.Fprintf(&b, "  - %s\n", terminal.Line(source(c)))
	}
	if m.Abstained {
		b.WriteString("\nSans réponse : aucun texte du catalogue n’est cité.\n")
	}
	if v := m.Validation; v != nil && v.Warning != nil && *v.Warning != "" {
		fmt.Fprintf(&b, "\nAttention : %s\n", *v.Warning)
	}
	if m.LatencyMS != nil && m.Model != nil {
		grade := ""
		if m.Certainty != nil {
			grade = m.Certainty.Word() + ", "
		}
		fmt.Fprintf(&b, "\n(%s%s, en %s s)\n", grade, terminal.Line(*m.Model), strings.Replace(fmt.Sprintf("%.2f", float64(*m.LatencyMS)/1000), ".", ",", 1))
	}
	_, err := fmt.Fprint(a.out, b.String())
	return err
}

// source formats a citation: « Code du travail, article 14, p. 5 (Loi n° 2023-04) ».
func source(c citation) string {
	s := c.Title
	if r := c.Replaces; r != nil { // the amended text comes first, because the question was about it
		s = r.Title + ", article " + r.Article + " nouveau, " + r.By() + " : " + s
	}
	if c.Article != nil && *c.Article != "" {
		s += ", article " + *c.Article
	}
	if c.Page != nil {
		s += fmt.Sprintf(", p. %d", *c.Page)
	}
	if c.OfficialNumber != "" && !strings.Contains(c.Title, c.OfficialNumber) {
		kind := c.DocType
		if kind == law.Code { // a code has the number of the law that enacted it
			kind = law.Loi
		}
		s += " (" + law.CallText(kind, c.OfficialNumber, "", time.Time{}) + ")"
	}
	if c.Status == law.Repealed {
		s += " — texte abrogé"
	}
	return s
}
