package main

import (
	"context"
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"vigueur/internal/kit/terminal"
	"vigueur/internal/web/httpapi/gazettes"
	"vigueur/internal/work/ingestion"
)

// recut makes the request of a command, which queues a file to be cut again, and follows the file. A request with a kind
// is an edit.
func (a *app) recut(ctx context.Context, in *input) error {
	return a.withAdding(ctx, in, func(r *adding) error {
		row, err := r.server.file(ctx, in.args[0])
		if err != nil {
			return err
		}
		fields, err := a.fieldsOf(ctx, r.server, in)
		if err == nil && in.Body["kind"] != nil {
			err = a.linesOf(ctx, r.server, in, row, fields)
		}
		if err != nil {
			return err
		}
		made, err := a.request(ctx, r.server, in, in.args, fields)
		if err != nil {
			return err
		}
		if row, err = r.server.file(ctx, row.ID.String()); err != nil {
			return err
		}
		f := &added{File: terminal.Line(row.Filename), SHA256: row.SHA256, Known: true, Documents: []gazettes.IngestedBody{}}
		r.files = append(r.files, f)
		r.take(f, row)
		f.base = f.PagesDone
		if in.Said == "" {
			made.raw = nil // no edit
		} else if err := a.say("%s", told(in.Said, made)); err != nil {
			return err
		}
		if a.json {
			return r.mended(ctx, made.raw)
		}
		return r.await(ctx)
	})
}

// mended follows the file and prints it, with the edit, as one JSON value.
func (r *adding) mended(ctx context.Context, edit json.RawMessage) error {
	if !r.noWait {
		if err := r.follow(ctx); err != nil {
			return r.interrupted(ctx, err)
		}
	}
	if err := writeJSON(r.out, map[string]any{"edit": edit, "file": r.files[0]}); err != nil {
		return err
	}
	if r.files[0].failed() {
		return quiet{exitFailed}
	}
	return nil
}

// linesOf adds to the fields of an edit the lines that options name, and the words of the standard input.
func (a *app) linesOf(ctx context.Context, s *server, in *input, row gazettes.IngestionBody, fields map[string]any) (err error) {
	if in.Flags["text-stdin"] != nil && in.has("text-stdin") {
		text, err := io.ReadAll(io.LimitReader(a.in, 4*ingestion.ArticleLimit+1))
		if err != nil {
			return err
		}
		fields["text"] = string(text)
	}
	page := in.number("page")
	if fields["line"], err = s.line(ctx, row, "--line", page, in.number("line")); err != nil {
		return err
	}
	if in.Flags["through"] != nil && in.number("through") != 0 {
		if fields["through"], err = s.line(ctx, row, "--through", page, in.number("through")); err != nil {
			return err
		}
	}
	if in.Flags["after"] == nil {
		return nil
	}
	after := in.text("after")
	if (fields["to"] == ingestion.ToAfter) != (after != "") {
		return usage("--to after et --after PAGE:LIGNE vont ensemble.")
	}
	if after == "" {
		return nil
	}
	before, behind, _ := strings.Cut(after, ":")
	page, err1 := strconv.Atoi(before)
	n, err2 := strconv.Atoi(behind)
	if err1 != nil || err2 != nil {
		return usage("--after s’écrit PAGE:LIGNE, par exemple 2:40.")
	}
	fields["after"], err = s.line(ctx, row, "--after", page, n)
	return err
}

// line returns the n-th line of a page as the API identifies it: by its place and words.
func (s *server) line(ctx context.Context, row gazettes.IngestionBody, option string, page, n int) (of gazettes.EditLineBody, err error) {
	p, err := s.pageLines(ctx, row, page)
	if err != nil {
		return of, err
	}
	if n < 1 || n > len(p.Lines) {
		return of, usage("%s : la page %d a les lignes 1 à %d. « ingest gazette lines %s --page %d » les montre.", option, page, len(p.Lines), row.ID, page)
	}
	l := p.Lines[n-1]
	return gazettes.EditLineBody{Page: page, Rect: l.Rect, Text: l.Text}, nil
}
