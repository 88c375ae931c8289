package httpapi

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/google/uuid"
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
		equal(t, "inquiry", b.do(t, "POST", prefix+"/business/inquiry", inquiry, comesFrom(fmt.Sprintf("2001:db8:5:6::%x", i+1))...).status, http.StatusCreated)
	}
	wantDetail(t, b.do(t, "POST", prefix+"/business/inquiry", inquiry, comesFrom("2001:db8:5:6:7::1")...), http.StatusTooManyRequests)
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
		return b.do(t, "POST", prefix+"/auth/password", fmt.Sprintf(`{"current_password":%q,"new_password":"un autre mot de passe"}`, current))
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
