package httpapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/web/auth"
	"vigueur/internal/web/httpapi/account"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/transport"
)

// limited lists the fields of limited length, each in a request that fails for another
// reason, so that it has no effect.
var limited = []struct {
	role, method, path, field string
	least, most               int
	secret                    bool // white space counts
	rest                      string
}{
	{"user", "POST", "/chat-rag/stream", "question", 1, questionLimit, false, `"model":"nope"`},
	{"user", "PATCH", "/conversations/ID", "title", 1, renamedLimit, false, `"x":1`},
	{"user", "POST", "/messages/ID/feedback", "comment", 0, commentLimit, false, `"rating":"x"`},
	{"", "POST", "/auth/login", "email", 1, form.EmailLimit, false, `"cookie":"x"`},
	{"", "POST", "/auth/login", "password", 1, auth.MaxPassword, true, `"cookie":"x"`},
	{"user", "POST", "/auth/password", "current_password", 1, auth.MaxPassword, true, `"x":1`},
	{"user", "POST", "/auth/password", "new_password", auth.MinPassword, auth.MaxPassword, true, `"x":1`},
	{"", "POST", "/business/inquiry", "company", 2, 255, false, `"team_size":"x"`},
	{"", "POST", "/business/inquiry", "contact_name", 2, 255, false, `"team_size":"x"`},
	{"", "POST", "/business/inquiry", "use_case", 2, 4000, false, `"team_size":"x"`},
	{"", "POST", "/business/inquiry", "phone", 0, 64, false, `"team_size":"x"`},
	{"", "POST", "/business/inquiry", "preferred_slot", 0, 255, false, `"team_size":"x"`},
	{"admin", "POST", "/admin/users", "full_name", 1, account.FullNameLimit, false, `"role":"x"`},
	{"admin", "POST", "/admin/users", "password", auth.MinPassword, auth.MaxPassword, true, `"role":"x"`},
	{"admin", "PATCH", "/admin/users/ID", "full_name", 1, account.FullNameLimit, false, `"role":"x"`},
	{"admin", "POST", "/admin/domaines", "code", 2, domainCodeLimit, false, `"active":"x"`},
	{"admin", "POST", "/admin/domaines", "label", 1, domainLabelLimit, false, `"active":"x"`},
	{"admin", "POST", "/admin/domaines", "description", 0, domainDescriptionLimit, false, `"active":"x"`},
	{"admin", "PATCH", "/admin/domaines/travail", "label", 1, domainLabelLimit, false, `"active":"x"`},
	{"editor", "PATCH", "/admin/documents/ID", "title", 1, titleLimit, false, `"statut":"x"`},
	{"editor", "PATCH", "/admin/documents/ID", "numero_officiel", 0, numberLimit, false, `"statut":"x"`},
}

// spelled returns texts of n code points: letters, characters outside the BMP, letters with
// combining marks.
func spelled(n int) map[string]string {
	return map[string]string{"letters": strings.Repeat("x", n), "emoji": strings.Repeat("😀", n),
		"marks": strings.Repeat("e\u0301", n/2) + strings.Repeat("x", n%2), "family": string(slices.Repeat([]rune("👨\u200d👩\u200d👧"), n/5+1)[:n])}
}

func TestLengthsAreCodePointsAfterTrimming(t *testing.T) {
	b := setup(t)
	for _, f := range limited {
		for n, want := range map[int]string{f.least - 1: "string_too_short", f.least: "", f.most: "", f.most + 1: "string_too_long"} {
			if n < 0 {
				continue
			}
			for kind, text := range spelled(n) {
				if !f.secret {
					text = " \u00a0\n" + text + "\t\u2003"
				}
				value, err := json.Marshal(text)
				ok(t, err)
				body := fmt.Sprintf(`{%q:%s,%s}`, f.field, value, f.rest)
				headers := []string{"Authorization", ""}
				if f.role != "" {
					headers = b.as(t, f.role)
				}
				r := b.do(t, f.method, transport.Prefix+strings.ReplaceAll(f.path, "ID", uuid.NewString()), body, headers...)
				if got := faultOf(t, r, f.field); got != want {
					t.Errorf("%s %s: %s of %d %s: %q, want %q (%d %.200s)", f.method, f.path, f.field, n, kind, got, want, r.status, r.body)
				}
			}
		}
	}
}

// faultOf returns the fault about the length of a field in a response, "" if there is none.
func faultOf(t *testing.T, r reply, field string) string {
	t.Helper()
	if r.status == http.StatusNotFound {
		return ""
	}
	for _, told := range found(t, r) {
		if kind, place, _ := strings.Cut(told, " "); place == "body."+field && strings.HasPrefix(kind, "string_too_") {
			return kind
		}
	}
	return ""
}

// Headers that are not valid text are rejected as usual.
func TestHeadersThatAreNoText(t *testing.T) {
	b := setup(t)
	for _, value := range []string{"\xff\xfe", "Bearer \xff", "Bearer é", "Bearer \u202e", "bytes=\xff-"} {
		equal(t, fmt.Sprintf("Authorization %q", value), b.do(t, "GET", transport.Prefix+"/auth/me", "", "Authorization", value).status, http.StatusUnauthorized)
		for _, name := range []string{"X-Request-Id", "X-Forwarded-For", "Last-Event-Id", "If-None-Match", "Range", "Origin", "Accept-Encoding", "Cookie", "User-Agent"} {
			r := b.do(t, "GET", transport.Prefix+"/auth/me", "", name, value)
			equal(t, fmt.Sprintf("%s %q", name, value), r.status, http.StatusOK)
			if id := r.header.Get("X-Request-Id"); !requestID.MatchString(id) {
				t.Errorf("%s %q: X-Request-Id %q", name, value, id)
			}
		}
	}
}
