package answering_test

import (
	"strings"
	"testing"

	"vigueur/internal/answer/llm"
	"vigueur/internal/law"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
)

// TestWordsOfALaterDayAreDoubted asks for an article of an edition consolidated as of 2020, on
// days before and after: by its number and by its matter.
func TestWordsOfALaterDayAreDoubted(t *testing.T) {
	t.Parallel()
	d := newResolving(t, map[string]llm.Generator{})
	code := newText("Code des saulniers", law.Code, "2001-11", "2001-05-02", law.Article{Number: "2", Text: "Le saulnier paie une redevance de douze écus par saline."})
	time := on("2020-01-01")
	code.Document.AsOf = &time
	id := postgres.NewID()
	check(t, pgtest.AddFile(t.Context(), d.DB, postgres.Ingestion{ID: id, SHA256: strings.Repeat("0", 64), Filename: "sel.pdf", Size: 1}))
	started, err := d.DB.StartIngestion(t.Context(), id)
	check(t, err)
	check(t, d.DB.SaveSegmentation(t.Context(), id, started.Attempt, postgres.Segmentation{Texts: []postgres.StoredText{code}}))
	check(t, d.index.Update(t.Context()))
	const doubt = "est une version consolidée au 01/01/2020, et l’état du texte au 31/12/2019 n’est pas connu."
	for _, question := range []string{"Que dit l’article 2 du code des saulniers ?", "Quelle redevance paie le saulnier par saline ?"} {
		t.Run(question, func(t *testing.T) {
			previous, first := on("2019-12-31"), time
			m := d.ask(t, postgres.NewTurn{Question: question, Filters: law.Filters{Date: &previous}})
			if len(m.Citations) == 0 || m.Validation.OK || !strings.Contains(*m.Validation.Warning, doubt) {
				t.Errorf("no doubt %q: %+v of: %s", doubt, m.Validation, m.Content)
			}
			if len(m.Citations) > 0 && m.Citations[0].AsOf != "2020-01-01" {
				t.Errorf("the citation says that it is as of %q", m.Citations[0].AsOf)
			}
			if m.Certainty == nil || m.Certainty.Grade != chat.Unsure {
				t.Errorf("certainty %+v, want unsure", m.Certainty)
			}
			m = d.ask(t, postgres.NewTurn{Question: question, Filters: law.Filters{Date: &first}})
			if len(m.Citations) == 0 || !m.Validation.OK {
				t.Errorf("on the day of the edition: %+v of: %s", m.Validation, m.Content)
			}
		})
	}
}
