package httpapi

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/gazettes"
	"vigueur/internal/web/httpapi/transport"
)

// waiting is a text in review with a doubt about a field.
func waiting(title, field string) postgres.StoredText {
	text := newText(title, "2024-01-01")
	text.Doubts = []law.Doubt{{Field: field, Reason: "Illisible."}}
	return text
}

type waitingPage struct {
	Items  []gazettes.WaitingBody
	Total  int
	Doubts []postgres.Count
	Groups []gazettes.GroupBody
}

func TestAllReviewsOnPages(t *testing.T) {
	b := setup(t)
	editor := b.as(t, "editor")
	first, second := b.addFile(t, "a1"), b.addFile(t, "b2")
	b.endFile(t, first, "review", "", waiting("Loi A", "title"), waiting("Loi B", "numero_officiel"), newText("Loi sûre", "2024-01-01"))
	b.endFile(t, second, "review", "", waiting("Loi C", "title"))
	for query, want := range map[string]string{"": "a1/Loi A a1/Loi B b2/Loi C", "?page_size=2": "a1/Loi A a1/Loi B", "?page_size=2&page=2": "b2/Loi C",
		"?doubt=title": "a1/Loi A b2/Loi C", "?group=title&file=A1": "a1/Loi A", "?group=title%2Bdomaine": "", "?doubt=rien": "", "?page=99999999999999999999": ""} {
		body := decode[waitingPage](t, b.do(t, "GET", transport.Prefix+"/admin/reviews"+query, "", editor...))
		var names []string
		for _, item := range body.Items {
			names = append(names, strings.TrimSuffix(item.Filename, ".pdf")+"/"+item.Review.Title)
		}
		equal(t, query, strings.Join(names, " "), want)
		equal(t, "doubts of "+query, body.Doubts, []postgres.Count{{Value: "title", N: 2}, {Value: "numero_officiel", N: 1}})
		equal(t, "groups of "+query, body.Groups, []gazettes.GroupBody{{Fields: "title", Texts: 2, Files: 2}, {Fields: "numero_officiel", Texts: 1, Files: 1}})
	}
	equal(t, "faults", found(t, b.do(t, "GET", transport.Prefix+"/admin/reviews?doubt=%00&page=0&page_size=101", "", editor...)),
		[]string{"value_error query.doubt", "greater_than_equal query.page", "less_than_equal query.page_size"})
}

// A decision about a text that has changed since it was shown settles nothing.
func TestDecisionsAreAboutTheVersionThatWasShown(t *testing.T) {
	b := setup(t)
	editor := b.as(t, "editor")
	i := b.addFile(t, "a1")
	text, other := waiting("Loi A", "title"), waiting("Loi B", "title")
	b.endFile(t, i, "review", "", text, other)
	shown := decode[waitingPage](t, b.do(t, "GET", transport.Prefix+"/admin/reviews", "", editor...)).Items
	decide := func(decision, version string) gazettes.ReviewOutcomeBody {
		body := fmt.Sprintf(`{"decisions":[{"document_id":%q,"decision":%q,"version":%q,"group":"title"}]}`, text.Document.ID, decision, version)
		r := b.do(t, "POST", transport.Prefix+"/admin/reviews", body, editor...)
		equal(t, "status", r.status, http.StatusOK)
		return decode[struct{ Items []gazettes.ReviewOutcomeBody }](t, r).Items[0]
	}
	for _, decision := range []string{"accept", "reject"} {
		o := decide(decision, "an earlier one")
		if o.Done || o.Detail == nil || !strings.Contains(*o.Detail, "a changé") {
			t.Errorf("%s: %+v", decision, o)
		}
	}
	o := decide("accept", shown[0].Review.Version)
	equal(t, "done", o.Done, true)
	equal(t, "left", decode[waitingPage](t, b.do(t, "GET", transport.Prefix+"/admin/reviews", "", editor...)).Total, 1)
	audit := string(b.do(t, "GET", transport.Prefix+"/admin/audit", "", b.as(t, "admin")...).body)
	equal(t, "the group in the log", strings.Count(audit, `"group":"title"`), 1)
}

func TestSeveralReviewsAreSettledAtOnce(t *testing.T) {
	b := setup(t)
	editor := b.as(t, "editor")
	i := b.addFile(t, "a1")
	good, undated, spurious := waiting("Loi A", "title"), waiting("Loi B", "date_promulgation"), waiting("Page", "title")
	b.endFile(t, i, "review", "", good, undated, spurious)
	unknown := uuid.NewString()
	decisions := func(list ...string) string { return `{"decisions":[` + strings.Join(list, ",") + `]}` }
	one := func(id, decision, more string) string {
		return fmt.Sprintf(`{"document_id":%q,"decision":%q%s}`, id, decision, more)
	}
	r := b.do(t, "POST", transport.Prefix+"/admin/reviews", decisions(one(good.Document.ID.String(), "accept", `,"title":"Loi alpha"`),
		one(undated.Document.ID.String(), "accept", ""), one(spurious.Document.ID.String(), "reject", ""), one(unknown, "reject", ""),
		one(good.Document.ID.String(), "reject", "")), editor...)
	equal(t, "status", r.status, http.StatusOK)
	outcomes := decode[struct{ Items []gazettes.ReviewOutcomeBody }](t, r).Items
	var done []bool
	for _, o := range outcomes {
		done = append(done, o.Done)
		if o.Done == (o.Detail != nil) {
			t.Errorf("%+v", o)
		}
	}
	equal(t, "done", done, []bool{true, false, true, false, false})
	equal(t, "missing", outcomes[1].Missing, []string{"date_promulgation"})
	equal(t, "title", decode[law.Record](t, b.get(t, transport.Prefix+"/documents/"+good.Document.ID.String())).Title, "Loi alpha")
	equal(t, "left", decode[waitingPage](t, b.do(t, "GET", transport.Prefix+"/admin/reviews", "", editor...)).Total, 1)
	audit := string(b.do(t, "GET", transport.Prefix+"/admin/audit", "", b.as(t, "admin")...).body)
	equal(t, "accepted in the log", strings.Count(audit, `"review.accept"`), 1)
	equal(t, "rejected in the log", strings.Count(audit, `"review.reject"`), 1)
	many := make([]string, decisionsMost+1)
	for i := range many {
		many[i] = one(unknown, "reject", "")
	}
	for body, want := range map[string]string{
		`{}`: "missing body.decisions", `{"decisions":null}`: "list_type body.decisions", `{"decisions":{}}`: "list_type body.decisions", `{"decisions":[]}`: "value_error body.decisions",
		decisions(many...): "value_error body.decisions", decisions(`1`, `null`, `{}`): "dict_type body.decisions.0, dict_type body.decisions.1, missing body.decisions.2.document_id, missing body.decisions.2.decision",
		decisions(one("x", "redo", `,"doc_type":"x"`)): "uuid_parsing body.decisions.0.document_id, enum body.decisions.0.decision, enum body.decisions.0.doc_type",
		decisions(one(undated.Document.ID.String(), "accept", `,"date_promulgation":"2024-01-01"`), one(unknown, "accept", `,"domaine":"mer"`)): "enum body.decisions.1.domaine",
	} {
		equal(t, body, strings.Join(found(t, b.do(t, "POST", transport.Prefix+"/admin/reviews", body, editor...)), ", "), want)
	}
	equal(t, "still left", decode[waitingPage](t, b.do(t, "GET", transport.Prefix+"/admin/reviews", "", editor...)).Total, 1)
}
