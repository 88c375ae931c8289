package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
)

// healthReplyLimit is the maximum number of bytes that are read from the reply of /readyz.
const healthReplyLimit = 64 << 10

// checkPublicAddress requests /readyz at the public address of the service, as a client would.
func (p *target) checkPublicAddress(ctx context.Context, n *notes) {
	if !p.apiHere || p.apiErr != nil {
		n.addUnseen("non regardée : les réglages de l’API ne sont pas ici")
		return
	}
	base := strings.TrimSuffix(p.api.BaseURL, "/")
	p.checkTLS(ctx, n, base)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/readyz", http.NoBody)
	if err != nil {
		n.fail("VIGUEUR_BASE_URL n’est pas une adresse", "Mettez-y l’adresse publique : https://droit.example")
		return
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	got, err := client.Do(request)
	if err != nil {
		n.warn(base+" ne répond pas d’ici : "+cause(err), "Démarrez l’API et le mandataire ; ou ce nom n’est connu que du dehors.")
		return
	}
	defer got.Body.Close()
	var body struct {
		Status string
		Stores map[string]struct{ Status string }
	}
	err = json.NewDecoder(io.LimitReader(got.Body, healthReplyLimit)).Decode(&body)
	switch {
	case got.StatusCode >= 300 && got.StatusCode < 400:
		n.warn(fmt.Sprintf("%s renvoie ailleurs (%s)", base, got.Header.Get("Location")), "Mettez dans VIGUEUR_BASE_URL l’adresse où l’on arrive.")
	case err != nil || body.Stores == nil || got.Header.Get("X-Request-Id") == "":
		n.fail(fmt.Sprintf("%s/readyz répond %d, et ce n’est pas l’API", base, got.StatusCode), "Vérifiez le mandataire, et VIGUEUR_BASE_URL.")
	case body.Status != string(OK):
		n.fail("l’API n’est pas prête : "+down(body.Stores), "Regardez « store down » dans son journal.")
	default:
		n.ok(base + " mène à l’API, qui est prête")
	}
	if there, err := http.ParseTime(got.Header.Get("Date")); err == nil {
		clock(n, time.Until(there), time.Second) // the header has whole seconds
	}
}

// down returns the names of the stores that are not OK, in alphabetical order.
func down(stores map[string]struct{ Status string }) string {
	var names []string
	for name, s := range stores {
		if s.Status != string(OK) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
