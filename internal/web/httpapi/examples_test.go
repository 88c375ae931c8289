package httpapi

import (
	"net/http"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
	"vigueur/internal/web/httpapi/catalogue"
	"vigueur/internal/web/httpapi/public"
	"vigueur/internal/web/httpapi/transport"
)

// Examples are articles in force from the largest domains. Each is the second article of
// the domain's newest text with numbered articles.
func TestExamplesAreOfTheCatalogue(t *testing.T) {
	b := setup(t)
	type examples struct{ Items []catalogue.ExampleBody }
	equal(t, "of an empty catalogue", decode[examples](t, b.get(t, transport.Prefix+"/examples")).Items, []catalogue.ExampleBody{})
	older, newer, bare := newText("Loi sur l’été", "2023-05-02"), newText("Loi sur l’hiver", "2024-05-02"), newText("Loi sur l’automne", "2025-05-02")
	bare.Articles[0].Number, bare.Articles[1].Number = "Annexe", ""
	taxes, waiting := newText("Loi de finances", "2022-05-02"), newText("Loi sur les sels", "2025-06-02")
	taxes.Document.Domain, waiting.Document.Domain = "impots", "impots"
	taxes.Articles, taxes.Passages = taxes.Articles[:1], taxes.Passages[:1]
	waiting.Doubts = []law.Doubt{{Field: "numero_officiel", Reason: "Aucun."}}
	b.addTexts(t, older, newer, bare, taxes, waiting)
	of := func(question string, text postgres.StoredText, i int) catalogue.ExampleBody {
		return catalogue.ExampleBody{Question: question, Domain: text.Document.Domain, Document: text.Document.ID, Title: text.Document.Title, Article: text.Articles[i].ID, Number: text.Articles[i].Number}
	}
	equal(t, "of two domains", decode[examples](t, b.get(t, transport.Prefix+"/examples")).Items,
		[]catalogue.ExampleBody{of("Que dit l’article 2 de la loi sur l’hiver ?", newer, 1), of("Que dit l’article 1er de la loi de finances ?", taxes, 0)})
}

// Where a law answers what citizens ask, its question is an example, one of each subject.
func TestExamplesAreCitizens(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	db, err := postgres.Open(t.Context(), url)
	ok(t, err)
	t.Cleanup(db.Close)
	b := start(t, db, sharedRedis.URL())
	type examples struct{ Items []catalogue.ExampleBody }
	work := newText("Loi sur les contrats", "2023-05-02")
	work.Articles[1].Text = "Le préavis est d’un mois en cas de démission. La période d’essai a une durée de trois mois."
	b.addTexts(t, work)
	shown := func() (got []string) {
		for _, e := range decode[examples](t, b.get(t, transport.Prefix+"/examples?pays=")).Items {
			got = append(got, e.Question+" "+e.Number)
		}
		return got
	}
	want := []string{"Combien de temps dure le préavis quand un salarié démissionne ? " + work.Articles[1].Number}
	equal(t, "of a law", shown(), want)
	pgtest.Exec(t, url, `DELETE FROM search_units`)
	equal(t, "of a catalogue that has not changed", shown(), want)
}

// TestExamplesForGuests: where the catalogue is public; not those about persons that the operator keeps from guests.
func TestExamplesForGuests(t *testing.T) {
	b := setup(t, func(s *Server) {
		few := searches(s, 3)
		few.Name += uuid.NewString()
		s.Public = public.New(true, few)
	})
	salt, named := newText("Loi sur le sel", "2024-05-02"), newText("Décret portant nomination de Madame Kaboré", "2024-05-03")
	named.Document.OfficialNumber = "2024-02"
	salt.Document.EntersInForce, named.Document.EntersInForce = salt.Document.Promulgated, named.Document.Promulgated
	b.addTexts(t, salt, named)
	type examples struct{ Items []catalogue.ExampleBody }
	const path = transport.Prefix + "/examples"
	equal(t, "individuals are hidden", len(decode[examples](t, b.guest(t, path)).Items), 0)
	equal(t, "with an account", len(decode[examples](t, b.get(t, path)).Items), 1)
	equal(t, "a wrong session is none", b.guest(t, path, "Authorization", "Bearer x").status, http.StatusUnauthorized)
	equal(t, "revalidated", b.guest(t, path, "If-None-Match", b.guest(t, path).header.Get("ETag")).status, http.StatusNotModified)
	equal(t, "too many", b.guest(t, path).status, http.StatusTooManyRequests)
}

// TestExamplesAreClosed: where the catalogue is not public, nobody sees any without an account.
func TestExamplesAreClosed(t *testing.T) {
	b := setup(t)
	equal(t, "guest", b.guest(t, transport.Prefix+"/examples").status, http.StatusUnauthorized)
}
