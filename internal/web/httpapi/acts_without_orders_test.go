package httpapi

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/web/httpapi/catalogue"
	"vigueur/internal/web/httpapi/gazettes"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
	"vigueur/internal/work/versions"
)

// TestActsWithoutOrders: what nobody can decide is told once for each act; that an act orders nothing is said once for all
// its passages, remembered when it is read again, exported, and taken back.
func TestActsWithoutOrders(t *testing.T) {
	b := setup(t)
	unclear := newText("Loi n° 2024-03 du 3 mai 2024 modifiant la législation du miel", "2024-05-03")
	unclear.Document.OfficialNumber = "2024-03"
	unclear.Articles[0].Text = "L’article 5 de la législation en vigueur est modifié comme suit :"
	code, change := b.amended(t, unclear)
	runner := &versions.VersionAssembler{DB: b.DB, Log: b.Log}
	read := func() {
		t.Helper()
		_, _, err := runner.Rebuild(t.Context())
		ok(t, err)
	}
	read()
	editor := b.as(t, "editor")
	path := transport.Prefix + "/admin/versions/acts"
	list := func(query string) []gazettes.UndecidedActBody {
		t.Helper()
		return decode[respond.Page[gazettes.UndecidedActBody]](t, b.do(t, "GET", path+query, "", editor...)).Items
	}
	waiting := func() int {
		t.Helper()
		return len(decode[respond.Page[gazettes.WaitingAmendmentBody]](t, b.do(t, "GET", transport.Prefix+"/admin/versions/waiting", "", editor...)).Items)
	}
	undecided := list("")
	if len(undecided) != 1 || undecided[0].Act.ID != unclear.Document.ID || undecided[0].Passages != 1 || !strings.HasPrefix(undecided[0].First, "L’article 5") {
		t.Fatalf("undecided: %+v", undecided)
	}
	equal(t, "decidable", waiting(), 1)

	for _, act := range []uuid.UUID{unclear.Document.ID, change.Document.ID} {
		equal(t, "said", b.do(t, "POST", path+"/"+act.String(), "{}", editor...).status, http.StatusNoContent)
	}
	equal(t, "said of nothing", b.do(t, "POST", path+"/"+uuid.NewString(), "{}", editor...).status, http.StatusNotFound)
	equal(t, "at once", []int{len(list("")), waiting(), len(list("?orders=none"))}, []int{0, 0, 2})
	read()
	equal(t, "read again", []int{len(list("")), waiting(), len(list("?orders=none"))}, []int{0, 0, 2})
	type articles struct {
		Items []catalogue.ArticleWithTextBody
	}
	today := decode[articles](t, b.get(t, transport.Prefix+"/documents/"+code.Document.ID.String()+"/articles?text=true&date=2024-07-01")).Items
	equal(t, "nothing is applied", today[1].Text, "Texte de l’article 2.")

	truth := b.do(t, "GET", transport.Prefix+"/admin/versions/truth", "", editor...)
	lines := strings.Split(strings.TrimSpace(string(truth.body)), "\n")
	if truth.status != http.StatusOK || len(lines) < 3 || !strings.Contains(lines[0], `"order":false`) || !strings.Contains(lines[0], `"features":["`) {
		t.Errorf("truth: %d %q", truth.status, lines)
	}

	equal(t, "taken back", b.do(t, "DELETE", path+"/"+change.Document.ID.String(), "", editor...).status, http.StatusNoContent)
	equal(t, "twice", b.do(t, "DELETE", path+"/"+change.Document.ID.String(), "", editor...).status, http.StatusNotFound)
	read()
	equal(t, "waits again", []int{waiting(), len(list("?orders=none"))}, []int{1, 1})

	items := decode[respond.Page[gazettes.WaitingAmendmentBody]](t, b.do(t, "GET", transport.Prefix+"/admin/versions/waiting", "", editor...)).Items
	equal(t, "mend", b.do(t, "POST", transport.Prefix+"/admin/versions/waiting/"+items[0].ID.String(), `{"decision":"mend","text":"Le miel."}`, editor...).status, http.StatusNoContent)
	equal(t, "an order", strings.Contains(string(b.do(t, "GET", transport.Prefix+"/admin/versions/truth", "", editor...).body), `"order":true`), true)
}
