package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"vigueur/e2e/stage"
	"vigueur/scripts/benchmark/report"
)

// done is what came of a load in a span: how many of each, and how long they took.
type done struct {
	took            time.Duration
	answers, loads  int
	firsts, fetched []time.Duration // to the first chunk of an answer, to the end of a page load
}

func (d done) answersPerS() float64 { return float64(d.answers) / d.took.Seconds() }
func (d done) loadsPerS() float64   { return float64(d.loads) / d.took.Seconds() }

// load is what people do at once; Close ends it.
type load struct {
	*system
	counting atomic.Bool
	mu       sync.Mutex
	done     done
	failed   error
	stop     context.CancelFunc
	all      sync.WaitGroup
}

func (s *system) begin(ctx context.Context) (context.Context, *load) {
	ctx, stop := context.WithCancel(ctx)
	return ctx, &load{system: s, stop: stop}
}

// Close waits for everybody to end.
func (l *load) Close() {
	l.stop()
	l.all.Wait()
}

func (l *load) note(err error, f func(*done)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil {
		l.failed = joined(l.failed, err)
		return
	}
	if l.counting.Load() {
		f(&l.done)
	}
}

// ask has so many people ask again and again. They begin one after the other over the time of an answer: of answers that
// all end in the same instant a span would hold one batch more or less.
func (l *load) ask(ctx context.Context, people int) {
	for i := range people {
		l.all.Go(func() {
			if !sleep(ctx, answerTime*time.Duration(i)/time.Duration(people)) {
				return
			}
			client := l.reader[i%len(l.reader)]
			for ctx.Err() == nil {
				a, err := client.Insist(ctx, func() string { return client.URL }, "Quel est le préavis d’un cadre ?", nil)
				switch {
				case ctx.Err() != nil:
				case err != nil || a.Error != "" || a.Text != pace.Text():
					l.note(fmt.Errorf("an answer of %d bytes: %s: %w", len(a.Text), a.Error, err), nil)
				default:
					l.note(nil, func(d *done) { d.answers, d.firsts = d.answers+1, append(d.firsts, a.First) })
				}
			}
		})
	}
}

// read has people load pages: so many a second in all, or, of 0, each the next when it has the one before.
func (l *load) read(ctx context.Context, people int, perSecond float64) {
	pace := make(chan struct{}, people)
	if perSecond > 0 {
		l.all.Go(func() {
			tick := time.NewTicker(time.Duration(float64(time.Second) / perSecond))
			defer tick.Stop()
			for {
				select {
				case <-ctx.Done():
					return
				case <-tick.C:
				}
				select {
				case pace <- struct{}{}:
				default: // everybody still waits for the page before
				}
			}
		})
	} else {
		close(pace)
	}
	var turn atomic.Int64
	for range people {
		l.all.Go(func() {
			for ctx.Err() == nil {
				select {
				case <-ctx.Done():
					return
				case <-pace:
				}
				i := int(turn.Add(1))
				took, err := fetch(ctx, l.reader[i%len(l.reader)], l.paths[i%len(l.paths)])
				if ctx.Err() == nil {
					l.note(err, func(d *done) { d.loads, d.fetched = d.loads+1, append(d.fetched, took) })
				}
			}
		})
	}
}

func fetch(ctx context.Context, c *stage.Client, path string) (time.Duration, error) {
	began := time.Now()
	header := http.Header{"Accept-Encoding": {"gzip"}}
	if filepath.Base(path) == "file" {
		header.Set("Range", "bytes=0-65535")
	}
	r, err := c.Send(ctx, "GET", path, nil, header)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", path, err)
	}
	defer func() { _ = r.Body.Close() }()
	_, err = io.Copy(io.Discard, r.Body)
	return time.Since(began), err
}

// feed has an editor add a gazette so often, or, of 0, all that are there at once.
func (l *load) feed(ctx context.Context, every time.Duration) {
	files := l.gazettes
	l.gazettes = nil
	l.all.Go(func() {
		for i, path := range files {
			if !sleep(ctx, every) {
				l.mu.Lock()
				l.gazettes = append(l.gazettes, files[i:]...)
				l.mu.Unlock()
				return
			}
			if err := upload(ctx, l.editor, path); err != nil && ctx.Err() == nil {
				l.note(fmt.Errorf("%s: %w", path, err), nil)
			}
		}
	})
}

func upload(ctx context.Context, c *stage.Client, path string) error {
	file, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", filepath.Base(path))
	if err != nil {
		return err
	}
	if _, err := part.Write(file); err != nil {
		return err
	}
	if err := form.Close(); err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.URL+"/api/v1/admin/documents", &body)
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", form.FormDataContentType())
	req.Header.Set("Authorization", "Bearer "+c.Token)
	r, err := c.HTTP.Do(req)
	if err != nil {
		return err
	}
	said, err := io.ReadAll(r.Body)
	if r.StatusCode != http.StatusAccepted {
		err = joined(err, fmt.Errorf("HTTP %d: %s", r.StatusCode, said))
	}
	return joined(err, r.Body.Close())
}

// measure lets the load run in, then counts what is done and used within the span.
func (l *load) measure(ctx context.Context, warm, span time.Duration) (d done, u spent, err error) {
	if !sleep(ctx, warm) {
		return d, u, ctx.Err()
	}
	before, err := l.used(ctx)
	if err != nil {
		return d, u, err
	}
	l.counting.Store(true)
	if !sleep(ctx, span) {
		return d, u, ctx.Err()
	}
	l.counting.Store(false)
	after, err := l.used(ctx)
	if err != nil {
		return d, u, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	d = l.done
	d.took = after.at.Sub(before.at)
	return d, after.less(before), l.failed
}

func sleep(ctx context.Context, t time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(t):
		return true
	}
}

func p99(times []time.Duration) float64 { return report.Quantile(times, .99) }
