package main

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/ops/config"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/client"
	"vigueur/internal/web/httpapi"
	"vigueur/internal/web/httpapi/admin"
	"vigueur/internal/work/queue"
)

// server is the API that commands call: that of the profile in use, or one within this process for the
// operator of the machine, whose every request is admitted.
type server struct {
	*client.Client
	// ready returns why workers would not hear of new work, nil for another machine.
	ready func(ctx context.Context) error
	// atOnce is how many files are sent at once, and patience how long a file waits for a line that was cut off.
	atOnce   int
	patience time.Duration
}

// withServer calls f with the API of the profile in use or, without one, of this machine.
func (a *app) withServer(ctx context.Context, f func(s *server) error) error {
	return a.within(ctx, f, func(*httpapi.Server, config.Ingest) (postgres.User, error) { return postgres.User{}, nil })
}

// within calls f with the API of the profile in use or, without one, of this machine. There, add completes the server
// and returns the account that asks.
func (a *app) within(ctx context.Context, f func(s *server) error, add func(api *httpapi.Server, c config.Ingest) (postgres.User, error)) error {
	p, err := a.profile()
	if err != nil {
		return err
	}
	if p != nil {
		s, err := a.remote(p)
		if err != nil {
			return err
		}
		return s.ExplainVersion(ctx, f(s))
	}
	return a.withDB(ctx, func(db *postgres.DB) (err error) {
		settings, err := a.settings()
		if err != nil {
			return err
		}
		files, err := openFiles(settings)
		if err != nil {
			return err
		}
		jobs, err := queue.NewClient(settings.RedisURL)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, jobs.Close()) }()
		var lines bytes.Buffer
		api := &httpapi.Server{DB: db, Queue: &hints{Client: jobs}, Workers: jobs.Workers, Blobs: files, Now: time.Now, Milvus: settings.MilvusURL != "", Meili: settings.MeiliURL != "",
			Log: slog.New(slog.NewTextHandler(&lines, &slog.HandlerOptions{Level: slog.LevelError}))}
		user, err := add(api, settings)
		if err != nil {
			return err
		}
		dial, stop, err := api.ServeOperator(user)
		if err != nil {
			return err
		}
		within := &http.Client{Transport: &http.Transport{DialContext: dial}}
		defer func() {
			within.CloseIdleConnections()
			err = errors.Join(err, stop())
		}()
		return f(&server{Client: &client.Client{Base: "http://operator.invalid", HTTP: within, Fault: lines.String, Name: a.running.optionOf}, ready: jobs.Ping})
	})
}

// hints gives up after the first hint that cannot be given: the workers' sweep finds the rows of all.
type hints struct {
	*queue.Client
	look sync.Once
	err  error
}

// Enqueue implements httpapi.Queue.
func (h *hints) Enqueue(ctx context.Context, kind queue.Kind, id uuid.UUID) error {
	h.look.Do(func() {
		ctx, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		h.err = h.Ping(ctx)
	})
	if h.err != nil {
		return h.err
	}
	return h.Client.Enqueue(ctx, kind, id)
}

// idle reports whether no process reads a queue. It returns false if this is unknown.
func (s *server) idle(ctx context.Context, kind queue.Kind) bool {
	var list struct {
		Items []admin.QueueStateBody `json:"items"`
	}
	if s.Call(ctx, http.MethodGet, "/admin/queues", nil, nil, &list) != nil {
		return false
	}
	return slices.ContainsFunc(list.Items, func(q admin.QueueStateBody) bool { return q.Name == kind.Queue && q.Workers != nil && *q.Workers == 0 })
}

// find returns the only existing id with the typed prefix. A complete id is returned
// unchanged, whether or not its row exists.
func (s *server) find(ctx context.Context, t thing, word string) (uuid.UUID, error) {
	id, err := typedID(t, word)
	if err != nil || id.from == id.to {
		return id.from, err
	}
	query := url.Values{"of": {t.kind}, "prefix": {id.digits}}
	var found struct {
		Items []postgres.Label `json:"items"`
	}
	if err := s.Call(ctx, http.MethodGet, "/admin/ids", query, nil, &found); err != nil {
		return uuid.Nil, err
	}
	return id.one(found.Items)
}
