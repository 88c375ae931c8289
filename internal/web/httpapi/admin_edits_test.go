package httpapi

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
	"vigueur/internal/web/httpapi/catalogue"
	"vigueur/internal/web/httpapi/gazettes"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
)

// lined adds a file of one page that was segmented into one text.
func (b *bundle) lined(t *testing.T) (postgres.Ingestion, []postgres.Line) {
	t.Helper()
	sum := sha256.Sum256([]byte("%PDF"))
	i := postgres.Ingestion{ID: postgres.NewID(), SHA256: hex.EncodeToString(sum[:]), Filename: "a1.pdf", Size: 4}
	ok(t, pgtest.AddFile(t.Context(), b.DB, i))
	i, err := b.DB.StartIngestion(t.Context(), i.ID)
	ok(t, err)
	x := newText("Loi A", "2024-01-01")
	zero, first := 0, "1er"
	lines := []postgres.Line{
		{Rect: law.Rect{10, 10, 90, 20}, Text: "LOI A", Label: "head", Confidence: 1, TextIndex: &zero, DocumentID: &x.Document.ID},
		{Rect: law.Rect{10, 30, 90, 40}, Text: "Art. 1er. Texte.", Label: "article", Confidence: 1, TextIndex: &zero, DocumentID: &x.Document.ID, Article: &first},
		{Rect: law.Rect{10, 50, 90, 60}, Text: "Page six", Label: "loose", Confidence: 1},
		{Rect: law.Rect{10, 70, 90, 80}, Text: "JO 3", Label: "aside", Confidence: 1},
	}
	ok(t, b.DB.SavePages(t.Context(), i.ID, i.Attempt, []postgres.StoredPage{{Number: 1, Source: layout.Layer, Content: []byte("x")}}, 1))
	ok(t, b.DB.SaveSegmentation(t.Context(), i.ID, i.Attempt, postgres.Segmentation{Texts: []postgres.StoredText{x}, Pages: []postgres.PageLines{{Page: 1, Width: 600, Height: 800, Lines: lines}}}))
	ok(t, b.DB.MarkIngestion(t.Context(), i.ID, i.Attempt, "done", ""))
	return i, lines
}

func TestLinesOfAPage(t *testing.T) {
	b := setup(t)
	editor := b.as(t, "editor")
	i, lines := b.lined(t)
	path := transport.Prefix + "/admin/ingestions/" + i.ID.String() + "/pages/"
	shown := b.do(t, "GET", path+"1/lines", "", editor...)
	equal(t, "status", shown.status, http.StatusOK)
	equal(t, "fields", keys(t, shown.body), set("page", "width", "height", "lines"))
	body := decode[postgres.PageLines](t, shown)
	equal(t, "lines", body, postgres.PageLines{Page: 1, Width: 600, Height: 800, Lines: lines})
	shares := decode[respond.All[postgres.PageShare]](t, b.do(t, "GET", strings.TrimSuffix(path, "/"), "", editor...))
	equal(t, "shares", shares.Items, []postgres.PageShare{{Page: 1, Letters: 33, Loose: 8, Aside: 4}})
	wantDetail(t, b.do(t, "GET", path+"2/lines", "", editor...), http.StatusNotFound)
	wantDetail(t, b.do(t, "GET", transport.Prefix+"/admin/ingestions/"+uuid.NewString()+"/pages/1/lines", "", editor...), http.StatusNotFound)
	equal(t, "no number", found(t, b.do(t, "GET", path+"un/lines", "", editor...)), []string{"int_parsing path.page"})
	equal(t, "zero", found(t, b.do(t, "GET", path+"0/lines", "", editor...)), []string{"greater_than_equal path.page"})
	old := b.addFile(t, "b2")
	ok(t, b.DB.MarkIngestion(t.Context(), old.ID, old.Attempt, "done", ""))
	wantDetail(t, b.do(t, "GET", transport.Prefix+"/admin/ingestions/"+old.ID.String()+"/pages/1/lines", "", editor...), http.StatusNotFound)
}

func TestEdits(t *testing.T) {
	b := setup(t)
	editor := b.as(t, "editor")
	i, _ := b.lined(t)
	path := transport.Prefix + "/admin/ingestions/" + i.ID.String() + "/edits"
	const first, second = `{"page":1,"rect":[10,10,90,20],"text":"LOI A"}`, `{"page":1,"rect":[10,30,90,40]}`
	equal(t, "none", len(decode[respond.Listing[gazettes.EditBody]](t, b.do(t, "GET", path, "", editor...)).Items), 0)
	for body, want := range map[string]string{
		`{}`: "missing body.kind, missing body.line",
		`{"kind":"x","line":{"page":"1","rect":[1,2]},"to":"y","article":1}`:               "enum body.kind, int_type body.line.page, list_type body.line.rect, enum body.to, bool_type body.article",
		`{"kind":"move","line":` + first + `}`:                                             "missing body.to",
		`{"kind":"renumber","line":` + first + `}`:                                         "missing body.number",
		`{"kind":"renumber","line":` + second + `,"number":"2","begins":1,"onward":"oui"}`: "bool_type body.begins, bool_type body.onward",
		`{"kind":"retitle","line":` + first + `,"title":" "}`:                              "string_too_short body.title",
		`{"kind":"correct","line":` + first + `}`:                                          "missing body.text",
		`{"kind":"merge","line":` + first + `}`:                                            "value_error body.line",
		`{"kind":"renumber","line":` + first + `,"number":"2"}`:                            "value_error body.line",
		`{"kind":"move","to":"next","line":` + second + `}`:                                "value_error body.to",
		`{"kind":"move","to":"after","line":` + second + `}`:                               "value_error body.after",
		`{"kind":"split","line":{"page":1,"rect":[1,500,2,501]}}`:                          "value_error body.line",
		`{"kind":"split","line":{"page":7,"rect":[1,500,2,501]}}`:                          "value_error body.line",
		`{"kind":"split","line":` + second + `,"through":` + first + `}`:                   "value_error body.through",
		`{"kind":"split","line":` + second + `,"date_promulgation":"hier"}`:                "date_from_datetime_parsing body.date_promulgation",
	} {
		if got := strings.Join(found(t, b.do(t, "POST", path, body, editor...)), ", "); got != want {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	}
	made := b.do(t, "POST", path, `{"kind":"split","line":`+second+`,"doc_type":"decret","nature":"Décret","number":"2024 - 3","title":"Décret 3","date_promulgation":"2024-02-01"}`, editor...)
	equal(t, "made", made.status, http.StatusAccepted)
	equal(t, "hint", <-b.hints, i.ID)
	e := decode[gazettes.EditBody](t, made)
	equal(t, "edit", fmt.Sprint(e.Kind, e.Lines, *e.Number, *e.Title, *e.Type, *e.Promulgated, *e.By, e.Fault, e.UndoneAt),
		fmt.Sprint("split", []gazettes.EditLineBody{{Page: 1, Rect: law.Rect{10, 30, 90, 40}, Text: "Art. 1er. Texte."}}, "2024-3", "Décret 3", law.Decret, "2024-02-01", "editor@roles.example", nil, nil))
	equal(t, "queued", decode[gazettes.IngestionBody](t, b.do(t, "GET", transport.Prefix+"/admin/ingestions/"+i.ID.String(), "", editor...)).State, "queued")
	moved := b.do(t, "POST", path, `{"kind":"move","to":"after","line":`+second+`,"after":`+first+`}`, editor...)
	equal(t, "while it waits", moved.status, http.StatusAccepted)
	equal(t, "behind", decode[gazettes.EditBody](t, moved).After.Text, "LOI A")
	equal(t, "hint", <-b.hints, i.ID)
	running, err := b.DB.StartIngestion(t.Context(), i.ID)
	ok(t, err)
	wantDetail(t, b.do(t, "POST", path, `{"kind":"retitle","line":`+first+`,"title":"x"}`, editor...), http.StatusConflict)
	wantDetail(t, b.do(t, "DELETE", path+"/"+e.ID.String(), "", editor...), http.StatusConflict)
	wantDetail(t, b.do(t, "POST", transport.Prefix+"/admin/ingestions/"+i.ID.String()+"/recut", "", editor...), http.StatusConflict)
	ok(t, b.DB.MarkIngestion(t.Context(), i.ID, running.Attempt, "done", ""))
	equal(t, "undone", b.do(t, "DELETE", path+"/"+e.ID.String(), "", editor...).status, http.StatusAccepted)
	equal(t, "hint", <-b.hints, i.ID)
	wantDetail(t, b.do(t, "DELETE", path+"/"+e.ID.String(), "", editor...), http.StatusConflict)
	wantDetail(t, b.do(t, "DELETE", path+"/"+uuid.NewString(), "", editor...), http.StatusNotFound)
	equal(t, "no id", found(t, b.do(t, "DELETE", path+"/x", "", editor...)), []string{"uuid_parsing path.edit_id"})
	items := decode[respond.Listing[gazettes.EditBody]](t, b.do(t, "GET", path, "", editor...)).Items
	if len(items) != 2 || items[0].UndoneAt == nil || items[1].UndoneAt != nil {
		t.Errorf("edits %+v", items)
	}
	wantDetail(t, b.do(t, "POST", transport.Prefix+"/admin/ingestions/"+uuid.NewString()+"/edits", `{"kind":"merge","line":`+first+`}`, editor...), http.StatusNotFound)
	equal(t, "recut", b.do(t, "POST", transport.Prefix+"/admin/ingestions/"+i.ID.String()+"/recut", "", editor...).status, http.StatusAccepted)
}

// drawn is a PDF of one page that records how it is rendered.
type drawn struct {
	dpi   chan float64
	hold  chan struct{} // nil: it is rendered at once
	fault error
}

func (d *drawn) Pages() int { return 1 }

func (d *drawn) Close() error { return nil }

func (d *drawn) Render(ctx context.Context, _ int, dpi float64) (*image.Gray, error) {
	d.dpi <- dpi
	if d.hold != nil {
		select {
		case <-d.hold:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return image.NewGray(image.Rect(0, 0, int(600*dpi/72+0.5), int(800*dpi/72+0.5))), d.fault
}

func TestPageImage(t *testing.T) {
	pdf := &drawn{dpi: make(chan float64, 8)}
	b := setup(t, func(s *Server) { s.OpenPDF = func(context.Context, string) (catalogue.PDF, error) { return pdf, nil } })
	editor := b.as(t, "editor")
	i, _ := b.lined(t)
	path := transport.Prefix + "/admin/ingestions/" + i.ID.String() + "/pages/"
	wantDetail(t, b.do(t, "GET", path+"1.png", "", editor...), http.StatusNotFound) // no bytes
	ok(t, b.Blobs.Put(t.Context(), i.SHA256, strings.NewReader("%PDF")))
	shown := b.do(t, "GET", path+"1.png?width=300", "", editor...)
	equal(t, "status", shown.status, http.StatusOK)
	equal(t, "type", shown.header.Get("Content-Type"), "image/png")
	equal(t, "cache", shown.header.Get("Cache-Control"), "private, max-age=86400")
	equal(t, "dpi", <-pdf.dpi, 36.0)
	equal(t, "points", shown.header.Get("X-Page-Width"), "600.00")
	picture, err := png.Decode(bytes.NewReader(shown.body))
	ok(t, err)
	equal(t, "width", picture.Bounds().Dx(), 300)
	again := b.do(t, "GET", path+"1.png?width=300", "", append(editor, "If-None-Match", shown.header.Get("ETag"))...)
	equal(t, "again", again.status, http.StatusNotModified)
	equal(t, "drawn again", len(pdf.dpi), 0)
	wantDetail(t, b.do(t, "GET", path+"2.png", "", editor...), http.StatusNotFound)
	equal(t, "faults", found(t, b.do(t, "GET", path+"x.png?width=99", "", editor...)), []string{"int_parsing path.page", "greater_than_equal query.width"})
	equal(t, "wide", found(t, b.do(t, "GET", path+"1.png?width=2401", "", editor...)), []string{"less_than_equal query.width"})
	pdf.fault = errs.New(errs.Unprocessable, "La page 1 ne peut pas être convertie en image.")
	equal(t, "damaged", wantDetail(t, b.do(t, "GET", path+"1.png", "", editor...), http.StatusNotFound), "La page 1 ne peut pas être convertie en image.")
}

// Everybody sees pages of gazettes whose texts are in the catalogue, rendered once.
func TestGazettePages(t *testing.T) {
	pdf := &drawn{dpi: make(chan float64, 8)}
	b := setup(t, func(s *Server) { s.OpenPDF = func(context.Context, string) (catalogue.PDF, error) { return pdf, nil } })
	i, lines := b.lined(t)
	ok(t, b.Blobs.Put(t.Context(), i.SHA256, strings.NewReader("%PDF")))
	path := transport.Prefix + "/documents/" + lines[0].DocumentID.String() + "/pages/1.png"
	for range 2 {
		r := b.do(t, "GET", path, "", "Authorization", "")
		equal(t, "status", r.status, http.StatusOK)
		equal(t, "cache", r.header.Get("Cache-Control"), "public, no-cache")
		equal(t, "points", r.header.Get("X-Page-Width"), "600.00")
		picture, err := png.DecodeConfig(bytes.NewReader(r.body))
		ok(t, err)
		equal(t, "width", picture.Width, 1200)
		equal(t, "not changed", b.do(t, "GET", path, "", "If-None-Match", r.header.Get("ETag")).status, http.StatusNotModified)
	}
	equal(t, "rendered", len(pdf.dpi), 1)
	wantDetail(t, b.do(t, "GET", strings.Replace(path, "/1.png", "/2.png", 1), ""), http.StatusNotFound)
	wantDetail(t, b.do(t, "GET", strings.Replace(path, "/1.png", "/99999999999.png", 1), ""), http.StatusNotFound)
	pdf.fault = errs.New(errs.Unprocessable, "La page 1 ne peut pas être convertie en image.")
	damaged := b.do(t, "GET", path+"?width=300", "")
	wantDetail(t, damaged, http.StatusNotFound)
	equal(t, "tag of no image", damaged.header.Get("ETag"), "")
	doubtful := newText("Loi B", "2024-01-01")
	doubtful.Doubts = []law.Doubt{{Field: "numero_officiel", Reason: "Aucun."}}
	b.addTexts(t, doubtful)
	wantDetail(t, b.do(t, "GET", transport.Prefix+"/documents/"+doubtful.Document.ID.String()+"/pages/1.png", ""), http.StatusNotFound)
}

// TestFewPagesAreDrawnAtOnce checks that one page more than can be rendered concurrently is
// refused after a while, and rendered when there is a free slot.
func TestFewPagesAreDrawnAtOnce(t *testing.T) {
	pdf := &drawn{dpi: make(chan float64, 8), hold: make(chan struct{})}
	b := setup(t, func(s *Server) { s.OpenPDF = func(context.Context, string) (catalogue.PDF, error) { return pdf, nil } })
	editor := b.as(t, "editor")
	i, _ := b.lined(t)
	ok(t, b.Blobs.Put(t.Context(), i.SHA256, strings.NewReader("%PDF")))
	path := transport.Prefix + "/admin/ingestions/" + i.ID.String() + "/pages/1.png"
	held := make(chan int, catalogue.DrawMost)
	for n := range catalogue.DrawMost {
		go func() { held <- b.do(t, "GET", fmt.Sprintf("%s?width=%d", path, 300+n), "", editor...).status }()
		<-pdf.dpi
	}
	wantDetail(t, b.do(t, "GET", path, "", editor...), http.StatusServiceUnavailable)
	close(pdf.hold)
	for range catalogue.DrawMost {
		equal(t, "held", <-held, http.StatusOK)
	}
	equal(t, "room", b.do(t, "GET", path, "", editor...).status, http.StatusOK)
}

// TestGuestsLeaveASlot has guests of two networks ask for pages: one slot is left to accounts.
func TestGuestsLeaveASlot(t *testing.T) {
	pdf := &drawn{dpi: make(chan float64, 8), hold: make(chan struct{})}
	b := setup(t, func(s *Server) { s.OpenPDF = func(context.Context, string) (catalogue.PDF, error) { return pdf, nil } })
	i, lines := b.lined(t)
	ok(t, b.Blobs.Put(t.Context(), i.SHA256, strings.NewReader("%PDF")))
	path := transport.Prefix + "/documents/" + lines[0].DocumentID.String() + "/pages/1.png?width="
	held := make(chan int)
	guest := func(width, from string) reply {
		return b.do(t, "GET", path+width, "", append([]string{"Authorization", ""}, comesFrom(from)...)...)
	}
	go func() { held <- guest("300", "192.0.2.1").status }()
	<-pdf.dpi
	wantDetail(t, guest("301", "198.51.100.1"), http.StatusServiceUnavailable)
	editor := b.as(t, "editor")
	go func() {
		held <- b.do(t, "GET", transport.Prefix+"/admin/ingestions/"+i.ID.String()+"/pages/1.png?width=302", "", editor...).status
	}()
	<-pdf.dpi
	close(pdf.hold)
	equal(t, "both", []int{<-held, <-held}, []int{http.StatusOK, http.StatusOK})
}
