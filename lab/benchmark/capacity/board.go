package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"vigueur/e2e/stage"
)

// board is what is read of a dashboard of Grafana.
type board struct {
	Title  string
	Panels []panel
}

type panel struct {
	Title, Type string
	GridPos     struct{ X, Y, W, H int }
	FieldConfig struct {
		Defaults struct {
			Unit       string
			Thresholds struct {
				Steps []struct {
					Color string
					Value *float64
				}
			}
		}
	}
	Targets []struct{ Expr, LegendFormat string }
}

// seen is what the queries of a panel gave, by its targets.
type seen [][]series

// boardSpan is how long the load lasts that the dashboard is drawn from.
const boardSpan = 75 * time.Second

// drawBoard has a Prometheus look at a loaded system, asks what the dashboard asks, and writes the panels as a page. A
// query of the dashboard without a series, and a figure of an alert that no program gave, are errors.
func drawBoard(ctx context.Context, program, page string) (err error) {
	s, err := open(ctx, program)
	if err != nil {
		return err
	}
	defer func() { err = joined(err, s.Close()) }()
	began := time.Now()
	if err := s.trouble(ctx); err != nil {
		return err
	}
	ended := time.Now()
	var b board
	text, err := os.ReadFile(filepath.Join(stage.Root(), "deployments", "monitoring", "dashboard.json"))
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, &b); err != nil {
		return err
	}
	var all []seen
	var silent []error
	for _, p := range b.Panels {
		var of seen
		for _, t := range p.Targets {
			query := strings.NewReplacer("$__rate_interval", fmt.Sprint(4*looksEvery)).Replace(t.Expr)
			result, err := s.watch.ask(ctx, query, began, ended)
			if err != nil {
				return err
			}
			if len(result) == 0 {
				silent = append(silent, fmt.Errorf("« %s » shows nothing: %s", p.Title, t.Expr))
			}
			of = append(of, result)
		}
		all = append(all, of)
	}
	if err := os.WriteFile(page, []byte(b.html(all, began, ended)), 0o600); err != nil {
		return err
	}
	fmt.Println(page)
	return joined(errors.Join(silent...), s.alerts(ctx, began, ended))
}

// trouble is a load as in the mixed steps, in which a worker dies, people mistake their passwords and something is asked
// for that is not there.
func (s *system) trouble(ctx context.Context) error {
	if err := s.hire(ctx, 2); err != nil {
		return err
	}
	if err := s.stock(int(boardSpan / (3 * time.Second))); err != nil {
		return err
	}
	within, l := s.begin(ctx)
	defer l.Close()
	l.ask(within, 2*atOnce*5/4)
	l.read(within, readersMixed, 20)
	l.feed(within, 3*time.Second)
	if !sleep(ctx, boardSpan/3) {
		return ctx.Err()
	}
	s.workers[1].Kill()
	s.workers = s.workers[:1]
	for range 3 {
		var refused *stage.Refused
		err := s.reader[0].JSON(ctx, http.MethodPost, "/api/v1/auth/login", map[string]string{"email": "personne@exemple.org", "password": "x"}, nil)
		if !errors.As(err, &refused) {
			return fmt.Errorf("a wrong password was taken: %w", err)
		}
	}
	_, _ = fetch(ctx, s.reader[1], "/api/v1/documents/nothing") // an error to be counted
	if !sleep(ctx, boardSpan/3) {
		return ctx.Err()
	}
	if err := s.hire(ctx, 2); err != nil {
		return err
	}
	if !sleep(ctx, boardSpan/3) {
		return ctx.Err()
	}
	return nil
}

var named = regexp.MustCompile(`\bvigueur_[a-z_]+[a-z]\b`)

// alerts asks for each figure that an alert looks at, and each alert as it stands.
func (s *system) alerts(ctx context.Context, from, to time.Time) error {
	text, err := os.ReadFile(filepath.Join(stage.Root(), "deployments", "monitoring", "alerts.yaml"))
	if err != nil {
		return err
	}
	var file struct {
		Groups []struct {
			Rules []struct{ Alert, Expr string }
		}
	}
	if err := yaml.Unmarshal(text, &file); err != nil {
		return err
	}
	var missing []error
	for _, g := range file.Groups {
		for _, r := range g.Rules {
			for _, name := range slices.Compact(slices.Sorted(slices.Values(named.FindAllString(r.Expr, -1)))) {
				if found, err := s.watch.ask(ctx, name, from, to); err != nil || len(found) == 0 {
					missing = append(missing, fmt.Errorf("%s waits for %s, which nothing gave: %w", r.Alert, name, err))
				}
			}
			fires, err := s.watch.ask(ctx, r.Expr, from, to)
			if err != nil {
				missing = append(missing, fmt.Errorf("%s: %w", r.Alert, err))
			}
			if len(fires) > 0 {
				fmt.Printf("%s holds at some moment of the load\n", r.Alert)
			}
		}
	}
	return errors.Join(missing...)
}
