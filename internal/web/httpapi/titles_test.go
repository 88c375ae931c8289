package httpapi

import (
	"net/http"
	"net/netip"
	"net/url"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/law/fulltext"
	"vigueur/internal/store/ratelimit"
	"vigueur/internal/web/httpapi/catalogue"
	"vigueur/internal/web/httpapi/transport"
)

type suggested struct {
	Items []catalogue.SuggestedTitleBody
	Alike bool
}

func (b *bundle) suggested(t *testing.T, typed string, headers ...string) (titles []string, alike bool) {
	t.Helper()
	r := b.do(t, "GET", transport.Prefix+"/titles?q="+url.QueryEscape(typed), "", headers...)
	if r.status != http.StatusOK {
		t.Fatalf("%s: %d %s", typed, r.status, r.body)
	}
	body := decode[suggested](t, r)
	for _, item := range body.Items {
		titles = append(titles, item.Title)
	}
	return titles, body.Alike
}

func TestTitlesAreSuggestedAsTheyAreTyped(t *testing.T) {
	b := setup(t)
	b.addTexts(t, newText("Code du travail", "2020-05-02"), newText("Loi sur le travail de l’été 100%", "2024-05-02"), newText("Décret n° 2021-55 sur les congés", "2022-05-02"))
	for typed, want := range map[string][]string{
		"cod": {"Code du travail"}, "CODE du tra": {"Code du travail"}, "trav": {"Loi sur le travail de l’été 100%", "Code du travail"},
		"loi ete": {"Loi sur le travail de l’été 100%"}, "ete trav": {"Loi sur le travail de l’été 100%"}, "décret 2021": {"Décret n° 2021-55 sur les congés"},
		"avail": {"Loi sur le travail de l’été 100%", "Code du travail"}, "conjes": {"Décret n° 2021-55 sur les congés"},
		"l": nil, "": nil, "%": nil, "_": nil, `\m(`: nil, "zzz": nil, "100%": {"Loi sur le travail de l’été 100%"}, "code_": {"Code du travail"},
	} {
		titles, alike := b.suggested(t, typed)
		equal(t, typed, titles, want)
		equal(t, "alike "+typed, alike, typed == "avail" || typed == "conjes" || typed == "zzz")
	}
	body := decode[suggested](t, b.get(t, transport.Prefix+"/titles?q=trav&limit=1"))
	equal(t, "at most", len(body.Items), 1)
	equal(t, "marks", body.Items[0].Marks, []fulltext.Mark{{Start: 11, End: 18}})
	equal(t, "faults", found(t, b.get(t, transport.Prefix+"/titles?limit=21")), []string{"missing query.q", "less_than_equal query.limit"})
}

func TestTitlesAreClosedUnlessOpened(t *testing.T) {
	b := setup(t)
	wantDetail(t, b.do(t, "GET", transport.Prefix+"/titles?q=loi", "", "Authorization", ""), http.StatusUnauthorized)
}

func TestGuestsLookForTitlesWithinALimit(t *testing.T) {
	b := setup(t, func(s *Server) {
		s.Guests = &ratelimit.Limiter{Store: s.Inquiries.Store, Name: "guests-" + uuid.NewString(), Limit: 2, Window: time.Hour}
		s.Proxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	})
	b.addTexts(t, newText("Code du travail", "2020-05-02"))
	path := transport.Prefix + "/titles?q=cod"
	for range 2 {
		titles, _ := b.suggested(t, "cod", "Authorization", "", "X-Forwarded-For", "2001:db8::1")
		equal(t, "titles", titles, []string{"Code du travail"})
	}
	r := b.do(t, "GET", path, "", "Authorization", "", "X-Forwarded-For", "2001:db8::2") // an address in the same /64
	wantDetail(t, r, http.StatusTooManyRequests)
	equal(t, "another network", b.do(t, "GET", path, "", "Authorization", "", "X-Forwarded-For", "192.0.2.1").status, http.StatusOK)
	for range 3 { // signed-in users have no such limit
		b.suggested(t, "cod", "X-Forwarded-For", "2001:db8::1")
	}
	wantDetail(t, b.do(t, "GET", path, "", "Authorization", "Bearer x", "X-Forwarded-For", "192.0.2.1"), http.StatusUnauthorized)
	wantDetail(t, b.do(t, "GET", transport.Prefix+"/search?q=code", "", "Authorization", ""), http.StatusUnauthorized)
}
