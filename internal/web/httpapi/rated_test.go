package httpapi

import (
	"net/http"
	"strings"
	"testing"

	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/transport"
)

func TestRatedQuestionsAreExportedWithoutNames(t *testing.T) {
	b := setup(t)
	admin := b.as(t, "admin")
	_, answer := b.answered(t, "Mon patron Ousmane Fall peut-il me renvoyer ?", "Non [1].")
	equal(t, "rated", b.do(t, "POST", messagesPath(answer)+"/feedback", `{"rating":"down"}`).status, http.StatusNoContent)
	r := b.do(t, "GET", transport.Prefix+"/admin/rated", "", admin...)
	equal(t, "status", r.status, http.StatusOK)
	if body := string(r.body); !strings.Contains(body, "Mon patron [nom] peut-il me renvoyer ?") || strings.Contains(body, "Ousmane") {
		t.Errorf("%s", body)
	}
	for _, query := range []string{"?rating=up", "?from=2999-01-01"} {
		if body := string(b.do(t, "GET", transport.Prefix+"/admin/rated"+query, "", admin...).body); !strings.Contains(body, `"items":[]`) {
			t.Errorf("%s: %s", query, body)
		}
	}
	equal(t, "faults", found(t, b.do(t, "GET", transport.Prefix+"/admin/rated?rating=x&from=hier", "", admin...)), []string{"enum query.rating", "date_from_datetime_parsing query.from"})
	lines, _, err := b.DB.Audit(t.Context(), postgres.AuditQuery{Action: postgres.FeedbackExported, Limit: 10})
	ok(t, err)
	equal(t, "lines of the log", len(lines), 3)
}

func TestIndexesAreMadeAgain(t *testing.T) {
	b := setup(t)
	admin := b.as(t, "admin")
	b.answered(t, "Combien ?", "Dix [1].")
	r := b.do(t, "POST", transport.Prefix+"/admin/reindex", `{"passages":true,"titles":true}`, admin...)
	equal(t, "status", r.status, http.StatusAccepted)
	equal(t, "fields", keys(t, r.body), set("texts", "passages", "titles"))
	equal(t, "faults", found(t, b.do(t, "POST", transport.Prefix+"/admin/reindex", `{"passages":1}`, admin...)), []string{"bool_type body.passages", "missing body.titles"})
}
