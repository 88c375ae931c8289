package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/ops/observe"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/relay"
	"vigueur/internal/work/queue"
)

// openRelay returns a relay that runs until stop is called.
func (a *app) openRelay(ctx context.Context) (r *relay.Relay, stop func(), err error) {
	c, err := a.settings()
	if err != nil {
		return nil, nil, err
	}
	log := slog.New(slog.DiscardHandler) // important failures are reported in French
	if c.LogLevel == "debug" {
		log = observe.Logger(a.err, "ingest", c.LogLevel)
	}
	if r, err = relay.Open(c.Streams(), log); err != nil {
		return nil, nil, err
	}
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var done sync.WaitGroup
	done.Go(func() {
		if err := r.Run(running); err != nil {
			log.Debug("relay", "error", err)
		}
	})
	return r, func() { cancel(); done.Wait() }, nil
}

// listening prints one answer while it is written.
type listening struct {
	*app
	db           *postgres.DB
	queue        *queue.Client
	relay        *relay.Relay
	turn         postgres.Turn
	conversation uuid.UUID
	shown        strings.Builder // text of the answer that was printed
	warned       bool            // whether the lack of progress was reported
}

// cancelTime is the timeout for canceling an answer on Ctrl-C.
const cancelTime = 3 * time.Second

// listen prints the answer as it is streamed and returns the stored message. It also polls
// the row, because events may be lost.
func (l *listening) listen(ctx context.Context, events <-chan chat.Event) (m chat.Message, err error) {
	tick := time.NewTicker(5 * l.poll)
	defer tick.Stop()
	moved := time.Now()
	for {
		look := false
		select {
		case <-ctx.Done():
			return m, l.giveUp(ctx)
		case e, open := <-events:
			if !open {
				events = nil // the answer will be in the row
				continue
			}
			moved = time.Now()
			look = e.Last()
			l.hear(e)
		case <-tick.C:
			look = true
			l.worry(time.Since(moved))
		}
		if !look {
			continue
		}
		m, err = l.db.Answer(ctx, l.turn.UserID, l.turn.MessageID)
		if ctx.Err() != nil {
			return m, l.giveUp(ctx)
		}
		if err != nil {
			return m, err
		}
		if m.State.Ended() {
			l.rest(m.Content)
			return m, nil
		}
	}
}

// hear prints one event.
func (l *listening) hear(e chat.Event) {
	switch e.Kind {
	case chat.Chunk:
		var chunk struct {
			Text string `json:"text"`
		}
		// An invalid event is ignored, because the rest of the answer is printed from the row.
		if err := json.Unmarshal(e.Data, &chunk); err == nil {
			l.show(chunk.Text)
		}
	case chat.Reset:
		l.again()
	}
}

// show prints a piece of the answer.
func (l *listening) show(text string) {
	l.shown.WriteString(text)
	if !l.json {
		_, _ = io.WriteString(l.out, clean(text)) // if the pipe is closed, the last write reports it
	}
}

// again reports that the answer starts again.
func (l *listening) again() {
	if l.shown.Len() > 0 && !l.json {
		fmt.Fprintln(l.out, "\n[Le worker s’est arrêté ; un autre reprend la réponse du début.]")
	}
	l.shown.Reset()
}

// rest prints the part of the stored answer that was not streamed.
func (l *listening) rest(content string) {
	missed, follows := strings.CutPrefix(content, l.shown.String())
	if !follows {
		l.again()
		missed = content
	}
	l.show(missed)
}

// worry reports, once, that nothing is streamed, and why. still is the time since the last
// event.
func (l *listening) worry(still time.Duration) {
	if l.warned || still < l.stalled/5 {
		return
	}
	switch {
	case idle(l.queue, queue.Answers):
		fmt.Fprintln(l.err, noWorker)
	case still > l.stalled:
		fmt.Fprintf(l.err, "Rien ne vient depuis %.0f s ; la réponse est toujours attendue (Ctrl-C y renonce).\n", l.stalled.Seconds())
	default:
		return
	}
	l.warned = true
}

// giveUp cancels the answer on Ctrl-C, because nobody else would read it.
func (l *listening) giveUp(ctx context.Context) error {
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), cancelTime)
	defer cancel()
	if _, err := l.db.RequestCancel(last, l.turn.UserID, l.turn.MessageID); err != nil {
		return err
	}
	if err := l.relay.Cancel(last, l.turn.MessageID); err != nil {
		return err
	}
	fmt.Fprintln(l.err, "\nInterrompu : la réponse est abandonnée.")
	return quiet{exitInterrupted}
}
