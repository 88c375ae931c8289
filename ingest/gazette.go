package main

import (
	"context"
	"fmt"
	"net/http"

	"vigueur/internal/gazette"
	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/terminal"
	"vigueur/internal/web/httpapi/gazettes"
)

// labelNames are the French names of the labels of lines.
var labelNames = map[string]string{gazette.LabelHead: "titre", gazette.LabelPreamble: "visas", gazette.LabelArticle: "article",
	gazette.LabelSection: "intertitre", gazette.LabelSignature: "signature", gazette.LabelAnnex: "annexe", gazette.LabelLoose: "hors texte"}

// gazetteLines runs « gazette lines ». The number of each line, from 1, identifies it in commands.
func (a *app) gazetteLines(ctx context.Context, in *input) error {
	return a.withServer(ctx, func(s *server) error {
		row, err := s.file(ctx, in.args[0])
		if err != nil {
			return err
		}
		p, err := s.pageLines(ctx, row, in.number("page"))
		switch {
		case err != nil:
			return err
		case a.json:
			return writeJSON(a.out, p)
		}
		t := terminal.Table{Head: []string{"LIGNE", "TEXTE N°", "EST", "ARTICLE", "MOTS"}}
		for i, l := range p.Lines {
			text := ""
			if l.TextIndex != nil {
				text = fmt.Sprint(*l.TextIndex + 1)
			}
			t.Add(i+1, text, labelNames[l.Label], value(l.Article), terminal.Cut(l.Text, 90))
		}
		return t.Write(a.out, "Aucune ligne sur cette page.")
	})
}

// pageLines reads the lines of a page of a file.
func (s *server) pageLines(ctx context.Context, row gazettes.IngestionBody, page int) (lines gazettes.LinesBody, err error) {
	if page < 1 {
		return lines, usage("--page manque, ou n’est pas un nombre à partir de 1.")
	}
	err = s.Call(ctx, http.MethodGet, fmt.Sprintf("/admin/ingestions/%s/pages/%d/lines", row.ID, page), nil, nil, &lines)
	switch {
	case !errs.Is(err, errs.NotFound):
		return lines, err
	case row.PagesTotal > 0 && page > row.PagesTotal:
		return lines, errs.Newf(errs.NotFound, "Ce fichier n’a pas de page %d : il en a %d.", page, row.PagesTotal)
	}
	return lines, errs.Newf(errs.NotFound, "Les lignes de la page %d ne sont pas connues : elle n’a pas été lue, ou le fichier n’a pas été découpé depuis qu’elles sont gardées (ingest gazette recut %s).", page, row.ID)
}
