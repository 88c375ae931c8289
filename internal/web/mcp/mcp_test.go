package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/testkit/leak"
	"vigueur/internal/law"
	"vigueur/internal/search/verify"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/postgres/pgtest"
	"vigueur/internal/web/mcp"
)

func TestMain(m *testing.M) { leak.Main(m) }

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// today is the day on which the tests read.
var today = time.Date(2030, 6, 1, 0, 0, 0, 0, time.UTC)

// bundle is a service with two texts, the second of which repeals the first from 2031 on.
type bundle struct {
	*mcp.Service
	labour, later postgres.StoredText
	*sdk.ClientSession
}

// textOf returns a text with one article.
func textOf(title, number, day, words string) postgres.StoredText {
	date, _ := time.Parse(time.DateOnly, day)
	t := postgres.StoredText{Document: law.Document{ID: postgres.NewID(), Title: title, Type: law.Loi, Domain: "travail", OfficialNumber: number,
		Promulgated: date, EntersInForce: date, FirstPage: 3, LastPage: 3}, Countries: []string{"bj"}}
	a := law.Article{ID: postgres.NewID(), Number: "1er", Page: 3, Text: words,
		Spans: []law.Span{{Start: 0, End: len(words), Page: 3, Rect: law.Rect{10, 20, 200, 30}}}}
	t.Articles = []law.Article{a}
	t.Passages = []law.Passage{{ID: postgres.NewID(), ArticleID: a.ID, Page: 3, Text: words}}
	return t
}

func setup(t *testing.T, ask func(context.Context, mcp.Question) (mcp.Answer, error)) *bundle {
	t.Helper()
	t.Parallel()
	db := pgtest.New(t)
	b := &bundle{Service: &mcp.Service{DB: db, BaseURL: "https://droit.example", Version: "1", Now: func() time.Time { return today }, Ask: ask}}
	b.labour = textOf("Loi n° 2023-07 portant code du travail", "2023-07", "2023-03-14", "Le préavis est de trois mois pour les cadres.")
	b.labour.Document.AsOf = new(today.AddDate(0, 0, 1))
	b.later = textOf("Loi n° 2030-09 portant réforme du travail", "2030-09", "2030-12-01", "La loi n° 2023-07 est abrogée.")
	b.later.Relations = []law.Relation{{ID: postgres.NewID(), SourceArticle: b.later.Articles[0].ID, Kind: law.Repeals, TargetType: law.Loi,
		TargetNumber: "2023-07", Effective: time.Date(2030, 12, 1, 0, 0, 0, 0, time.UTC)}}
	for n, text := range []postgres.StoredText{b.labour, b.later} {
		i := postgres.Ingestion{ID: postgres.NewID(), SHA256: strings.Repeat("0", 63) + string(rune('1'+n)), Filename: "a.pdf", Size: 1}
		ok(t, pgtest.AddFile(t.Context(), db, i))
		started, err := db.StartIngestion(t.Context(), i.ID)
		ok(t, err)
		ok(t, db.SaveSegmentation(t.Context(), i.ID, started.Attempt, postgres.Segmentation{Texts: []postgres.StoredText{text}}))
	}
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	served := make(chan error, 1)
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	go func() { served <- b.Serve(ctx, toServer, fromServer) }()
	client := sdk.NewClient(&sdk.Implementation{Name: "essai", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &sdk.IOTransport{Reader: toClient, Writer: fromClient}, nil)
	ok(t, err)
	t.Cleanup(func() {
		_ = session.Close() // the server's end tells
		stop()
		_ = toServer.Close()
		if err := <-served; err != nil {
			t.Errorf("served: %v", err)
		}
	})
	b.ClientSession = session
	return b
}

// call calls a tool and returns what it told, and whether that is a refusal.
func (b *bundle) call(t *testing.T, tool string, arguments any) (told string, refused bool) {
	t.Helper()
	r, err := b.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
	ok(t, err)
	text, holds := r.Content[0].(*sdk.TextContent)
	if !holds || len(r.Content) != 1 || r.IsError == (r.StructuredContent != nil) {
		t.Fatalf("%s: %+v", tool, r)
	}
	return text.Text, r.IsError
}

// read calls a tool that must succeed.
func read[T any](t *testing.T, b *bundle, tool string, arguments any) (out T) {
	t.Helper()
	told, refused := b.call(t, tool, arguments)
	if refused {
		t.Fatalf("%s: %s", tool, told)
	}
	ok(t, json.Unmarshal([]byte(told), &out))
	return out
}

type object = map[string]any

// sourced checks the source that every result has.
func (b *bundle) sourced(t *testing.T, s mcp.Source, text postgres.StoredText, day string) {
	t.Helper()
	if s.DocumentID != text.Document.ID || s.Number != text.Document.OfficialNumber || s.Day != day || s.Page != 3 || s.Status == "" || len(s.Countries) != 1 ||
		!strings.HasPrefix(s.URL, "https://droit.example/textes/"+text.Document.ID.String()) {
		t.Errorf("source %+v", s)
	}
}

func TestTools(t *testing.T) {
	b := setup(t, func(_ context.Context, q mcp.Question) (mcp.Answer, error) {
		if q.Question == "Panne ?" {
			return mcp.Answer{}, errs.Wrap(errs.Unavailable, "Les workers ne répondent pas.", errors.New("secret"))
		}
		return mcp.Answer{Text: q.Question + " " + q.Country, Sources: []mcp.Source{}}, nil
	})
	list, err := b.ListTools(t.Context(), nil)
	if err != nil || len(list.Tools) != 8 {
		t.Fatalf("%d tools, %v", len(list.Tools), err)
	}
	for _, tool := range list.Tools {
		if !tool.Annotations.ReadOnlyHint || tool.Description == "" {
			t.Errorf("tool %+v", tool)
		}
	}
	document := b.labour.Document.ID.String()

	found := read[struct {
		Items []struct {
			mcp.Source
			Excerpt string
		}
		Total int
	}](t, b, "search_articles", object{"query": "préavis cadres", "date": "2030-01-01"})
	if found.Total != 1 || len(found.Items) != 1 || !strings.Contains(found.Items[0].Excerpt, "trois mois") {
		t.Fatalf("found %+v", found)
	}
	b.sourced(t, found.Items[0].Source, b.labour, "2030-01-01")

	article := read[struct {
		mcp.Source
		Text string
	}](t, b, "read_article", object{"document_id": document, "article": "1"})
	b.sourced(t, article.Source, b.labour, "2030-06-01")
	if article.Text != b.labour.Articles[0].Text || len(article.Regions) != 1 || *article.ArticleID != b.labour.Articles[0].ID {
		t.Errorf("article %+v", article)
	}

	if article.AsOf != "2030-06-02" || article.Notice != "version consolidée au 2 juin 2030 : l’état du texte au 1er juin 2030 n’est pas connu" {
		t.Errorf("a consolidated edition of a later day: %q, %q", article.AsOf, article.Notice)
	}

	status := read[struct {
		mcp.Source
		RepealedOn string `json:"date_abrogation"`
		RepealedBy []struct {
			ID    uuid.UUID `json:"document_id"`
			Since string
		} `json:"repealed_by"`
	}](t, b, "text_status", object{"document_id": document})
	b.sourced(t, status.Source, b.labour, "2030-06-01")
	if len(status.RepealedBy) != 1 || status.RepealedBy[0].ID != b.later.Document.ID || status.RepealedBy[0].Since != "2030-12-01" || status.RepealedOn != "2030-12-01" {
		t.Errorf("status %+v", status)
	}

	meant := read[struct {
		Items []struct {
			Articles []string
			Texts    []mcp.Source
			Absent   bool
		}
	}](t, b, "resolve_reference", object{"reference": "article 1er de la loi 2023-07"})
	if len(meant.Items) != 1 || len(meant.Items[0].Texts) != 1 || len(meant.Items[0].Articles) != 1 {
		t.Fatalf("meant %+v", meant)
	}
	b.sourced(t, meant.Items[0].Texts[0], b.labour, "2030-06-01")

	for quote, want := range map[string]string{"le préavis est de trois mois": "identique", "le préavis est de deux mois": "differente", "la grève est libre": "absente"} {
		v := read[struct {
			mcp.Source
			Verdict     string
			Differences []struct{ Quoted, Article string }
		}](t, b, "verify_citation", object{"document_id": document, "article": "1er", "quote": quote, "date": "2024-01-01"})
		b.sourced(t, v.Source, b.labour, "2024-01-01")
		if v.Verdict != want || (want == "differente") != (len(v.Differences) == 1 && v.Differences[0].Article == "trois") {
			t.Errorf("%s: %+v", quote, v)
		}
	}

	checked := read[struct {
		Date, Text string
		References []struct {
			Name, State, Told string
			Texts             []struct{ URL string }
			Articles          []struct{ Number, State string }
		}
		Quotations []struct {
			Quote, Verdict string
			Reference      *int
			Differences    []struct{ Quoted, Article string }
		}
	}](t, b, "verify", object{"text": "L’article 1er de la loi n° 2023-07 dit : « Le préavis est de deux mois pour les cadres ».\r\nVoir la loi n° 1999-01.", "date": "2031-01-01", "pays": "bj"})
	if checked.Date != "2031-01-01" || checked.Text != "" || len(checked.References) != 2 || len(checked.Quotations) != 1 {
		t.Fatalf("checked %+v", checked)
	}
	if r := checked.References[0]; r.State != "abroge" || len(r.Articles) != 1 || len(r.Texts) != 1 || r.Texts[0].URL != "https://droit.example/textes/"+document {
		t.Errorf("reference %+v", r)
	}
	if r := checked.References[1]; r.State != "absent" || r.Name != "loi n° 1999-01" || r.Told == "" {
		t.Errorf("reference %+v", r)
	}
	if q := checked.Quotations[0]; q.Quote != "Le préavis est de deux mois pour les cadres" || q.Verdict != "differente" || q.Reference == nil || *q.Reference != 0 || len(q.Differences) != 1 || q.Differences[0].Quoted != "deux" {
		t.Errorf("quotation %+v", q)
	}

	covered := read[struct {
		Texts     int
		Countries []struct {
			Value string
			Texts int
		} `json:"pays"`
	}](t, b, "coverage", nil)
	if covered.Texts != 2 || len(covered.Countries) != 1 || covered.Countries[0].Value != "bj" || covered.Countries[0].Texts != 2 {
		t.Errorf("covered %+v", covered)
	}

	if a := read[mcp.Answer](t, b, "ask", object{"question": "Combien ?", "pays": "bj"}); a.Text != "Combien ? bj" {
		t.Errorf("answer %+v", a)
	}
	if told, refused := b.call(t, "ask", object{"question": "Panne ?"}); !refused || told != "Les workers ne répondent pas." {
		t.Errorf("a failed question: %v, %q", refused, told)
	}
}

func TestRefusals(t *testing.T) {
	b := setup(t, nil)
	document := b.labour.Document.ID.String()
	for _, c := range []struct {
		tool      string
		arguments any
		want      string
	}{
		{"search_articles", nil, "« query » manque"},
		{"search_articles", object{"query": 3}, "« query » n’est pas du type attendu : un texte."},
		{"search_articles", object{"query": "a", "limit": "2"}, "« limit » n’est pas du type attendu : un entier."},
		{"search_articles", object{"query": "a", "limit": json.RawMessage("2.5")}, "« limit » n’est pas du type attendu : un entier."},
		{"search_articles", object{"query": "a", "limit": json.RawMessage("21.0")}, "1 à 20"},
		{"search_articles", object{"query": "a", "page": 1}, "« page » n’existe pas"},
		{"search_articles", object{"query": strings.Repeat("é", 201)}, "201 caractères ; 200 au plus"},
		{"search_articles", object{"query": "a", "limit": 21}, "1 à 20"},
		{"search_articles", object{"query": "a", "date": "1er mai"}, "AAAA-MM-JJ"},
		{"search_articles", object{"query": "a", "pays": "zz"}, "« pays » ne peut pas valoir « zz »"},
		{"search_articles", object{"query": "a", "doc_type": "roman"}, "« doc_type » ne peut pas valoir « roman »"},
		{"search_articles", []int{1}, "type attendu"},
		{"read_article", object{"document_id": "x", "article": "1"}, "n’est pas l’identifiant"},
		{"read_article", object{"document_id": uuid.NewString(), "article": "1"}, "n’est pas au catalogue"},
		{"read_article", object{"document_id": document, "article": "99"}, "pas d’article « 99 » en vigueur le 1er juin 2030"},
		{"read_article", object{"document_id": document, "article": "1", "date": "2020-01-01"}, "en vigueur le 1er janvier 2020"},
		{"text_status", object{"document_id": uuid.NewString()}, "n’est pas au catalogue"},
		{"verify_citation", object{"document_id": document, "article": "1"}, "« quote » manque"},
		{"verify", nil, "« text » manque"},
		{"verify", object{"text": " \n"}, "« text » manque"},
		{"verify", object{"text": strings.Repeat("é", verify.MostCharacters+1)}, "500001 caractères ; 500000 au plus"},
		{"verify", object{"text": "a", "date": "demain"}, "AAAA-MM-JJ"},
		{"verify", object{"text": "a", "pays": "Bénin"}, "« pays » ne peut pas valoir « Bénin »"},
		{"verify", object{"text": "a", "file": "x.pdf"}, "« file » n’existe pas"},
	} {
		if told, refused := b.call(t, c.tool, c.arguments); !refused || !strings.Contains(told, c.want) {
			t.Errorf("%s %v: %v, %q", c.tool, c.arguments, refused, told)
		}
	}
	if _, err := b.CallTool(t.Context(), &sdk.CallToolParams{Name: "ask", Arguments: object{"question": "Combien ?"}}); err == nil {
		t.Error("there is a tool ask, and nobody to ask")
	}
}

func TestResources(t *testing.T) {
	b := setup(t, nil)
	document, article := b.labour.Document.ID.String(), b.labour.Articles[0].ID.String()
	list, err := b.ListResourceTemplates(t.Context(), nil)
	if err != nil || len(list.ResourceTemplates) != 2 {
		t.Fatalf("%v, %v", list, err)
	}
	for uri, want := range map[string]string{"vigueur://textes/" + document: "Loi n° 2023-07", "vigueur://textes/" + document + "/articles/" + article: "Le préavis est de trois mois"} {
		r, err := b.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		ok(t, err)
		if len(r.Contents) != 1 || !strings.Contains(r.Contents[0].Text, want) {
			t.Errorf("%s: %+v", uri, r.Contents)
		}
	}
	for _, uri := range []string{"vigueur://textes/x", "vigueur://textes/" + uuid.NewString(), "vigueur://textes/" + document + "/articles/x", "vigueur://textes/" + document + "/articles/" + uuid.NewString(), "file:///etc/passwd"} {
		if r, err := b.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri}); err == nil {
			t.Errorf("%s: %+v", uri, r)
		}
	}
}

// What the SDK refuses before a tool sees it is told in French too, and so is a line that is no
// message, after which others are read.
func TestRefusedLines(t *testing.T) {
	t.Parallel()
	const first = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"essai","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`
	from, to := io.Pipe()
	done := make(chan error, 1)
	s := &mcp.Service{Version: "1", Now: func() time.Time { return today }}
	toServer, fromClient := io.Pipe()
	go func() {
		err := s.Serve(t.Context(), toServer, to)
		_ = to.Close()
		done <- err
	}()
	replies := json.NewDecoder(from)
	type reply struct {
		ID    any
		Error struct {
			Code    int
			Message string
		}
	}
	exchange := func(line string) (r reply) {
		t.Helper()
		go func() { _, _ = io.WriteString(fromClient, line) }() // the reply tells
		ok(t, replies.Decode(&r))
		return r
	}
	if r := exchange(first); r.ID != 1.0 || r.Error.Message != "" {
		t.Fatalf("%+v", r)
	}
	long := strings.Repeat("a", 1<<20)
	for _, c := range []struct {
		line string
		id   any
		code int
		want string
	}{
		{`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":[1]}`, 2.0, -32602, "ses paramètres ne sont pas valables."},
		{`{"jsonrpc":"2.0","id":3,"method":"drop/everything","params":{}}`, 3.0, -32600, "sa méthode n’existe pas"},
		{`[{"jsonrpc":"2.0","id":4,"method":"ping"}]`, nil, -32600, "les lots de messages ne sont pas admis"},
		{` []`, nil, -32600, "les lots de messages ne sont pas admis"},
		{`bonjour`, nil, -32700, "pas un message JSON-RPC 2.0"},
		{`{"jsonrpc":"2.0","id":`, nil, -32700, "pas un message JSON-RPC 2.0"},
		{`{"id":"a","method":"ping"}`, "a", -32600, "pas un message JSON-RPC 2.0"},
		{`{"jsonrpc":"2.0","id":{},"method":"ping"}`, nil, -32600, "pas un message JSON-RPC 2.0"},
		{`{"jsonrpc":"2.0","id":5,"method":"ping"} {"jsonrpc":"2.0","id":6,"method":"ping"}`, nil, -32700, "pas un message JSON-RPC 2.0"},
		{`{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":"` + long + `"}}`, nil, -32600, "1 Mio au plus"},
	} {
		if r := exchange(c.line + "\n"); r.ID != c.id || r.Error.Code != c.code || !strings.Contains(r.Error.Message, c.want) {
			t.Errorf("%.60s: %+v", c.line, r)
		}
		if r := exchange("\r\n" + `{"jsonrpc":"2.0","id":9,"method":"ping"}` + "\r\n"); r.ID != 9.0 || r.Error.Message != "" {
			t.Errorf("after %.60s: %+v", c.line, r)
		}
	}
	most := `{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"verify","arguments":{"text":""}}}`
	if r := exchange(most + strings.Repeat(" ", 1<<20-len(most)) + "\n"); r.ID != 8.0 || r.Error.Message != "" {
		t.Errorf("the longest line: %+v", r)
	}
	ok(t, fromClient.Close())
	ok(t, <-done)
}
