package e2e

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"vigueur/internal/store/meili/meilitest"
)

// TestTitlesInMeilisearch runs the programs with the address of a Meilisearch: the
// worker fills it, the API asks it for a title that is mistyped, and PostgreSQL
// while it is down.
func TestTitlesInMeilisearch(t *testing.T) {
	t.Parallel()
	s := openSample(t)
	titles := meilitest.New(t)
	s.Set("VIGUEUR_MEILI_URL", titles.URL)
	s.Set("VIGUEUR_MEILI_KEY", titles.Key)
	startWorker(t, s)
	client, err := s.Client(t.Context(), startAPI(t, s))
	if err != nil {
		t.Fatal(err)
	}
	find := func() (names []string) {
		t.Helper()
		var page struct {
			Items []struct{ Title string }
			Total int
		}
		if err := client.JSON(t.Context(), http.MethodGet, "/api/v1/documents?q="+url.QueryEscape("code du travial"), nil, &page); err != nil {
			t.Fatal(err)
		}
		for _, d := range page.Items {
			names = append(names, d.Title)
		}
		return names
	}
	const search = "POST /indexes/titles/search"
	var found []string
	await(t, "the title, in Meilisearch", func() bool {
		found = find()
		return len(found) > 0 && titles.Calls(search) > 0
	})
	titles.Down(true)
	for where, titles := range map[string][]string{"Meilisearch": found, "PostgreSQL": find()} {
		if !slices.ContainsFunc(titles, func(t string) bool { return strings.Contains(strings.ToLower(t), "code du travail") }) {
			t.Errorf("%s finds %q", where, titles)
		}
	}
}
