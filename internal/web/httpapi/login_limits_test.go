package httpapi

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/transport"
)

// comesFrom is the header of a request through the trusted proxy.
func comesFrom(address string) []string { return []string{"X-Forwarded-For", address} }

// An IPv6 subscriber has a whole /64 of addresses.
func TestAWholeNetworkIsOneClient(t *testing.T) {
	b := setup(t)
	b.setPassword(t, "mot de passe")
	for i := range 5 {
		wantDetail(t, b.login(t, "awa@example.org", "faux", comesFrom(fmt.Sprintf("2001:db8:1:2::%x", i+1))...), http.StatusUnauthorized)
	}
	wantDetail(t, b.login(t, "awa@example.org", "faux", comesFrom("2001:db8:1:2:ffff::9")...), http.StatusTooManyRequests)
	wantDetail(t, b.login(t, "awa@example.org", "faux", comesFrom("2001:db8:1:3::1")...), http.StatusUnauthorized)
	wantDetail(t, b.login(t, "awa@example.org", "faux", comesFrom("192.0.2.1")...), http.StatusUnauthorized)
	inquiry := `{"company":"Société","contact_name":"Awa B.","email":"a@example.org","use_case":"Un besoin."}`
	for i := range 5 {
		equal(t, "inquiry", b.do(t, "POST", transport.Prefix+"/business/inquiry", inquiry, comesFrom(fmt.Sprintf("2001:db8:5:6::%x", i+1))...).status, http.StatusCreated)
	}
	wantDetail(t, b.do(t, "POST", transport.Prefix+"/business/inquiry", inquiry, comesFrom("2001:db8:5:6:7::1")...), http.StatusTooManyRequests)
}

// Unknown accounts count toward a network's limit like existing ones.
func TestFailuresOfANetworkAreCountedWhicheverTheAccount(t *testing.T) {
	b := setup(t, func(s *Server) { s.Logins.Network.Limit = 3 })
	for range 3 {
		wantDetail(t, b.login(t, uuid.NewString()+"@example.org", "faux", comesFrom("192.0.2.1")...), http.StatusUnauthorized)
	}
	r := b.login(t, uuid.NewString()+"@example.org", "faux", comesFrom("192.0.2.1")...)
	wantDetail(t, r, http.StatusTooManyRequests)
	if r.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	wantDetail(t, b.login(t, uuid.NewString()+"@example.org", "faux", comesFrom("192.0.2.2")...), http.StatusUnauthorized)
}

// An attack from many networks leaves each of them one try, and the owner can sign in: from
// a new network with that one, from a known one without restriction.
func TestAnAttackOnAnAccountLocksNobodyOut(t *testing.T) {
	for name, ceiling := range map[string]func(s *Server){
		"on the account": func(s *Server) { s.Logins.Account.Limit = 10 },
		"on all":         func(s *Server) { s.Logins.All.Limit = 10 },
	} {
		t.Run(name, func(t *testing.T) {
			b := setup(t, ceiling)
			b.setPassword(t, "mot de passe")
			home := comesFrom("192.0.2.1")
			equal(t, "at home", b.login(t, "awa@example.org", "mot de passe", home...).status, http.StatusOK)
			for i := range 10 {
				wantDetail(t, b.login(t, "awa@example.org", "faux", comesFrom(fmt.Sprintf("198.51.100.%d", i))...), http.StatusUnauthorized)
			}
			wantDetail(t, b.login(t, "awa@example.org", "faux", comesFrom("203.0.113.1")...), http.StatusUnauthorized)
			wantDetail(t, b.login(t, "awa@example.org", "faux", comesFrom("203.0.113.1")...), http.StatusTooManyRequests)
			equal(t, "from a new network", b.login(t, "awa@example.org", "mot de passe", comesFrom("203.0.113.2")...).status, http.StatusOK)
			for range 4 {
				wantDetail(t, b.login(t, "awa@example.org", "faux", home...), http.StatusUnauthorized)
			}
			equal(t, "at home, after slips", b.login(t, "awa@example.org", "mot de passe", home...).status, http.StatusOK)
		})
	}
}

// A change of password has the same limits as a sign-in.
func TestChangingThePasswordIsLimitedLikeSigningIn(t *testing.T) {
	b := setup(t)
	b.setPassword(t, "mot de passe")
	change := func(current string) reply {
		return b.do(t, "POST", transport.Prefix+"/auth/password", fmt.Sprintf(`{"current_password":%q,"new_password":"un autre mot de passe"}`, current))
	}
	for i := range 3 {
		r := change("faux")
		wantDetail(t, r, http.StatusBadRequest)
		quota := quotaOf(r) // its reset time depends on how long the tries took
		equal(t, "quota", quota[0]+" "+quota[1], fmt.Sprintf("5 %d", 4-i))
	}
	for range 2 {
		wantDetail(t, b.login(t, "awa@example.org", "faux"), http.StatusUnauthorized)
	}
	wantDetail(t, change("mot de passe"), http.StatusTooManyRequests)
	wantDetail(t, b.login(t, "awa@example.org", "mot de passe"), http.StatusTooManyRequests)
}

// Whoever has a wide network has the limits of a few clients, not of all its networks.
func TestAWideNetworkIsAFewClients(t *testing.T) {
	b := setup(t, func(s *Server) { s.Logins.Network.Limit, s.Inquiries.Limit, s.AllInquiries.Limit = 1, 1, 12 })
	refused := func(form string, n int, do func(from []string) int) (refused int) {
		for i := range n {
			if do(comesFrom(fmt.Sprintf(form, i))) == http.StatusTooManyRequests {
				refused++
			}
		}
		return refused
	}
	login := func(from []string) int { return b.login(t, uuid.NewString()+"@example.org", "faux", from...).status }
	equal(t, "of a /24", refused("198.51.100.%d", 10, login), 2)
	equal(t, "of a /56", refused("2001:db8:1:2%02x::1", 10, login), 2)
	equal(t, "of many networks", refused("198.51.%d.1", 10, login), 0)
	inquire := func(from []string) int {
		return b.do(t, "POST", transport.Prefix+"/business/inquiry", `{"company":"Société","contact_name":"Awa B.","email":"a@example.org","use_case":"Un besoin."}`, from...).status
	}
	equal(t, "inquiries of a /24", refused("203.0.113.%d", 10, inquire), 2)
	equal(t, "inquiries of all", refused("203.0.%d.1", 10, inquire), 6) // four are left of twelve
}

// An account that signs in again and again, with the right password, is stopped too.
func TestSignInsOfAnAccountAreLimited(t *testing.T) {
	b := setup(t, func(s *Server) { s.Logins.Right.Limit = 3 })
	b.setPassword(t, "mot de passe")
	for i := range 3 {
		equal(t, "sign-in", b.login(t, "awa@example.org", "mot de passe", comesFrom(fmt.Sprintf("192.0.2.%d", i))...).status, http.StatusOK)
	}
	r := b.login(t, "Awa@example.org", "mot de passe", comesFrom("192.0.2.9")...)
	wantDetail(t, r, http.StatusTooManyRequests)
	equal(t, "Retry-After", r.header.Get("Retry-After"), "300")
	wantDetail(t, b.login(t, "autre@example.org", "mot de passe"), http.StatusUnauthorized)
	equal(t, "sessions", len(b.logged(t, postgres.Login)), 3+2) // with those of the test's own tokens
}
