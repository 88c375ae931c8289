package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"vigueur/e2e/stage"
	"vigueur/scripts/benchmark/report"
)

// system is a whole system of its own: two APIs, and as many workers as a step has.
type system struct {
	*stage.Stage
	apis     [2]*stage.Process
	workers  []*stage.Process
	reader   [2]*stage.Client // signed in at each API
	editor   *stage.Client
	paths    []string    // what page loads ask for
	gazettes []string    // files that are not taken in yet
	made     uint64      // seeds of gazettes that were made
	watch    *prometheus // nil: nobody looks at the programs
	// postmaster is the first process of PostgreSQL.
	postmaster int
}

const editor = "redaction@exemple.org"

// open sets a system up with one worker; watch is the Prometheus program that looks at it, "": none does.
func open(ctx context.Context, watch string) (s *system, err error) {
	s = &system{}
	if s.Stage, err = stage.Open(ctx); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = joined(err, s.Close())
		}
	}()
	if err := s.IngestSample(ctx); err != nil {
		return nil, err
	}
	if err := s.AddUser(ctx, editor, "editor"); err != nil {
		return nil, err
	}
	if watch != "" {
		if s.watch, err = watchBy(ctx, watch, s.Dir); err != nil {
			return nil, err
		}
	}
	s.Model(pace)
	s.Set("VIGUEUR_WORKER_ANSWERS", fmt.Sprint(atOnce))
	s.Set("VIGUEUR_ANSWER_QUEUE", "10000")
	s.Set("VIGUEUR_ANSWER_WAIT", "10m")
	for i := range s.apis {
		if err := s.watched(); err != nil {
			return nil, err
		}
		if s.apis[i], err = s.API(ctx); err != nil {
			return nil, err
		}
		if s.reader[i], err = s.Client(ctx, s.apis[i]); err != nil {
			return nil, err
		}
	}
	if s.editor, err = s.ClientOf(ctx, s.apis[0], editor); err != nil {
		return nil, err
	}
	if err := s.hire(ctx, 1); err != nil {
		return nil, err
	}
	s.paths, err = s.pagePaths(ctx)
	return s, err
}

// watched has the program that is started next give its figures to whoever looks.
func (s *system) watched() error {
	if s.watch == nil {
		return nil
	}
	address, err := freeAddress()
	if err != nil {
		return err
	}
	s.Set("VIGUEUR_METRICS_LISTEN", address)
	return s.watch.look(address)
}

// Close ends everything and leaves nothing behind.
func (s *system) Close() error {
	if s.watch != nil {
		s.watch.Close()
	}
	if s.Stage == nil {
		return nil
	}
	return s.Stage.Close()
}

// hire starts workers until there are so many.
func (s *system) hire(ctx context.Context, n int) error {
	for len(s.workers) < n {
		if err := s.watched(); err != nil {
			return err
		}
		w, err := s.Worker(ctx, nil)
		if err != nil {
			return err
		}
		s.workers = append(s.workers, w)
	}
	return nil
}

// pagePaths are what the web page asks for as a person goes about: the bundle, who one is, lists, a search, a text, its
// articles, its conversations, the first part of a PDF.
func (s *system) pagePaths(ctx context.Context) ([]string, error) {
	var texts struct{ Items []struct{ ID string } }
	if err := s.reader[0].JSON(ctx, "GET", "/api/v1/documents?limit=5", nil, &texts); err != nil {
		return nil, err
	}
	if len(texts.Items) == 0 {
		return nil, errors.New("the catalogue is empty")
	}
	paths := []string{"/", "/api/v1/auth/me", "/api/v1/conversations", "/api/v1/documents?limit=20", "/api/v1/domaines",
		"/api/v1/search?q=preavis+de+licenciement", "/api/v1/search?q=impot&type=loi", "/api/v1/titles?q=travail"}
	for _, t := range texts.Items {
		at := "/api/v1/documents/" + t.ID
		paths = append(paths, at, at+"/articles", at+"/relations", at+"/file")
	}
	return paths, nil
}

// gazette returns a made gazette that was not taken in before.
func (s *system) gazette() (string, error) {
	s.made++
	path := filepath.Join(s.Dir, fmt.Sprintf("made-%d.pdf", s.made))
	file, err := drawn(s.made)
	if err != nil {
		return "", err
	}
	return path, os.WriteFile(path, file, 0o600)
}

// stock makes gazettes until so many wait to be taken in: none is made while a load is measured.
func (s *system) stock(n int) error {
	for len(s.gazettes) < n {
		path, err := s.gazette()
		if err != nil {
			return err
		}
		s.gazettes = append(s.gazettes, path)
	}
	return nil
}

// held is the memory in RAM of processes, in MiB, on average.
func held(all []*stage.Process) (float64, error) {
	sum := 0
	for _, p := range all {
		kib, err := report.Resident(p.PID())
		if err != nil {
			return 0, err
		}
		sum += kib
	}
	return float64(sum) / 1024 / float64(len(all)), nil
}

func joined(all ...error) error { return errors.Join(all...) }
