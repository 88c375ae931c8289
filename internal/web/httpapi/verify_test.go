package httpapi

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"vigueur/internal/kit/paper"
	"vigueur/internal/search/verify"
	"vigueur/internal/web/httpapi/catalogue"
)

const brief = "Vu l’article 1er du code du travail, qui dit 🙂 : « La démission du salarié est précédée d’un préavis écrit de deux mois »."

func TestVerify(t *testing.T) {
	b := setup(t, func(s *Server) { s.BaseURL = "https://droit.example/" })
	labour, _ := b.addLaws(t)
	r := b.do(t, "POST", catalogue.VerifyRoute, fmt.Sprintf(`{"text":%q,"date":"2026-01-01","pays":"bj"}`, brief), b.as(t, "user")...)
	if r.status != http.StatusOK {
		t.Fatalf("%d %s", r.status, r.body)
	}
	got := decode[verify.Report](t, r)
	if len(got.References) != 1 || len(got.Quotations) != 1 {
		t.Fatalf("%s", r.body)
	}
	f, q := got.References[0], got.Quotations[0]
	equal(t, "text", f.Sources[0].ID, labour.Document.ID)
	equal(t, "state", f.State, verify.InForce)
	equal(t, "address", f.Articles[0].URL, "https://droit.example/textes/"+labour.Document.ID.String()+"?article="+labour.Articles[0].ID.String())
	equal(t, "verdict", string(q.Verdict), "differente")
	equal(t, "reference", *q.Reference, 0)
	equal(t, "quoted", strings.TrimSpace(string([]rune(got.Text)[q.Start:q.End])), "La démission du salarié est précédée d’un préavis écrit de deux mois")

	var word bytes.Buffer
	ok(t, paper.Docx(&word, paper.Paper{Title: "Mémoire", Markdown: []byte(brief)}))
	body, kind := makeForm(t, word.Bytes(), "mémoire.docx", "date", "2026-01-01", "pays", "bj", "autre", "x")
	r = b.do(t, "POST", catalogue.VerifyRoute, body, append(b.as(t, "user"), "Content-Type", kind)...)
	if file := decode[verify.Report](t, r); r.status != http.StatusOK || len(file.References) != 1 || len(file.Quotations) != 1 || file.Quotations[0].Verdict != q.Verdict {
		t.Errorf("%d %s", r.status, r.body)
	}
}

func TestVerifyRefuses(t *testing.T) {
	b := setup(t)
	user := b.as(t, "user")
	for body, field := range map[string]string{
		`{}`:                          "text",
		`{"text":""}`:                 "text",
		`{"text":5}`:                  "text",
		`{"text":"a","date":"hier"}`:  "date",
		`{"text":"a","pays":"Bénin"}`: "pays",
	} {
		r := b.do(t, "POST", catalogue.VerifyRoute, body, user...)
		if r.status != http.StatusUnprocessableEntity || !strings.Contains(string(r.body), `"`+field+`"`) {
			t.Errorf("%s: %d %s", body, r.status, r.body)
		}
	}
	long := strings.Repeat("a", verify.MostCharacters+1)
	equal(t, "long", b.do(t, "POST", catalogue.VerifyRoute, fmt.Sprintf(`{"text":%q}`, long), user...).status, http.StatusUnprocessableEntity)
	for _, c := range []struct {
		file   []byte
		fields []string
		status int
	}{
		{nil, nil, http.StatusUnprocessableEntity},
		{[]byte("Vu la loi."), []string{"date", "demain"}, http.StatusUnprocessableEntity},
		{[]byte{}, nil, http.StatusUnprocessableEntity},
		{[]byte("\x89PNG\x00"), nil, http.StatusUnsupportedMediaType},
		{pdf, nil, http.StatusUnprocessableEntity},
		{bytes.Repeat([]byte("a "), verify.MostBytes/2+1), nil, http.StatusRequestEntityTooLarge},
	} {
		body, kind := makeForm(t, c.file, "x", c.fields...)
		if r := b.do(t, "POST", catalogue.VerifyRoute, body, append(user, "Content-Type", kind)...); r.status != c.status {
			t.Errorf("%.20q %v: %d %s", c.file, c.fields, r.status, r.body)
		}
	}
	equal(t, "of another type", b.do(t, "POST", catalogue.VerifyRoute, "a", append(user, "Content-Type", "text/plain")...).status, http.StatusUnsupportedMediaType)
}

// A file that would be larger than the limit is refused before it arrives.
func TestVerifyRefusesALargeFileUnread(t *testing.T) {
	b := setup(t)
	user := b.as(t, "user")
	conn, err := net.Dial("tcp", strings.TrimPrefix(b.url, "http://"))
	ok(t, err)
	defer conn.Close()
	_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: x\r\n%s: %s\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: %d\r\n\r\n--x\r\n", catalogue.VerifyRoute, user[0], user[1], 50<<20)
	ok(t, err)
	head := make([]byte, 64)
	_, err = io.ReadFull(conn, head)
	ok(t, err)
	if !bytes.HasPrefix(head, []byte("HTTP/1.1 413")) {
		t.Errorf("%s", head)
	}
}
