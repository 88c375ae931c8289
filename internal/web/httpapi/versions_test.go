package httpapi

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/admin"
	"vigueur/internal/web/httpapi/catalogue"
	"vigueur/internal/web/httpapi/gazettes"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
	"vigueur/internal/work/versions"
)

// amended adds a code and a law that changes article 2 and inserts article 2 bis, and one
// instruction that waits.
func (b *bundle) amended(t *testing.T, more ...postgres.StoredText) (code, change postgres.StoredText) {
	t.Helper()
	code, change = newText("Loi n° 2024-01 du 2 mai 2023 portant Code du sel", "2023-05-02"), newText("Loi n° 2024-02 du 2 mai 2024 modifiant le Code du sel", "2024-05-02")
	change.Document.OfficialNumber = "2024-02"
	change.Document.EntersInForce = time.Date(2024, 7, 1, 0, 0, 0, 0, time.UTC)
	change.Articles[0].Text = "À l’article 2 de la loi n° 2024-01 du 2 mai 2023 portant Code du sel, le mot : « Texte » est remplacé par le mot : « Contenu ».\n" +
		"Après l’article 2 de la même loi, il est inséré un article 2 bis ainsi rédigé :\n« Art. 2 bis. - Le sel est libre. »"
	change.Articles[1].Text = "À l’article 1er de la loi n° 2024-01 du 2 mai 2023 portant Code du sel, le mot : « sucre » est remplacé par le mot : « miel »."
	for i := range change.Passages {
		change.Passages[i].Text = change.Articles[i].Text
	}
	b.addTexts(t, append(more, code, change)...)
	_, _, err := (&versions.VersionAssembler{DB: b.DB, Log: b.Log}).Rebuild(t.Context())
	ok(t, err)
	return code, change
}

func TestAssembledArticles(t *testing.T) {
	b := setup(t)
	code, change := b.amended(t)
	path := transport.Prefix + "/documents/" + code.Document.ID.String() + "/articles"
	type page struct {
		Items []catalogue.ArticleWithTextBody
	}
	before := decode[page](t, b.get(t, path+"?text=true&date=2024-06-30")).Items
	after := decode[page](t, b.get(t, path+"?text=true&date=2024-07-01")).Items
	equal(t, "before", []any{len(before), before[1].Text, *before[1].Assembled, *before[1].ValidTo}, []any{2, "Texte de l’article 2.", false, "2024-07-01"})
	if len(after) != 3 {
		t.Fatalf("after: %+v", after)
	}
	equal(t, "after", []any{after[1].Text, *after[1].Assembled, *after[1].ValidFrom}, []any{"Contenu de l’article 2.", true, "2024-07-01"})
	equal(t, "inserted", []any{after[2].Number, after[2].Text, *after[2].Assembled}, []any{"2 bis", "Le sel est libre.", true})
	by := after[1].By
	equal(t, "act", []any{by.Document, by.Title, by.Notice, *by.Instructions[0].Article}, []any{change.Document.ID, change.Document.Title, law.AssembledNotice, change.Articles[0].ID})
	short := decode[page](t, b.get(t, path+"?date=2024-07-01")).Items
	equal(t, "without words", []any{len(short), *short[1].Assembled, short[1].Text}, []any{3, true, ""})
	equal(t, "a page", len(decode[page](t, b.get(t, path+"?date=2024-07-01&page=2&page_size=2")).Items), 1)

	one := func(id uuid.UUID, query string) catalogue.ArticleWithTextBody {
		return decode[catalogue.ArticleWithTextBody](t, b.get(t, path+"/"+id.String()+query))
	}
	equal(t, "one article", []any{one(after[1].ID, "?date=2024-07-01").Text, one(after[1].ID, "?date=2024-06-30").Text, one(after[1].ID, "").Text},
		[]any{"Contenu de l’article 2.", "Texte de l’article 2.", "Texte de l’article 2."})
	equal(t, "an inserted article", []any{one(after[2].ID, "").Text, one(after[2].ID, "?date=2024-07-01").Text, *one(after[2].ID, "").Assembled}, []any{"Le sel est libre.", "Le sel est libre.", true})
	equal(t, "before it was inserted", b.get(t, path+"/"+after[2].ID.String()+"?date=2024-06-30").status, http.StatusNotFound)
	equal(t, "no day", b.get(t, path+"/"+after[2].ID.String()+"?date=hier").status, http.StatusUnprocessableEntity)
	all := decode[catalogue.DaysBody](t, b.get(t, transport.Prefix+"/documents/"+code.Document.ID.String()+"/days"))
	days := all.Items
	equal(t, "what waits", []any{all.Total, len(all.Pending), all.Pending[0].Act.Document, all.Pending[0].Article, all.Pending[0].Instruction.Number, all.Pending[0].Sentence != ""},
		[]any{1, 1, change.Document.ID, "1er", "2", true})
	equal(t, "nothing waits on the act", decode[catalogue.DaysBody](t, b.get(t, transport.Prefix+"/documents/"+change.Document.ID.String()+"/days")).Total, 0)
	equal(t, "days", days, []catalogue.ChangeDayBody{{Date: "2023-06-02", Acts: []catalogue.AmendingActBody{}},
		{Date: "2024-07-01", Articles: 2, Acts: []catalogue.AmendingActBody{{Document: change.Document.ID, Title: change.Document.Title}}}})
	equal(t, "days of no text", b.get(t, transport.Prefix+"/documents/"+uuid.NewString()+"/days").status, http.StatusNotFound)
	type list struct{ Items []catalogue.VersionBody }
	two := decode[list](t, b.get(t, path+"/"+code.Articles[1].ID.String()+"/versions")).Items
	equal(t, "versions", []any{len(two), two[0].Assembled, two[1].Assembled, two[1].Text}, []any{2, false, true, "Contenu de l’article 2."})
	alineas := two[1].By.Alineas
	equal(t, "changed alineas", []any{len(alineas), alineas[0].Start, alineas[0].End, alineas[0].Document, *alineas[0].Article, alineas[0].Pages, *alineas[0].Printed},
		[]any{1, 0, 23, change.Document.ID, change.Articles[0].ID, []int{change.Articles[0].Page}, code.Articles[1].Page})
	equal(t, "those of an article on a day", after[1].By.Alineas, alineas)
	equal(t, "none without words", len(short[1].By.Alineas), 0)
	equal(t, "of an inserted article", []any{len(after[2].By.Alineas), after[2].By.Alineas[0].Printed == nil}, []any{1, true})
	type whole struct{ Items []catalogue.ArticleVersion }
	text := decode[whole](t, b.get(t, transport.Prefix+"/documents/"+code.Document.ID.String()+"/versions")).Items
	equal(t, "versions of the text", []any{len(text), text[0].Article, text[1].Text, text[2].Number}, []any{3, code.Articles[1].ID, "Contenu de l’article 2.", "2 bis"})
	equal(t, "of no text", b.get(t, transport.Prefix+"/documents/"+uuid.NewString()+"/versions").status, http.StatusNotFound)
	editor := b.as(t, "editor")
	rebuild := transport.Prefix + "/admin/versions/rebuild"
	equal(t, "rebuilt", decode[gazettes.RebuiltBody](t, b.do(t, "POST", rebuild+"/"+code.Document.ID.String(), "", editor...)).Versions, 3)
	equal(t, "no such text", b.do(t, "POST", rebuild+"/"+uuid.NewString(), "", editor...).status, http.StatusNotFound)
	equal(t, "all texts", b.do(t, "POST", rebuild, "", b.as(t, "admin")...).status, http.StatusNoContent)
	printed := decode[list](t, b.get(t, path+"/"+code.Articles[0].ID.String()+"/versions")).Items
	equal(t, "as printed", []any{len(printed), printed[0].Assembled, printed[0].Text}, []any{1, false, "Texte de l’article 1er."})
	bis := decode[list](t, b.get(t, path+"/"+after[2].ID.String()+"/versions")).Items
	equal(t, "versions of the inserted", []any{len(bis), bis[0].Text}, []any{1, "Le sel est libre."})
	equal(t, "unknown", b.get(t, path+"/"+uuid.NewString()+"/versions").status, http.StatusNotFound)

	diff := decode[catalogue.ArticleDiffBody](t, b.get(t, path+"/"+code.Articles[1].ID.String()+"/diff?from=2024-06-30&to=2024-07-01"))
	equal(t, "parts", diff.Parts, []law.Part{{Kind: law.Removed, Text: "Texte "}, {Kind: law.Added, Text: "Contenu "}, {Kind: law.Same, Text: "de l’article 2."}})
	gone := decode[catalogue.ArticleDiffBody](t, b.get(t, path+"/"+after[2].ID.String()+"/diff?from=2024-06-30&to=2024-07-01"))
	equal(t, "not there before", gone.From == nil && gone.To != nil, true)
	equal(t, "without days", b.get(t, path+"/"+code.Articles[1].ID.String()+"/diff").status, http.StatusUnprocessableEntity)
}

func TestWaitingAmendments(t *testing.T) {
	b := setup(t)
	code, _ := b.amended(t)
	editor := b.as(t, "editor")
	path := transport.Prefix + "/admin/versions/waiting"
	items := decode[respond.Page[gazettes.WaitingAmendmentBody]](t, b.do(t, "GET", path, "", editor...)).Items
	if len(items) != 1 || items[0].Reason != "words_not_found" || items[0].Target.ID != code.Document.ID || items[0].Article != "1er" {
		t.Fatalf("waiting: %+v", items)
	}
	equal(t, "beside it", []any{*items[0].Before, *items[0].ArticleID, items[0].Cited, items[0].Articles, len(items[0].Parts)}, []any{"Texte de l’article 1er.", code.Articles[0].ID, 0, 1, 0})
	figures := decode[admin.StatsPage](t, b.do(t, "GET", transport.Prefix+"/admin/stats", "", editor...)).Amendments
	equal(t, "figures", figures, admin.AmendmentFiguresBody{AmendmentFigures: postgres.AmendmentFigures{Operations: 3, Versions: 2, Articles: 2, Waiting: 1},
		Reasons: []admin.ReasonBody{{Reason: "words_not_found", Sentence: items[0].Sentence, Count: 1}}})
	one := path + "/" + items[0].ID.String()
	equal(t, "nothing to accept", b.do(t, "POST", one, `{"decision":"accept"}`, editor...).status, http.StatusConflict)
	equal(t, "no text", b.do(t, "POST", one, `{"decision":"mend"}`, editor...).status, http.StatusUnprocessableEntity)
	equal(t, "mend", b.do(t, "POST", one, `{"decision":"mend","text":"Le miel."}`, editor...).status, http.StatusNoContent)
	equal(t, "again", b.do(t, "POST", one, `{"decision":"reject"}`, editor...).status, http.StatusNotFound)
	type page struct {
		Items []catalogue.ArticleWithTextBody
	}
	after := decode[page](t, b.get(t, transport.Prefix+"/documents/"+code.Document.ID.String()+"/articles?text=true&date=2024-07-01")).Items
	equal(t, "mended", []any{after[0].Text, *after[0].Assembled}, []any{"Le miel.", true})

	decisions := transport.Prefix + "/admin/versions/decisions"
	made := decode[respond.Page[gazettes.AmendmentSettledBody]](t, b.do(t, "GET", decisions, "", editor...)).Items
	if len(made) != 1 || made[0].Decision != "mend" || made[0].Text != "Le miel." || made[0].Article != "1er" || made[0].Target.Document != code.Document.ID || made[0].Target.Title == "" {
		t.Fatalf("decisions: %+v", made)
	}
	equal(t, "undo", b.do(t, "DELETE", decisions+"/"+made[0].ID.String(), "", editor...).status, http.StatusNoContent)
	equal(t, "undo again", b.do(t, "DELETE", decisions+"/"+made[0].ID.String(), "", editor...).status, http.StatusNotFound)
	equal(t, "waits again", len(decode[respond.Page[gazettes.WaitingAmendmentBody]](t, b.do(t, "GET", path, "", editor...)).Items), 1)
}

// TestExportOnADay: a text is taken away in its wording of a day, which says which act made it.
func TestExportOnADay(t *testing.T) {
	b := setup(t)
	code, change := b.amended(t)
	path := transport.Prefix + "/documents/" + code.Document.ID.String() + "/export"
	export := func(query string) string {
		t.Helper()
		r := b.get(t, path+query)
		equal(t, query, r.status, http.StatusOK)
		return string(r.body)
	}
	holds := func(name, text string, wanted ...string) {
		t.Helper()
		for _, w := range wanted {
			if !strings.Contains(text, w) {
				t.Errorf("%s: %q is not in\n%s", name, w, text)
			}
		}
	}
	printed, left, right := export(""), export("?date=2024-06-30"), export("?date=2024-07-01")
	holds("as printed", printed, "Texte de l’article 2.")
	holds("before", left, "Rédaction du : 30 juin 2024", "Texte de l’article 2.")
	holds("after", right, "Rédaction du : 1er juillet 2024", "Contenu de l’article 2.", "Le sel est libre.",
		"Article modifié par : "+change.Document.Title+" (article 1er), en vigueur à compter du 1er juillet 2024 ; "+law.AssembledNotice, "Article inséré par")
	for name, text := range map[string]string{"as printed": printed, "before": left} {
		if strings.Contains(text, "Le sel est libre") || strings.Contains(text, law.AssembledNotice) {
			t.Errorf("%s: holds what is not law yet\n%s", name, text)
		}
	}
	type exported struct {
		Date     string
		Articles []struct {
			Number string
			Text   string
			By     *struct {
				Document     uuid.UUID `json:"document_id"`
				Instructions []postgres.Evidence
			} `json:"assembled_by"`
		}
	}
	read := decode[exported](t, b.get(t, path+"?format=json&date=2024-07-01"))
	if len(read.Articles) != 3 || read.Date != "2024-07-01" || read.Articles[0].By != nil || read.Articles[1].By == nil {
		t.Fatalf("%+v", read)
	}
	equal(t, "made by", []any{read.Articles[1].By.Document, read.Articles[1].By.Instructions[0].Number, read.Articles[2].Number}, []any{change.Document.ID, "1er", "2 bis"})
	akn := export("?format=akn&date=2024-07-01")
	work, act := "/akn/xx/act/loi/2023-05-02/2024-01", "/akn/xx/act/loi/2024-05-02/2024-02"
	holds("akn", akn, `contains="singleVersion"`, `/fra@2024-07-01"`,
		`<eventRef eId="evenement_2" date="2024-07-01" source="#acte_1" type="amendment">`,
		`<textualMod type="substitution" eId="modification_1"><source eId="modification_1__source_1" href="`+act+`/!main~art_1er"></source><destination eId="modification_1__destination" href="#art_2">`,
		`<textualMod type="insertion" eId="modification_2">`, `<timeInterval refersTo="#en-vigueur" start="#evenement_2">`,
		`<article eId="art_2" period="#periode_1">`, `<article eId="art_2-bis" period="#periode_1">`, `<original eId="original" href="`+work+`"`)
	if earlier := export("?format=akn&date=2024-06-30"); strings.Contains(earlier, "lifecycle") {
		t.Errorf("a text that nothing has changed yet has a history:\n%s", earlier)
	}
	for query, status := range map[string]int{"?date=2020-01-01": http.StatusNotFound, "?date=hier": http.StatusUnprocessableEntity, "?format=docx&date=2024-07-01": http.StatusOK} {
		equal(t, query, b.get(t, path+query).status, status)
	}
	holds("nothing in force", string(b.get(t, path+"?date=2020-01-01").body), "Aucun article de ce texte n’est en vigueur le 1er janvier 2020.")
}

// TestSearchFindsAssembledWordings checks that an article is found by words that only an act
// gave it, once, in the wording that has them or that is law on the day.
func TestSearchFindsAssembledWordings(t *testing.T) {
	b := setup(t)
	code, change := b.amended(t)
	found := func(query string) []catalogue.SearchHitBody {
		t.Helper()
		return decode[catalogue.SearchPageBody](t, b.get(t, transport.Prefix+"/search?kind=article&document_id="+code.Document.ID.String()+"&q="+query)).Items
	}
	one := func(query string) catalogue.SearchHitBody {
		t.Helper()
		list := found(query)
		if len(list) != 1 || list[0].Article.Number != "2" {
			t.Fatalf("%s: %+v", query, list)
		}
		return list[0]
	}
	added := one("contenu")
	equal(t, "new word", []any{added.Excerpt.Text, *added.Article.Assembled, *added.Article.ValidFrom, added.Article.By.Document, len(added.Excerpt.Marks)},
		[]any{"Contenu de l’article 2.", true, "2024-07-01", change.Document.ID, 1})
	equal(t, "new phrase", one("%22contenu+de+l%E2%80%99article%22").Excerpt.Text, "Contenu de l’article 2.")
	old := one("texte+article+2")
	equal(t, "old word", []any{old.Excerpt.Text, old.Article.Assembled == nil, *old.Article.ValidTo}, []any{"Texte de l’article 2.", true, "2024-07-01"})
	equal(t, "before", one("contenu&date=2024-06-30").Excerpt.Text, "Texte de l’article 2.")
	equal(t, "after", one("texte+article+2&date=2024-07-01").Excerpt.Text, "Contenu de l’article 2.")

	// The words go with the act, and survive the text's new title.
	renamed := b.do(t, "PATCH", transport.Prefix+"/admin/documents/"+code.Document.ID.String(), `{"title":"Loi n° 2024-01 du 2 mai 2023 portant Code du sel gemme"}`, b.as(t, "editor")...)
	equal(t, "renamed", renamed.status, http.StatusOK)
	equal(t, "of the new title", one("contenu+gemme").Excerpt.Text, "Contenu de l’article 2.")
	_, err := b.DB.DeleteDocument(t.Context(), change.Document.ID)
	ok(t, err)
	_, _, err = (&versions.VersionAssembler{DB: b.DB, Log: b.Log}).Rebuild(t.Context())
	ok(t, err)
	equal(t, "without the act", len(found("contenu")), 0)
}
