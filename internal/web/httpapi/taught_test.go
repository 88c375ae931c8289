package httpapi

import (
	"net/http"
	"testing"

	"vigueur/internal/store/chat"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/admin"
	"vigueur/internal/web/httpapi/catalogue"
	"vigueur/internal/web/httpapi/transport"
)

type pinsBody struct {
	Items    []admin.PinBody  `json:"items"`
	Proposed []postgres.Meant `json:"proposed"`
}

// TestNamesOfTexts: a name that an operator gives to a text finds it, alone and with words of its articles, and while it is typed.
func TestNamesOfTexts(t *testing.T) {
	b := setup(t)
	b.addLaws(t)
	editor, names := b.as(t, "editor"), transport.Prefix+"/admin/names"
	equal(t, "before", len(decode[catalogue.SearchBody](t, b.get(t, transport.Prefix+"/search?q=meunerie")).Items), 0)
	for body, status := range map[string]int{`{"name":"Meunerie","means":"loi n° 2020-07","pays":"bj"}`: 201, `{"name":"meunerie","means":"décret n° 2024-192"}`: 409,
		`{"name":"Blé","means":"le bon sens"}`: 422, `{"name":"B","means":"loi n° 2020-07"}`: 422, `{"name":"Blé","means":"loi n° 2020-07","pays":"Bénin"}`: 422} {
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
		Items []catalogue.TitleBody `json:"items"`
		Alike bool                  `json:"alike"`
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

// TestAnswersArePinned: a reader says which article was meant, an editor pins it, and it answers until it is repealed.
func TestAnswersArePinned(t *testing.T) {
	b := setup(t)
	labour, taxes := b.addLaws(t)
	editor, pinned := b.as(t, "editor"), transport.Prefix+"/admin/pinned"
	const asked = "Combien de jours de congés pour un meunier ?"
	_, id, err := b.DB.CreateTurn(t.Context(), postgres.Turn{UserID: b.user.ID, Question: asked})
	ok(t, err)
	_, err = b.DB.FinishAnswer(t.Context(), id, b.takeUp(t, id).Attempt, postgres.Outcome{State: chat.Done, Content: "Rien."})
	ok(t, err)
	feedback := transport.Prefix + "/messages/" + id.String() + "/feedback"
	equal(t, "not a text", b.do(t, "POST", feedback, `{"rating":"down","document_id":"x"}`).status, http.StatusUnprocessableEntity)
	equal(t, "meant", b.do(t, "POST", feedback, `{"rating":"down","document_id":"`+labour.Document.ID.String()+`","article":"2"}`).status, http.StatusNoContent)
	list := decode[pinsBody](t, b.do(t, "GET", pinned, "", editor...))
	equal(t, "proposed", []any{len(list.Proposed), list.Proposed[0].Question, list.Proposed[0].Article, list.Proposed[0].Readers}, []any{1, asked, "2", 1})

	for body, status := range map[string]int{`{"question":"le la les","document_id":"` + labour.Document.ID.String() + `","article":"2"}`: 422,
		`{"question":"Combien d’écus ?","document_id":"` + labour.Document.ID.String() + `","article":"99"}`: 404, `{"question":"Combien d’écus ?"}`: 422} {
		equal(t, body, b.do(t, "POST", pinned, body, editor...).status, status)
	}
	made := b.do(t, "POST", pinned, `{"question":"`+asked+`","document_id":"`+labour.Document.ID.String()+`","article":"1er","pays":"bj"}`, editor...)
	equal(t, "made", []any{made.status, decode[admin.PinBody](t, made).State}, []any{http.StatusCreated, "pinned"})
	list = decode[pinsBody](t, b.do(t, "GET", pinned, "", editor...))
	equal(t, "listed", []any{len(list.Items), list.Items[0].Title, len(list.Proposed)}, []any{1, "Loi portant Code du travail", 1}) // it proposes another article
	judged := decode[struct {
		Items []admin.JudgedBody `json:"items"`
	}](t, b.do(t, "GET", transport.Prefix+"/admin/judged", "", editor...)).Items
	equal(t, "exported", []string{judged[0].Question, judged[0].Gold[0].Article, judged[0].Gold[0].Number}, []string{asked, "1er", "2020-07"})

	// The decree repeals article 2 of the law from its own day on.
	equal(t, "another", b.do(t, "POST", pinned, `{"question":"Congés du meunier","document_id":"`+labour.Document.ID.String()+`","article":"2"}`, editor...).status, http.StatusCreated)
	list = decode[pinsBody](t, b.do(t, "GET", pinned, "", editor...))
	equal(t, "of a repealed article, first", []any{list.Items[0].State, *list.Items[0].Ended}, []any{"repealed", taxes.Document.EntersInForce.Format("2006-01-02")})
	equal(t, "taken back", b.do(t, "DELETE", pinned+"/"+list.Items[0].ID.String(), "", editor...).status, http.StatusNoContent)
	equal(t, "twice", b.do(t, "DELETE", pinned+"/"+list.Items[0].ID.String(), "", editor...).status, http.StatusNotFound)
}
