package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"vigueur/internal/errs"
	"vigueur/internal/law"
	"vigueur/internal/segment"
)

func (a *app) evalGazetteCommand() *cobra.Command {
	s := sight{app: a}
	c := &cobra.Command{
		Use: "gazette DOSSIER", Short: "Compare les textes tirés de numéros de gazettes à ceux qu’ils contiennent",
		Args: takes(1, 1, "le dossier des gazettes"),
		Long: "Lit « groundtruth.json » dans DOSSIER : pour chaque fichier, les textes du numéro avec leur nature, leur\n" +
			"numéro, leur date et, s’il est connu, le nombre de leurs articles. Un texte est juste quand sa nature, son\n" +
			"numéro et sa date le sont ; un texte tiré du fichier que la vérité ne connaît pas est inventé.",
		RunE: func(c *cobra.Command, args []string) error { return a.evalGazette(c.Context(), &s, args[0]) },
	}
	s.flags(c)
	return c
}

// gazetteTruth is what a person noted of one issue.
type gazetteTruth struct {
	Date  string      `json:"date"`
	Texts []textTruth `json:"texts"`
}

type textTruth struct {
	Type     string `json:"type"`
	Number   string `json:"number"`
	Date     string `json:"date"`
	Title    string `json:"title"`
	Articles int    `json:"articles"`
}

func (t textTruth) String() string { return t.Type + " " + t.Number }

// gazetteScore is what came of one issue.
type gazetteScore struct {
	File     string   `json:"file"`
	Texts    int      `json:"texts"`
	Right    int      `json:"right"`
	Dated    bool     `json:"issue_date_right"`
	Missing  []string `json:"missing"`
	Invented []string `json:"invented"`
	Wrong    []string `json:"wrong"` // « decret 2020-01 : date 2019-01-02, et non 2020-01-02 »
}

func (a *app) evalGazette(ctx context.Context, s *sight, dir string) error {
	truths, err := gazetteTruths(filepath.Join(dir, "groundtruth.json"))
	if err != nil {
		return err
	}
	var scores []gazetteScore
	for _, file := range sortedKeys(truths) {
		issue, _, err := s.issue(ctx, filepath.Join(dir, file))
		if err != nil {
			return err
		}
		scores = append(scores, scoreGazette(file, truths[file], issue))
	}
	return a.tellGazettes(scores)
}

// gazetteTruths reads the truths of issues; other entries of the file are passed
// over.
func gazetteTruths(path string) (map[string]gazetteTruth, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, errs.Wrap(errs.Invalid, "La vérité « "+path+" » ne peut pas être lue.", err)
	}
	var entries map[string]json.RawMessage
	if err := json.Unmarshal(raw, &entries); err != nil {
		return nil, errs.Wrap(errs.Invalid, "La vérité « "+path+" » n’est pas du JSON.", err)
	}
	out := map[string]gazetteTruth{}
	for file, entry := range entries {
		var t gazetteTruth
		if json.Unmarshal(entry, &t) == nil && len(t.Texts) > 0 {
			out[file] = t
		}
	}
	if len(out) == 0 {
		return nil, errs.Newf(errs.Invalid, "La vérité « %s » ne décrit aucun numéro.", path)
	}
	return out, nil
}

// scoreGazette holds the texts of an issue against its truth, each text of either
// against one of the other at most.
func scoreGazette(file string, truth gazetteTruth, issue segment.Issue) gazetteScore {
	score := gazetteScore{File: file, Texts: len(truth.Texts), Missing: []string{}, Invented: []string{}, Wrong: []string{},
		Dated: truth.Date == "" || issue.Date != nil && isoDay(*issue.Date) == truth.Date}
	left := slices.Clone(issue.Texts)
	for _, t := range truth.Texts {
		i := slices.IndexFunc(left, t.is)
		if i < 0 {
			score.Missing = append(score.Missing, t.String())
			continue
		}
		if faults := t.faults(left[i]); len(faults) > 0 {
			score.Wrong = append(score.Wrong, t.String()+" : "+strings.Join(faults, ", "))
		} else {
			score.Right++
		}
		left = slices.Delete(left, i, i+1)
	}
	for _, x := range left {
		score.Invented = append(score.Invented, cut(string(x.Document.Type)+" "+x.Document.OfficialNumber+" « "+x.Document.Title+" »", 120))
	}
	return score
}

// is tells whether a text that was cut is the one meant.
func (t textTruth) is(x segment.Text) bool {
	return sameType(t.Type, x.Document.Type) && law.TextNumber(t.Number) == x.Document.OfficialNumber
}

// sameType allows a law that makes a code or a constitution to be called one.
func sameType(want string, got law.DocType) bool {
	return want == string(got) || want == string(law.Loi) && (got == law.Code || got == law.Constitution)
}

func (t textTruth) faults(x segment.Text) []string {
	var out []string
	if got := isoDay(x.Document.Promulgated); got != t.Date {
		out = append(out, "date "+got+", et non "+t.Date)
	}
	if n := numberedArticles(x); t.Articles > 0 && n != t.Articles {
		out = append(out, fmt.Sprintf("%d articles, et non %d", n, t.Articles))
	}
	if len(x.Doubts) > 0 {
		out = append(out, "en revue ("+strings.Join(doubtful(x.Doubts), ", ")+")")
	}
	return out
}

// numberedArticles counts a text's articles, annexes left out.
func numberedArticles(x segment.Text) int {
	n := 0
	for _, a := range x.Articles {
		if a.Number != "" && !strings.HasPrefix(a.Number, "Annexe") {
			n++
		}
	}
	return n
}

func (a *app) tellGazettes(scores []gazetteScore) error {
	texts, right, invented := 0, 0, 0
	for _, s := range scores {
		texts, right, invented = texts+s.Texts, right+s.Right, invented+len(s.Invented)
	}
	if a.json {
		return writeJSON(a.out, map[string]any{"files": scores, "texts": texts, "right": right, "invented": invented})
	}
	t := table{head: []string{"FICHIER", "TEXTES", "JUSTES", "MANQUANTS", "INVENTÉS", "FAUX", "DATE DU NUMÉRO"}}
	for _, s := range scores {
		t.add(s.File, s.Texts, s.Right, len(s.Missing), len(s.Invented), len(s.Wrong), yesNo(s.Dated))
	}
	if err := t.write(a.out, "Aucun numéro."); err != nil {
		return err
	}
	for _, s := range scores {
		a.details(s.File, "manque", s.Missing)
		a.details(s.File, "inventé", s.Invented)
		a.details(s.File, "faux", s.Wrong)
	}
	_, err := fmt.Fprintf(a.out, "En tout : %d textes justes sur %d, %d inventés.\n", right, texts, invented)
	return err
}

// details prints one line for each remark on a file.
func (a *app) details(file, what string, remarks []string) {
	for _, r := range remarks {
		fmt.Fprintf(a.out, "  %s : %s : %s\n", cleanLine(file), what, cleanLine(r))
	}
}

func yesNo(b bool) string {
	if b {
		return "juste"
	}
	return "fausse"
}
