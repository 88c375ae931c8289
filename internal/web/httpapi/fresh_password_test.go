package httpapi

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/transport"
)

// Every route that sets a password rejects one that is easy to guess, does not repeat it,
// and uses up no token.
func TestEasyPasswordsAreRefused(t *testing.T) {
	b := setup(t, func(s *Server) { s.Signup.Domains = []string{"justice.example"} })
	b.setPassword(t, "mot de passe")
	asAdmin := b.as(t, "admin")
	refused := func(place, field, easy string, r reply) {
		t.Helper()
		equal(t, place, found(t, r), []string{"value_error body." + field})
		if strings.Contains(string(r.body), easy) || !strings.Contains(string(r.body), "trop facile à deviner") {
			t.Errorf("%s: %s", place, r.body)
		}
	}
	for _, easy := range []string{"motdepasse123", "awa@example.org", "Awa Essai 2026"} {
		refused("changed", "new_password", easy, b.do(t, "POST", transport.Prefix+"/auth/password", fmt.Sprintf(`{"current_password":"mot de passe","new_password":%q}`, easy)))
	}
	wantDetail(t, b.do(t, "POST", transport.Prefix+"/auth/password", `{"current_password":"faux","new_password":"motdepasse123"}`), http.StatusBadRequest)
	for _, easy := range []string{"motdepasse123", "noe.lancel@justice.example", "Lancel-Noé-12"} {
		refused("made", "password", easy, b.do(t, "POST", transport.Prefix+"/admin/users",
			fmt.Sprintf(`{"email":"noe.lancel@justice.example","full_name":"Noé Lancel","password":%q,"role":"user"}`, easy), asAdmin...))
	}
	ok(t, b.DB.AskReset(t.Context(), "awa@example.org", "x"))
	token, _ := b.notification(t)
	refused("reset", "new_password", "Awa Essai 2026", b.unsigned(t, "/auth/password/reset", fmt.Sprintf(`{"token":%q,"new_password":"Awa Essai 2026"}`, token)))
	equal(t, "the link is still good", b.unsigned(t, "/auth/password/reset", fmt.Sprintf(`{"token":%q,"new_password":"un mot de passe neuf"}`, token)).status, http.StatusNoContent)
	ok(t, b.DB.AskSignup(t.Context(), "lea.marchetti@justice.example", "Léa Marchetti", "x"))
	token, l := b.notification(t)
	equal(t, "kind", l.Kind, postgres.SignupNotification)
	refused("signed up", "password", "lea.marchetti", b.unsigned(t, "/auth/signup/confirm", fmt.Sprintf(`{"token":%q,"password":"lea.marchetti"}`, token)))
	equal(t, "the link is still good", b.unsigned(t, "/auth/signup/confirm", fmt.Sprintf(`{"token":%q,"password":"un mot de passe neuf"}`, token)).status, http.StatusCreated)
}
