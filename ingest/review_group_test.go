package main

import (
	"strings"
	"testing"

	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/gazettes"
)

// proposed sets the doubt of a waiting text to one about a date that was read.
func (d *desk) doubted(t *testing.T, id, fields string) {
	t.Helper()
	var doubts []string
	for f := range strings.SplitSeq(fields, "+") {
		doubts = append(doubts, `{"field": "`+f+`", "reason": "À confirmer.", "confidence": 0.4, "words": "Fait à Ici, le 12 mars 2023", "page": 3}`)
	}
	d.sql(t, "UPDATE documents SET doubts = '["+strings.Join(doubts, ",")+"]' WHERE id = '"+id+"'")
}

func TestReviewsAreGrouped(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ingests(t)
	d.run(t, "review", "list", "--groups").want(t, exitDone, "Aucun texte n’attend en revue.")
	lacking, dated, titled := d.waiting(t, "a.pdf"), d.waiting(t, "b.pdf"), d.waiting(t, "c.pdf")
	d.doubted(t, dated, "date_promulgation")
	d.doubted(t, titled, "title+date_promulgation")
	d.run(t, "review", "list", "--groups").want(t, exitDone, "date_promulgation        2", "date_promulgation+title  1", "--all-with date_promulgation")
	groups := items[gazettes.GroupBody](t, d.run(t, "review", "list", "--groups", "--json"))
	if len(groups) != 2 || groups[0] != (gazettes.GroupBody{Fields: "date_promulgation", Texts: 2, Files: 2, Lacking: 1}) || groups[1] != (gazettes.GroupBody{Fields: "date_promulgation+title", Texts: 1, Files: 1}) {
		t.Errorf("groups %+v", groups)
	}
	d.run(t, "review", "list").want(t, exitDone, "3 textes. Voir", "p. 3, « Fait à Ici, le 12 mars 2023 »")
	for args, want := range map[string]string{
		"--with date_promulgation": lacking + dated + titled, "--with title": titled, "--only date": lacking + dated, "--only title,date": titled,
		"--only numero": "", "--file B.P": dated, "--file %": "",
	} {
		t.Run(args, func(t *testing.T) {
			var got string
			for _, r := range items[gazettes.WaitingBody](t, d.run(t, append([]string{"review", "list", "--json"}, strings.Fields(args)...)...)) {
				got += r.Review.ID.String()
			}
			if got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
	d.run(t, "review", "list", "--groups", "--only", "date").want(t, exitUsage, "--groups ne va pas")
}

func TestReviewAcceptsAGroup(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.ingests(t)
	lacking, one, two, other := d.waiting(t, "a.pdf"), d.waiting(t, "b.pdf"), d.waiting(t, "c.pdf"), d.waiting(t, "d.pdf")
	for _, id := range []string{one, two} {
		d.doubted(t, id, "date_promulgation")
	}
	d.doubted(t, other, "title+date_promulgation")
	for _, bad := range []string{"", "--yes " + one, "--file b " + one, "--all-with date " + one, "--all-with date --set title=X", "--all-with date --set couleur=bleu"} {
		t.Run(bad, func(t *testing.T) {
			d.run(t, append([]string{"review", "accept"}, strings.Fields(bad)...)...).want(t, exitUsage)
		})
	}
	r := d.run(t, "review", "accept", "--all-with", "date", "--dry-run")
	r.want(t, exitDone, one, two, "une donnée manque encore à 1 texte", "Rien n’est accepté")
	if strings.Contains(r.out, lacking) || strings.Contains(r.out, other) {
		t.Errorf("the preview shows what would not be accepted:\n%s", r.out)
	}
	d.run(t, "review", "accept", "--all-with", "date").want(t, exitUsage, "Rien n’est accepté : ce n’a pas été confirmé")
	d.run(t, "documents").want(t, exitDone, "Aucun texte.")
	d.run(t, "review", "accept", "--all-with", "date", "--file", "b.pdf", "--yes").want(t, exitDone, "Au catalogue : 1 texte.")
	d.run(t, "review", "accept", "--all-with", "date", "--set", "date=2023-03-10", "--yes", "--json").want(t, exitDone, `"group": "date_promulgation"`, lacking, two, `"left": []`)
	if list := items[gazettes.WaitingBody](t, d.run(t, "review", "list", "--json")); len(list) != 1 || list[0].Review.ID.String() != other {
		t.Errorf("%d texts wait", len(list))
	}
	d.run(t, "review", "accept", "--all-with", "date", "--yes").want(t, exitDone, "Aucun texte ne peut être accepté avec : date_promulgation.")
	log, _, err := d.db(t).Audit(t.Context(), postgres.AuditQuery{Action: postgres.TextAccepted, Limit: 10})
	if err != nil || len(log) != 3 || !strings.Contains(string(log[0].Details), `"group": "date_promulgation"`) {
		t.Errorf("log %+v, error %v", log, err)
	}
}
