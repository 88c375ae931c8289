package answering_test

import (
	"strings"
	"testing"

	"vigueur/internal/answer/llm"
	"vigueur/internal/law"
	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
	"vigueur/internal/work/versions"
)

// salterns adds a law about salt, whose article 2 the law n° 2021-08 changes by a word and a new
// sentence from 1 July 2021, and makes the versions.
func (d resolving) salterns(t *testing.T) (base, act postgres.StoredText) {
	t.Helper()
	base = newText("Loi n° 2012-11 du 2 mai 2012 relative aux saulniers", law.Loi, "2012-11", "2012-05-02",
		law.Article{Number: "1er", Text: "Le saulnier récolte le sel à la main."},
		law.Article{Number: "2", Text: "Le saulnier paie une redevance de douze écus par saline."})
	for i := range base.Articles {
		words := base.Articles[i].Text
		base.Articles[i].Spans = []law.Span{{Start: 0, End: len(words), Page: 1, Rect: law.Rect{10, 20, 300, 32}}}
		base.Passages[i].Spans = base.Articles[i].Spans
	}
	act = newText("Loi n° 2021-08 du 4 avril 2021 modifiant la loi n° 2012-11 du 2 mai 2012", law.Loi, "2021-08", "2021-04-04",
		law.Article{Number: "1er", Text: "À l’article 2 de la loi n° 2012-11 du 2 mai 2012, le mot : « douze » est remplacé par le mot : « vingt » et, après le mot : « saline », sont insérés les mots : « et par palludier »."})
	act.Document.EntersInForce = on("2021-07-01")
	act.Relations = []law.Relation{{ID: postgres.NewID(), SourceArticle: act.Articles[0].ID, Kind: law.Amends, TargetType: law.Loi, TargetNumber: "2012-11",
		TargetArticles: []string{"2"}, Effective: on("2021-07-01")}}
	d.addAmended(t, base, act)
	return base, act
}

// addAmended adds texts to the catalogue, each in a file of its own, and makes the versions.
func (d resolving) addAmended(t *testing.T, texts ...postgres.StoredText) {
	t.Helper()
	for i, x := range texts {
		id := postgres.NewID()
		check(t, pgtest.AddFile(t.Context(), d.DB, postgres.Ingestion{ID: id, SHA256: strings.Repeat(string(rune('0'+i)), 64), Filename: "sel.pdf", Size: 1}))
		started, err := d.DB.StartIngestion(t.Context(), id)
		check(t, err)
		check(t, d.DB.SaveSegmentation(t.Context(), id, started.Attempt, postgres.Segmentation{Texts: []postgres.StoredText{x}}))
	}
	_, _, err := (&versions.VersionAssembler{DB: d.DB}).Rebuild(t.Context())
	check(t, err)
	check(t, d.index.Update(t.Context()))
}

// chain adds a law of which the law n° 2018-03 gives article 2 a whole new wording and inserts
// article 2 bis, and of both of which the law n° 2021-08 changes a word from 1 July 2021. related
// says whether relations tell the latter.
func (d resolving) chain(t *testing.T, related bool) (first, second postgres.StoredText) {
	t.Helper()
	const of = " de la loi n° 2012-11 du 2 mai 2012"
	base := newText("Loi n° 2012-11 du 2 mai 2012 relative aux saulniers", law.Loi, "2012-11", "2012-05-02",
		law.Article{Number: "1er", Text: "Le saulnier récolte le sel à la main."}, law.Article{Number: "2", Text: "Le saulnier paie une redevance par saline."})
	wordings := []string{"Le saulnier verse au fermier une dîme de douze boisseaux.", "Le paludier cueille la fleur de sel au râteau."}
	start := on("2018-05-01")
	first = newText("Loi n° 2018-03 du 4 mars 2018 modifiant la loi n° 2012-11 du 2 mai 2012", law.Loi, "2018-03", "2018-03-04",
		law.Article{Number: "1er", Text: "L’article 2" + of + " est remplacé par ce qui suit : « Article 2 : " + wordings[0] + " »"},
		law.Article{Number: "2", Text: "Il est inséré, après l’article 2" + of + ", un article 2 bis ainsi rédigé : « Article 2 bis : " + wordings[1] + " »"},
		law.Article{Number: "2 (nouveau)", Text: wordings[0], ValidFrom: &start}, law.Article{Number: "2 bis (nouveau)", Text: wordings[1], ValidFrom: &start})
	first.Document.EntersInForce = start
	for i, number := range []string{"2", "2 bis"} {
		first.Relations = append(first.Relations, law.Relation{ID: postgres.NewID(), SourceArticle: first.Articles[i].ID, Kind: law.Amends, TargetType: law.Loi,
			TargetNumber: "2012-11", TargetArticles: []string{number}, Effective: start, Adds: i == 1})
		w := &first.Articles[2+i]
		w.Wording = &law.Wording{Within: first.Articles[i].ID, Relation: first.Relations[i].ID, Number: number, Inserted: i == 1}
		w.Spans = []law.Span{{Start: 0, End: len(w.Text), Page: 1, Rect: law.Rect{10, 20, 300, 32}}}
		first.Passages[2+i].Spans = w.Spans
	}
	second = newText("Loi n° 2021-08 du 4 avril 2021 modifiant la loi n° 2012-11 du 2 mai 2012", law.Loi, "2021-08", "2021-04-04",
		law.Article{Number: "1er", Text: "À l’article 2" + of + ", le mot : « douze » est remplacé par le mot : « vingt »."},
		law.Article{Number: "2", Text: "À l’article 2 bis" + of + ", le mot : « râteau » est remplacé par le mot : « tamis »."})
	second.Document.EntersInForce = on("2021-07-01")
	for i, number := range []string{"2", "2 bis"} {
		if !related {
			break
		}
		second.Relations = append(second.Relations, law.Relation{ID: postgres.NewID(), SourceArticle: second.Articles[i].ID, Kind: law.Amends, TargetType: law.Loi,
			TargetNumber: "2012-11", TargetArticles: []string{number}, Effective: second.Document.EntersInForce, Adds: true})
	}
	d.addAmended(t, base, first, second)
	return first, second
}

// TestWordingsThatLaterActsChange asks about articles that an act has printed whole and a later
// act has changed by a word, one of which the text itself does not print: by their numbers, and by
// words that only the first act has.
func TestWordingsThatLaterActsChange(t *testing.T) {
	t.Parallel()
	d := newResolving(t, map[string]llm.Generator{})
	first, second := d.chain(t, true)
	past := on("2021-06-30")
	for _, c := range []struct{ question, before, after, article, by string }{
		{"Que dit l’article 2 de la loi n° 2012-11 ?", "douze boisseaux", "vingt boisseaux", "1er", "tel que remplacé par l’article 1er de la loi n° 2018-03"},
		{"Combien de boisseaux de dîme le saulnier verse-t-il au fermier ?", "douze boisseaux", "vingt boisseaux", "1er", "tel que remplacé par l’article 1er de la loi n° 2018-03"},
		{"Que dit l’article 2 bis de la loi n° 2012-11 ?", "au râteau", "au tamis", "2", "tel qu’inséré par l’article 2 de la loi n° 2018-03"},
		{"Comment le paludier cueille-t-il la fleur de sel ?", "au râteau", "au tamis", "2", "tel qu’inséré par l’article 2 de la loi n° 2018-03"},
	} {
		t.Run(c.question, func(t *testing.T) {
			m := d.ask(t, postgres.NewTurn{Question: c.question})
			for _, words := range []string{c.after, c.by, "modifié par l’article " + c.article + " de la loi n° 2021-08", law.AssembledNotice, "» [1] [2]"} {
				if !strings.Contains(m.Content, words) {
					t.Errorf("the answer has no %q: %s", words, m.Content)
				}
			}
			if strings.Contains(m.Content, c.before) {
				t.Errorf("the answer has words that are no longer law: %s", m.Content)
			}
			if len(m.Citations) < 2 || m.Citations[0].DocumentID != first.Document.ID || m.Citations[1].DocumentID != second.Document.ID {
				t.Fatalf("citations %+v of: %s", m.Citations, m.Content)
			}
			if got := m.Citations[0]; *got.Page != 1 || len(got.Regions) == 0 {
				t.Errorf("the place of the printed words: %+v", got)
			}
			m = d.ask(t, postgres.NewTurn{Question: c.question, Filters: law.Filters{Date: &past}})
			if !strings.Contains(m.Content, c.before) || strings.Contains(m.Content, c.after) || strings.Contains(m.Content, law.AssembledNotice) {
				t.Errorf("the day before: %s", m.Content)
			}
		})
	}
}

// TestTheWordingOfTheDayIsQuoted asks about an article that words of an act have changed: by its
// number, by its matter, and by a word that only the act has.
func TestTheWordingOfTheDayIsQuoted(t *testing.T) {
	t.Parallel()
	d := newResolving(t, map[string]llm.Generator{})
	base, act := d.salterns(t)
	const (
		before = "Le saulnier paie une redevance de douze écus par saline."
		after  = "Le saulnier paie une redevance de vingt écus par saline et par palludier."
	)
	for _, question := range []string{"Que dit l’article 2 de la loi n° 2012-11 ?", "Quelle redevance paie le saulnier par saline ?", "Quelle redevance par palludier ?"} {
		t.Run(question, func(t *testing.T) {
			m := d.ask(t, postgres.NewTurn{Question: question})
			for _, words := range []string{after, "modifié par l’article 1er de la loi n° 2021-08", law.AssembledNotice, "» [1] [2]"} {
				if !strings.Contains(m.Content, words) {
					t.Errorf("the answer has no %q: %s", words, m.Content)
				}
			}
			if !m.Validation.OK {
				t.Errorf("warning %q of: %s", *m.Validation.Warning, m.Content)
			}
			if len(m.Citations) < 2 || m.Citations[0].DocumentID != base.Document.ID || m.Citations[1].DocumentID != act.Document.ID || *m.Citations[1].Article != "1er" {
				t.Fatalf("citations %+v of: %s", m.Citations, m.Content)
			}
			if c := m.Citations[0]; *c.Page != 1 || len(c.Regions) == 0 || strings.ReplaceAll(c.Excerpt, "\n", " ") != after {
				t.Errorf("the place of the printed words: %+v", c)
			}
			if c := m.Citations[1]; !strings.HasPrefix(c.Excerpt, "À l’article 2 de la loi n° 2012-11") {
				t.Errorf("the act is cited by %q", c.Excerpt)
			}
		})
	}
	past := on("2021-06-30")
	for _, question := range []string{"Que dit l’article 2 de la loi n° 2012-11 ?", "Quelle redevance paie le saulnier par saline ?"} {
		m := d.ask(t, postgres.NewTurn{Question: question, Filters: law.Filters{Date: &past}})
		if !strings.Contains(m.Content, before) || strings.Contains(m.Content, "vingt") || strings.Contains(m.Content, law.AssembledNotice) {
			t.Errorf("%q the day before: %s", question, m.Content)
		}
	}
	if m := d.ask(t, postgres.NewTurn{Question: "Que dit l’article 1er de la loi n° 2012-11 ?"}); !strings.Contains(m.Content, "à la main") || strings.Contains(m.Content, "modifié par") || m.State != chat.Done {
		t.Errorf("an article that nothing changes: %s", m.Content)
	}
}

// TestStatusOfAWordingThatALaterActChanges asks whether such articles are law and what changed
// them, where relations tell it and where only the versions do.
func TestStatusOfAWordingThatALaterActChanges(t *testing.T) {
	t.Parallel()
	for name, related := range map[string]bool{"with relations": true, "without": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newResolving(t, map[string]llm.Generator{})
			d.chain(t, related)
			for number, key := range map[string]string{"2": "1er", "2 bis": "2"} {
				m := d.ask(t, postgres.NewTurn{Question: "L’article " + number + " de la loi n° 2012-11 est-il en vigueur ?"})
				for _, words := range []string{"est en vigueur au 1er mars 2026", "article " + key + " de la loi n° 2018-03", "modifié par l’article " + key + " de la loi n° 2021-08", law.AssembledNotice} {
					if !strings.Contains(m.Content, words) {
						t.Errorf("article %s: no %q in: %s", number, words, m.Content)
					}
				}
				if !m.Validation.OK {
					t.Errorf("article %s: warning %q of: %s", number, *m.Validation.Warning, m.Content)
				}
				m = d.ask(t, postgres.NewTurn{Question: "L’article " + number + " de la loi n° 2012-11 a-t-il été modifié ?"})
				if strings.Count(m.Content, "en modifie l’article "+number+" à compter du 1er juillet 2021") != 1 || !strings.Contains(m.Content, "loi n° 2018-03") || !m.Validation.OK {
					t.Errorf("article %s, what changed it: %s (%+v)", number, m.Content, m.Validation)
				}
			}
		})
	}
}

// TestAnArticleThatAnActRepeals asks about articles that an act repeals, one of which another act
// had changed by a word: what is quoted is the last wording, and that it is no longer law. The
// relations between the texts say so too, or nothing.
func TestAnArticleThatAnActRepeals(t *testing.T) {
	t.Parallel()
	for name, related := range map[string]bool{"with relations": true, "without": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newResolving(t, map[string]llm.Generator{})
			const of = " de la loi n° 2012-11 du 2 mai 2012"
			base := newText("Loi n° 2012-11 du 2 mai 2012 relative aux saulniers", law.Loi, "2012-11", "2012-05-02",
				law.Article{Number: "1er", Text: "Le saulnier récolte le sel à la main."}, law.Article{Number: "2", Text: "Le fermier lève une dîme de douze boisseaux."},
				law.Article{Number: "3", Text: "La gabelle se paie à la Saint-Martin."})
			change := newText("Loi n° 2018-03 du 4 mars 2018 modifiant la loi n° 2012-11 du 2 mai 2012", law.Loi, "2018-03", "2018-03-04",
				law.Article{Number: "1er", Text: "À l’article 2" + of + ", le mot : « douze » est remplacé par le mot : « vingt »."})
			repeal := newText("Loi n° 2021-08 du 4 avril 2021 modifiant la loi n° 2012-11 du 2 mai 2012", law.Loi, "2021-08", "2021-04-04",
				law.Article{Number: "1er", Text: "Les articles 2 et 3" + of + " sont abrogés."})
			if related {
				change.Relations = []law.Relation{{ID: postgres.NewID(), SourceArticle: change.Articles[0].ID, Kind: law.Amends, TargetType: law.Loi, TargetNumber: "2012-11",
					TargetArticles: []string{"2"}, Effective: change.Document.EntersInForce, Adds: true}}
				repeal.Relations = []law.Relation{{ID: postgres.NewID(), SourceArticle: repeal.Articles[0].ID, Kind: law.Repeals, TargetType: law.Loi, TargetNumber: "2012-11",
					TargetArticles: []string{"2", "3"}, Effective: repeal.Document.EntersInForce}}
			}
			d.addAmended(t, base, change, repeal)
			past := on("2021-04-03")
			for number, c := range map[string]struct{ question, words string }{
				"2": {"De combien de boisseaux est la dîme du fermier ?", "une dîme de vingt boisseaux"}, "3": {"Quand se paie la gabelle ?", "La gabelle se paie à la Saint-Martin"},
			} {
				byNumber := "Que dit l’article " + number + " de la loi n° 2012-11 ?"
				m := d.ask(t, postgres.NewTurn{Question: byNumber})
				if !strings.Contains(m.Content, c.words) || !strings.Contains(m.Content, "n’est plus en vigueur depuis le 4 avril 2021") {
					t.Errorf("article %s: %s", number, m.Content)
				}
				if m = d.ask(t, postgres.NewTurn{Question: c.question}); strings.Contains(m.Content, c.words) {
					t.Errorf("%s of repealed law: %s", c.question, m.Content)
				}
				for _, question := range []string{byNumber, c.question} {
					if m = d.ask(t, postgres.NewTurn{Question: question, Filters: law.Filters{Date: &past}}); !strings.Contains(m.Content, c.words) {
						t.Errorf("%s the day before: %s", question, m.Content)
					}
				}
			}
		})
	}
}
