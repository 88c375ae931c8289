package httpapi

import (
	"net/http"
	"testing"

	"vigueur/internal/web/httpapi/catalogue"
	"vigueur/internal/web/httpapi/transport"
)

// An account has one check at a time, and exports are made meanwhile.
func TestChecksLeaveRoomForOthers(t *testing.T) {
	b := setup(t)
	release, err := b.catalogue.Checks.Take(t.Context(), transport.Turn{Who: b.user.ID.String(), Most: transport.Usual, Each: 1, Patience: transport.Brief})
	ok(t, err)
	const text = `{"text":"Vu la loi n° 1999-01."}`
	again := b.do(t, "POST", catalogue.VerifyRoute, text)
	equal(t, "a second check of the account", again.status, http.StatusServiceUnavailable)
	if again.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	other := b.tokenOf(t, b.addUser(t, "autre@example.org"))
	equal(t, "one of another account", b.do(t, "POST", catalogue.VerifyRoute, text, "Authorization", "Bearer "+other).status, http.StatusOK)
	conversation, _ := b.answered(t, "Combien ?", "Dix jours.")
	equal(t, "an export", b.get(t, conversationsPath+"/"+conversation.String()+"/export?format=docx").status, http.StatusOK)
	release()
	equal(t, "afterwards", b.do(t, "POST", catalogue.VerifyRoute, text).status, http.StatusOK)
}

// Days of one version have one page, at the day on which the version begins.
func TestDaysOfAVersionHaveOnePage(t *testing.T) {
	b := setup(t, withPublic)
	b.amended(t)
	const path = "/akn/xx/act/2023-05-02/2024-01"
	for day, begins := range map[string]string{"1999-01-01": "2023-05-02", "2023-05-31": "2023-05-02", "2023-06-03": "2023-06-02", "2024-06-30": "2023-06-02", "2024-07-02": "2024-07-01", "2100-01-01": "2024-07-01"} {
		for _, rest := range []string{"", "/!main~art_2"} {
			r := b.guest(t, path+"/fra@"+day+rest)
			equal(t, day+rest, []any{r.status, r.header.Get("Location")}, []any{http.StatusFound, path + "/fra@" + begins + rest})
		}
		r := b.guest(t, path+"/fra@"+day+"?format=docx")
		equal(t, day+" for Word", []any{r.status, r.header.Get("Location")}, []any{http.StatusFound, path + "/fra@" + begins + "?format=docx"})
	}
	equal(t, "the version itself", b.guest(t, path+"/fra@2023-06-02").status, http.StatusOK)
}
