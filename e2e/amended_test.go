package e2e

import (
	"strings"
	"testing"

	"vigueur/e2e/stage"
)

// amended are questions about what the sample's third gazette changed: the fact
// of the wording before, the fact of the one after, and the day of the change.
var amended = []struct {
	question, before, after string
	article, by             string // of the wording before, and of the text that gives the one after
	last, first             string // days of the one and of the other
}{
	{"Combien de temps peut durer la période d’essai d’un cadre, renouvellement compris ?", "cent vingt jours", "cent jours", "14", "2025-03", "2025-06-30", "2025-07-01"},
	{"Quelle est la durée maximale de l’essai pour un ouvrier ?", "quarante-cinq jours", "trente jours", "14", "2025-03", "2025-06-30", "2025-07-01"},
	{"Quelle est la durée légale du travail par semaine à temps plein ?", "quarante heures", "trente-sept heures", "36", "2025-03", "2025-06-30", "2025-07-01"},
	{"Combien d’heures par an travaille-t-on dans les exploitations agricoles ?", "deux mille cent heures", "mille neuf cent cinquante heures", "36", "2025-03", "2024-01-01", "2026-01-01"},
	{"Quelle est la majoration de salaire des heures supplémentaires ?", "20 %", "25 %", "38", "2025-03", "2025-06-30", "2025-07-01"},
	{"Combien de jours de congé payé acquiert-on par mois de service ?", "deux jours ouvrables par mois", "deux jours ouvrables et demi", "47", "2025-03", "2025-06-30", "2025-07-01"},
	{"À combien de jours de congé par an a droit un salarié de moins de dix-huit ans ?", "dix-huit ans a droit à trente jours", "dix-huit ans a droit à trente-quatre jours", "47", "2025-03", "2023-09-01", "2025-12-31"},
	{"Combien de jours dure le congé de paternité ?", "douze jours", "vingt jours", "52 ter", "2025-03", "2025-06-30", "2025-07-01"},
	{"À combien est fixé le salaire minimum national par heure ?", "6 écus 40", "7 écus 15", "1er", "2025-019", "2025-04-30", "2025-05-01"},
	{"Quelle part du salaire minimum reçoit un apprenti la première année ?", "45 %", "50 %", "3", "2025-019", "2025-04-30", "2025-05-01"},
}

// askAmended asks each question on the last day of the old wording and on the
// first of the new one.
func askAmended(t *testing.T, client *stage.Client) {
	t.Helper()
	for _, q := range amended {
		before := askOn(t, client, q.question, q.last)
		if !strings.Contains(before.Text, q.before) || saysOf(before.Text, q.article, q.after) {
			t.Errorf("%s on %s: %s", q.question, q.last, before.Text)
		}
		// The paragraph that quotes the old words begins with the notice, whichever candidate it is; an answer that
		// is not sure has its own line first, and is warned of for that alone.
		unsure := before.Warning != nil && strings.HasPrefix(*before.Warning, "Il n’est pas sûr")
		if !noticed(before.Text, q.article, q.before) || before.OK == unsure {
			t.Errorf("%s on %s: no notice before the old words, or warned of (%v): %s", q.question, q.last, before.Warning, before.Text)
		}
		told := false
		for _, c := range before.Citations {
			if c.Article == nil || *c.Article != q.article {
				continue
			}
			for _, r := range c.Relations {
				told = told || strings.Contains(r.Title, q.by) && r.Date > q.last && r.Date <= q.first
			}
			told = told && c.Status != ""
		}
		if !told {
			t.Errorf("%s on %s: no citation of article %s says what took its place: %+v", q.question, q.last, q.article, before.Citations)
		}
		after := askOn(t, client, q.question, q.first)
		if !strings.Contains(after.Text, q.after) || saysOf(after.Text, q.article, q.before) || strings.Contains(after.Text, "n’est plus en vigueur") {
			t.Errorf("%s on %s: %s", q.question, q.first, after.Text)
		}
	}
}

// saysOf reports whether the answer says a fact of an article, in the paragraph that quotes it: an answer that is not sure
// quotes others too, and « 20 % » may be in one of these.
func saysOf(answer, article, fact string) bool { return quoting(answer, article, fact) != "" }

// noticed reports whether the paragraph that says a fact of an article begins by saying that it is no longer law.
func noticed(answer, article, fact string) bool {
	return strings.HasPrefix(quoting(answer, article, fact), "Attention, ce qui suit n’est plus en vigueur depuis le ")
}

// quoting returns the answer's paragraph that quotes a fact of an article, "" if there is none.
func quoting(answer, article, fact string) string {
	for paragraph := range strings.SplitSeq(answer, "\n\n") {
		if strings.Contains(paragraph, "article "+article+" ") && strings.Contains(paragraph, fact) {
			return paragraph
		}
	}
	return ""
}

func askOn(t *testing.T, client *stage.Client, question, day string) stage.Answer {
	t.Helper()
	a, err := client.Ask(t.Context(), question, map[string]any{"filters": map[string]any{"date": day}})
	if err != nil || !a.Ended || a.Error != "" {
		t.Fatalf("%s on %s: %v, ended %v, error %q", question, day, err, a.Ended, a.Error)
	}
	return a
}
