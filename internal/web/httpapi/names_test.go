package httpapi

import (
	"net/http"
	"testing"

	"vigueur/internal/web/httpapi/admin"
	"vigueur/internal/web/httpapi/catalogue"
	"vigueur/internal/web/httpapi/transport"
)

// TestNamesOfTexts: a name that an operator gives to a text finds it, alone and with words of its articles, and while it is typed.
func TestNamesOfTexts(t *testing.T) {
	b := setup(t)
	b.addLaws(t)
	editor, names := b.as(t, "editor"), transport.Prefix+"/admin/names"
	equal(t, "before", len(decode[catalogue.SearchPageBody](t, b.get(t, transport.Prefix+"/search?q=meunerie")).Items), 0)
	for body, status := range map[string]int{`{"name":"Meunerie","means":"loi n° 2020-07","pays":"bj"}`: 201, `{"name":"meunerie","means":"décret n° 2024-192"}`: 409,
		`{"name":"Blé","means":"le bon sens"}`: 422, `{"name":"B","means":"loi n° 2020-07"}`: 422, `{"name":"Blé","means":"loi n° 2020-07","pays":"Bénin"}`: 422,
		`{"name":"la","means":"décret n° 2024-192"}`: 422, `{"name":"préavis","means":"décret n° 2024-192"}`: 422, `{"name":"lоi n° 2020-07","means":"décret n° 2024-192"}`: 422,
		`{"name":"a\nb","means":"décret n° 2024-192"}`: 422, `{"name":"Semoule","means":"loi n° 2020-07","dry_run":true}`: 200} {
		if status != 409 {
			equal(t, body, b.do(t, "POST", names, body, editor...).status, status)
		}
	}
	equal(t, "given twice", b.do(t, "POST", names, `{"name":"meunerie","means":"décret n° 2024-192"}`, editor...).status, http.StatusConflict)
	found, _ := b.searched(t, "q=MEUNERIE")
	equal(t, "by the name", found, []string{"Loi "})
	found, _ = b.searched(t, "q=meunerie+conges")
	equal(t, "an article of it", found, []string{"Loi  2"})
	titles := decode[struct {
		Items []catalogue.SuggestedTitleBody `json:"items"`
		Alike bool                           `json:"alike"`
	}](t, b.get(t, transport.Prefix+"/titles?q=meun"))
	equal(t, "while it is typed", []any{len(titles.Items), titles.Alike}, []any{1, false})
	list := decode[struct {
		Items []admin.TextNameBody `json:"items"`
	}](t, b.do(t, "GET", names, "", editor...)).Items
	equal(t, "listed", []string{list[0].Name, list[0].Country}, []string{"Meunerie", "bj"})
	equal(t, "taken back", b.do(t, "DELETE", names+"/"+list[0].ID.String(), "", editor...).status, http.StatusNoContent)
	equal(t, "twice", b.do(t, "DELETE", names+"/"+list[0].ID.String(), "", editor...).status, http.StatusNotFound)
	found, _ = b.searched(t, "q=meunerie")
	equal(t, "after", len(found), 0)
}

// TestTyposOfSearches: a word that the catalogue lacks is searched as the one that differs in a letter.
func TestTyposOfSearches(t *testing.T) {
	b := setup(t)
	b.addLaws(t)
	for typed, want := range map[string]string{"preavsi+ecrit": "preavis ecrit", "demision": "demission", "employeurr": "employeur",
		"preavis": "", "zygomorphe": "", "conj%C3%A9s+pay%C3%A9s": "conges payés"} {
		found, body := b.searched(t, "q="+typed)
		equal(t, typed, body.Respelled, want)
		if want != "" && len(found) == 0 {
			t.Errorf("%s finds nothing", typed)
		}
	}
}
