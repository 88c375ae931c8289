package main

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strings"

	"golang.org/x/term"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/terminal"
	"vigueur/internal/law/export"
)

// export runs « export ».
func (a *app) export(ctx context.Context, in *input) error {
	format := in.text("format")
	if a.json {
		if in.flags.Changed("format") && format != "json" {
			return usage("--json écrit du JSON : --format ne peut pas valoir « %s » avec lui.", terminal.Line(format))
		}
		format = "json"
	}
	f, ok := export.ByName(format)
	if !ok {
		var names []string
		for _, f := range export.Formats() {
			names = append(names, f.Name)
		}
		return usage("--format ne peut pas valoir « %s » : %s.", terminal.Line(format), strings.Join(names, ", "))
	}
	return a.withServer(ctx, func(s *server) error { return a.exportText(ctx, s, in.args[0], in.text("date"), f, in.text("output")) })
}

// exportText writes a text in a format to a file, or to the standard output.
func (a *app) exportText(ctx context.Context, s *server, word, date string, f export.Format, output string) error {
	id, err := s.find(ctx, texts, word)
	if err != nil {
		return err
	}
	if output == "" {
		if screen, ok := a.out.(*os.File); ok && f.Binary && term.IsTerminal(int(screen.Fd())) {
			return usage("Un fichier %s ne se lit pas dans un terminal : donnez -o FICHIER.", f.Name)
		}
	}
	query := url.Values{"format": {f.Name}}
	if date != "" {
		query.Set("date", date)
	}
	text, err := s.Bytes(ctx, "/documents/"+id.String()+"/export", query)
	if err != nil {
		return texts.orAbsent(err, id)
	}
	if output == "" {
		_, err := a.out.Write(text)
		return err
	}
	if err := os.WriteFile(output, text, 0o644); err != nil {
		return errs.Wrap(errs.Forbidden, "Le fichier « "+terminal.Line(output)+" » ne peut pas être écrit.", err)
	}
	fmt.Fprintf(a.err, "Écrit : %s (%s).\n", terminal.Line(output), terminal.Bytes(int64(len(text)))) // the standard output has only texts
	return nil
}
