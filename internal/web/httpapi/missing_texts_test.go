package httpapi

import (
	"net/http"
	"strings"
	"testing"

	"vigueur/internal/web/httpapi/gazettes"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
	"vigueur/internal/work/versions"
)

// TestMissingTexts: what waits for a text that is not here is told once for each text, not as decisions that nobody can take.
func TestMissingTexts(t *testing.T) {
	b := setup(t)
	one, other := newText("Loi n° 2024-03 du 3 mai 2024 relative au miel", "2024-05-03"), newText("Loi n° 2024-04 du 4 mai 2024 relative au sucre", "2024-05-04")
	one.Document.OfficialNumber, other.Document.OfficialNumber = "2024-03", "2024-04"
	one.Articles[0].Text = "Les articles 5 et 6 de la loi n° 65-60 du 21 juillet 1965 sont abrogés."
	one.Articles[1].Text = "Le décret du 2 mai 1946 est abrogé."
	other.Articles[0].Text = "L’article 7 de la loi n° 65-60 du 21 juillet 1965 portant Code pénal est abrogé."
	b.addTexts(t, one, other)
	_, _, err := (&versions.VersionAssembler{DB: b.DB, Log: b.Log}).Rebuild(t.Context())
	ok(t, err)
	editor := b.as(t, "editor")
	path := transport.Prefix + "/admin/versions/missing"
	got := decode[gazettes.MissingTextsBody](t, b.do(t, "GET", path, "", editor...))
	if len(got.Items) != 2 || got.Total != 2 {
		t.Fatalf("missing: %+v", got)
	}
	code, decree := got.Items[0], got.Items[1]
	equal(t, "the code", []any{code.Named, code.Articles, code.Changes, code.Repealed, code.Act.ID}, []any{"loi n° 65-60 du 21 juillet 1965 portant Code pénal", 3, 3, false, other.Document.ID})
	equal(t, "the decree", []any{decree.Articles, decree.Changes, decree.Repealed, decree.Act.ID}, []any{0, 1, true, one.Document.ID})
	equal(t, "nothing to decide", len(decode[respond.Page[gazettes.WaitingAmendmentBody]](t, b.do(t, "GET", transport.Prefix+"/admin/versions/waiting", "", editor...)).Items), 0)
	file := b.do(t, "GET", path+"?format=csv", "", editor...)
	lines := strings.Split(strings.TrimSpace(string(file.body)), "\n")
	if file.status != http.StatusOK || len(lines) != 3 || !strings.HasPrefix(lines[1], "loi n° 65-60 du 21 juillet 1965 portant Code pénal;") {
		t.Errorf("as CSV: %d %q", file.status, lines)
	}
	equal(t, "reader", b.do(t, "GET", path, "", b.as(t, "user")...).status, http.StatusForbidden)
}
