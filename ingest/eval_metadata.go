package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"vigueur/internal/law"
	"vigueur/internal/segment"
)

func (a *app) evalMetadataCommand() *cobra.Command {
	s := sight{app: a}
	c := &cobra.Command{
		Use: "metadata DOSSIER", Short: "Compare nature, numéro et date des textes à ceux d’un manifeste",
		Args: takes(1, 1, "le dossier du manifeste"),
		Long: "Lit « manifest.csv » dans DOSSIER (colonnes file, doc_type, number, promulgation_date). Chaque donnée est\n" +
			"juste, en revue (le texte attend une personne) ou fausse. D’un journal officiel, ce sont le numéro et la\n" +
			"date de l’édition ; d’un fichier où plusieurs textes sont trouvés, ceux du texte le plus proche.",
		RunE: func(c *cobra.Command, args []string) error { return a.evalMetadata(c.Context(), &s, args[0]) },
	}
	s.flags(c)
	return c
}

// gazetteType is what a manifest calls an issue of a gazette.
const gazetteType = "journal_officiel"

// fileTruth is a line of the manifest.
type fileTruth struct{ file, kind, number, date string }

// What came of a datum.
const (
	right    = "juste"
	inReview = "revue"
	wrong    = "faux"
	unknown  = "–" // the manifest does not tell it
)

// metadataScore is what came of one file.
type metadataScore struct {
	File    string   `json:"file"`
	Texts   int      `json:"texts"`
	Type    string   `json:"type"`
	Number  string   `json:"number"`
	Date    string   `json:"date"`
	Review  bool     `json:"in_review"`
	Doubts  []string `json:"doubts"`
	Remarks []string `json:"remarks"` // what is printed otherwise than the manifest has it
}

func (a *app) evalMetadata(ctx context.Context, s *sight, dir string) error {
	truths, err := fileTruths(filepath.Join(dir, "manifest.csv"))
	if err != nil {
		return err
	}
	var scores []metadataScore
	for _, t := range truths {
		issue, _, err := s.issue(ctx, filepath.Join(dir, t.file))
		if err != nil {
			return err
		}
		scores = append(scores, t.score(issue))
	}
	return a.tellMetadata(scores)
}

// fileTruths reads the lines of a manifest.
func fileTruths(path string) ([]fileTruth, error) {
	rows, err := manifest(path, "file", "doc_type", "number", "promulgation_date")
	if err != nil {
		return nil, err
	}
	out, files := make([]fileTruth, len(rows)), make([]string, len(rows))
	for i, r := range rows {
		out[i], files[i] = fileTruth{r[0], r[1], r[2], r[3]}, r[0]
	}
	return out, there(filepath.Dir(path), files)
}

// score judges what was read of a file.
func (t fileTruth) score(issue segment.Issue) metadataScore {
	out := metadataScore{File: t.file, Texts: len(issue.Texts), Doubts: []string{}, Remarks: []string{}}
	if t.kind == gazetteType {
		t.gazette(&out, issue)
		return out
	}
	best := metadataScore{}
	for i, x := range issue.Texts {
		if s := t.text(out, x); i == 0 || s.rank() > best.rank() {
			best = s
		}
	}
	return best
}

// rank orders the texts of a file by how near they are to the one meant.
func (s metadataScore) rank() int {
	n := 0
	for _, what := range []string{s.Type, s.Number, s.Date} {
		if what == right {
			n++
		}
	}
	return n
}

func (t fileTruth) gazette(out *metadataScore, issue segment.Issue) {
	out.Type, out.Number, out.Date = wrong, wrong, wrong
	if issue.Number != "" {
		out.Type = right
	}
	if slices.Contains(strings.FieldsFunc(t.number, notFigure), issue.Number) {
		out.Number = right
	}
	if issue.Date != nil && isoDay(*issue.Date) == t.date {
		out.Date = right
	}
	for _, x := range issue.Texts {
		out.Review = out.Review || len(x.Doubts) > 0
	}
}

func notFigure(r rune) bool { return r < '0' || r > '9' }

func (t fileTruth) text(out metadataScore, x segment.Text) metadataScore {
	out.Review = len(x.Doubts) > 0
	for _, d := range x.Doubts {
		out.Doubts = append(out.Doubts, d.Field)
	}
	judge := func(field, want, got string, same bool) string {
		switch {
		case want == "" && !out.Review:
			return wrong // known to no one, and yet told without a doubt
		case want == "":
			return unknown
		case same:
			return right
		}
		out.Remarks = append(out.Remarks, fmt.Sprintf("%s « %s », et non « %s »", field, got, want))
		if out.Review {
			return inReview
		}
		return wrong
	}
	d := x.Document
	out.Type = judge("nature", t.kind, string(d.Type), t.kind == string(d.Type))
	out.Number = judge("numéro", t.number, d.OfficialNumber, sameNumber(t.number, d.OfficialNumber))
	out.Date = judge("date", t.date, isoDay(d.Promulgated), t.date == isoDay(d.Promulgated))
	return out
}

// sameNumber compares official numbers without regard to how their parts are
// joined: « 90/054 » is « 90-54 ».
func sameNumber(a, b string) bool {
	parts := func(s string) []string {
		fields := strings.FieldsFunc(law.TextNumber(s), func(r rune) bool { return strings.ContainsRune("-/._", r) })
		for i, f := range fields {
			fields[i] = strings.TrimLeft(f, "0")
		}
		return fields
	}
	return slices.Equal(parts(a), parts(b))
}

func (a *app) tellMetadata(scores []metadataScore) error {
	review, wrongs, rights, data := 0, 0, 0, 0
	for _, s := range scores {
		if s.Review {
			review++
		}
		for _, what := range []string{s.Type, s.Number, s.Date} {
			switch what {
			case right:
				rights++
			case wrong:
				wrongs++
			}
			if what != unknown {
				data++
			}
		}
	}
	share := float64(review) / float64(max(1, len(scores)))
	if a.json {
		return writeJSON(a.out, map[string]any{"files": scores, "data": data, "right": rights, "wrong_unreviewed": wrongs, "in_review": review, "review_share": share})
	}
	t := table{head: []string{"FICHIER", "TEXTES", "NATURE", "NUMÉRO", "DATE", "DOUTES"}}
	for _, s := range scores {
		t.add(s.File, s.Texts, s.Type, s.Number, s.Date, strings.Join(s.Doubts, ", "))
	}
	if err := t.write(a.out, "Aucun fichier."); err != nil {
		return err
	}
	for _, s := range scores {
		a.details(s.File, "lu", s.Remarks)
	}
	_, err := fmt.Fprintf(a.out, "En tout : %d données justes sur %d, %d fausses sans revue, %d fichiers sur %d en revue (%.0f %%).\n",
		rights, data, wrongs, review, len(scores), 100*share)
	return err
}
