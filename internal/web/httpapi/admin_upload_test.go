package httpapi

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/blobs"
	"vigueur/internal/store/postgres/pgtest"
	"vigueur/internal/web/httpapi/gazettes"
)

// form encodes a form of a file and fields, in pairs; no file if it is nil.
func makeForm(t *testing.T, file []byte, name string, fields ...string) (body, kind string) {
	t.Helper()
	var out bytes.Buffer
	w := multipart.NewWriter(&out)
	for i := 0; i < len(fields); i += 2 {
		ok(t, w.WriteField(fields[i], fields[i+1]))
	}
	if file != nil {
		part, err := w.CreateFormFile("file", name)
		ok(t, err)
		_, err = part.Write(file)
		ok(t, err)
	}
	ok(t, w.Close())
	return out.String(), w.FormDataContentType()
}

// upload sends a form as an editor.
func (b *bundle) upload(t *testing.T, file []byte, fields ...string) reply {
	t.Helper()
	body, kind := makeForm(t, file, "jo.pdf", fields...)
	return b.do(t, "POST", uploadRoute, body, append(b.as(t, "editor"), "Content-Type", kind)...)
}

type uploadReply struct {
	Ingestion uuid.UUID  `json:"ingestion_id"`
	Document  *uuid.UUID `json:"document_id"`
	Detail    string     `json:"detail"`
}

func TestUpload(t *testing.T) {
	b := setup(t)
	r := b.upload(t, pdf, "title", " Loi ", "date_promulgation", "2024-05-02", "numero_officiel", "",
		"date_entree_vigueur", "", "exemple", "true", "nature", "Dahir", "doc_type", " ", "inconnu", "x")
	equal(t, "status", r.status, http.StatusAccepted)
	equal(t, "fields", keys(t, r.body), set("ingestion_id", "document_id"))
	id := decode[uploadReply](t, r).Ingestion
	equal(t, "hint", <-b.hints, id)
	row, err := b.DB.Ingestion(t.Context(), id)
	ok(t, err)
	sum := sha256.Sum256(pdf)
	equal(t, "row", []any{row.SHA256, row.Filename, row.Size, row.State}, []any{hex.EncodeToString(sum[:]), "jo.pdf", int64(len(pdf)), "queued"})
	if said := string(row.Metadata); strings.ReplaceAll(said, " ", "") != `{"title":"Loi","nature":"Dahir","exemple":true,"date_promulgation":"2024-05-02"}` {
		t.Errorf("metadata %s", said)
	}
	file, err := b.Blobs.Open(t.Context(), row.SHA256)
	ok(t, err)
	stored, err := io.ReadAll(file)
	ok(t, errors.Join(err, file.Close()))
	equal(t, "bytes", bytes.Equal(stored, pdf), true)

	again := b.upload(t, pdf)
	equal(t, "again", again.status, http.StatusConflict)
	equal(t, "of the conflict", keys(t, again.body), set("detail", "document_id"))
	equal(t, "no text yet", decode[uploadReply](t, again).Document, (*uuid.UUID)(nil))
	row, err = b.DB.StartIngestion(t.Context(), id)
	ok(t, err)
	text := newText("Loi", "2024-05-02")
	b.endFile(t, row, "done", "", text)
	equal(t, "its text", *decode[uploadReply](t, b.upload(t, pdf)).Document, text.Document.ID)
}

func TestUploadRefusesBadInput(t *testing.T) {
	b := setup(t)
	editor := b.as(t, "editor")
	wantDetail(t, b.upload(t, []byte("<html>"+strings.Repeat(" ", 5000))), http.StatusUnsupportedMediaType)
	wantDetail(t, b.upload(t, []byte{}), http.StatusUnsupportedMediaType)
	wantDetail(t, b.do(t, "POST", uploadRoute, `{}`, editor...), http.StatusUnsupportedMediaType)
	equal(t, "no file", found(t, b.upload(t, nil, "doc_type", "x", "domaine", "mer", "date_promulgation", "hier")),
		[]string{"missing body.file", "enum body.doc_type", "date_from_datetime_parsing body.date_promulgation"})
	equal(t, "no such domain", found(t, b.upload(t, pdf, "domaine", "mer")), []string{"enum body.domaine"})
	for _, name := range []string{"", "nom à part", strings.Repeat("a", 101)} {
		equal(t, "field called "+name, found(t, b.upload(t, pdf, name, "x")), []string{"value_error body"})
	}
	whole, kind := makeForm(t, pdf, "jo.pdf")
	wantDetail(t, b.do(t, "POST", uploadRoute, whole[:len(whole)-40], append(editor, "Content-Type", kind)...), http.StatusBadRequest)
	equal(t, "long field", b.upload(t, pdf, "title", strings.Repeat("a", fieldLimit+1)).status, http.StatusRequestEntityTooLarge)
	var many, large []string
	for i := range partsLimit {
		many = append(many, fmt.Sprintf("a%d", i), "x")
	}
	for i := range formLimit/fieldLimit + 1 {
		large = append(large, fmt.Sprintf("a%d", i), strings.Repeat("a", fieldLimit))
	}
	equal(t, "many fields", b.upload(t, pdf, many...).status, http.StatusRequestEntityTooLarge)
	equal(t, "large fields", b.upload(t, nil, large...).status, http.StatusRequestEntityTooLarge)
	sum := sha256.Sum256(pdf)
	if _, err := b.DB.IngestionBySHA(t.Context(), hex.EncodeToString(sum[:])); !errs.Is(err, errs.NotFound) {
		t.Errorf("a refused upload left a row: %v", err)
	}
}

// zeros is a file of that many bytes that begins like a PDF.
func zeros(n int64) io.Reader {
	return io.MultiReader(strings.NewReader("%PDF-1.7 "), io.LimitReader(nothing{}, n-9))
}

type nothing struct{}

func (nothing) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// Not parallel: the allocations of other tests would be counted.
func TestUploadOverTheLimitCostsNoMemory(t *testing.T) {
	b := start(t, pgtest.New(t), sharedRedis.URL())
	editor, head, tail := b.as(t, "editor"), "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.pdf\"\r\n\r\n", "\r\n--x--\r\n"
	send := func() (int, uint64) {
		body := io.MultiReader(strings.NewReader(head), zeros(gazettes.UploadLimit+1), strings.NewReader(tail))
		r, err := http.NewRequestWithContext(t.Context(), "POST", b.url+uploadRoute, io.NopCloser(body))
		ok(t, err)
		r.ContentLength = -1 // chunked
		r.Header.Set("Content-Type", "multipart/form-data; boundary=x")
		r.Header.Set(editor[0], editor[1])
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		response, err := b.client.Do(r)
		ok(t, err)
		defer response.Body.Close()
		runtime.ReadMemStats(&after)
		return response.StatusCode, after.TotalAlloc - before.TotalAlloc
	}
	status, allocated := send()
	equal(t, "in chunks", status, http.StatusRequestEntityTooLarge)
	if allocated > gazettes.UploadLimit/2 {
		t.Errorf("%d MiB were allocated on the way", allocated>>20)
	}
}

func TestUploadThatSaysItIsTooLargeIsRefusedAtOnce(t *testing.T) {
	b := setup(t, func(s *Server) { s.limits.Linger = 0 }) // it reads before it has sent everything
	conn, err := net.Dial("tcp", strings.TrimPrefix(b.url, "http://"))
	ok(t, err)
	defer conn.Close()
	_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: x\r\n%s: %s\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: %d\r\n\r\n%s",
		uploadRoute, b.as(t, "editor")[0], b.as(t, "editor")[1], gazettes.UploadLimit+formLimit+1, strings.Repeat("a", 8<<10))
	ok(t, err)
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	ok(t, err)
	defer response.Body.Close()
	equal(t, "status", response.StatusCode, http.StatusRequestEntityTooLarge)
}

// held is a store whose first Put waits until it is released.
type held struct {
	blobs.Store
	once              sync.Once
	arrived, released chan struct{}
}

func (h *held) Put(ctx context.Context, sha string, r io.Reader) error {
	h.once.Do(func() {
		close(h.arrived)
		<-h.released
	})
	return h.Store.Put(ctx, sha, r)
}

// Concurrent uploads are limited: one more is rejected before it is read, and accepted once
// another has ended.
func TestUploadsAtOnceAreBounded(t *testing.T) {
	store := &held{arrived: make(chan struct{}), released: make(chan struct{})}
	b := setup(t, func(s *Server) { s.Uploads, store.Store, s.Blobs = 1, s.Blobs, store })
	release := sync.OnceFunc(func() { close(store.released) })
	t.Cleanup(release) // a server that ends waits for its uploads
	editor := b.as(t, "editor")
	body, kind := makeForm(t, []byte("%PDF-1.7 premier"), "premier.pdf")
	conn := b.dial(t, fmt.Sprintf("POST %s HTTP/1.1\r\nHost: x\r\n%s: %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s",
		uploadRoute, editor[0], editor[1], kind, len(body), body))
	select {
	case <-store.arrived:
	case <-time.After(3 * time.Minute):
		t.Fatal("the first file is not stored")
	}
	r := b.upload(t, pdf)
	wantDetail(t, r, http.StatusServiceUnavailable)
	equal(t, "Retry-After", r.header.Get("Retry-After"), "5")
	release()
	first, err := http.ReadResponse(bufio.NewReader(conn), nil)
	ok(t, err)
	equal(t, "the first", first.StatusCode, http.StatusAccepted)
	ok(t, first.Body.Close())
	equal(t, "once it has ended", b.upload(t, pdf).status, http.StatusAccepted)
}

// The unread rest of a rejected upload must never be parsed as a request.
func TestRefusedUploadEndsTheConnection(t *testing.T) {
	b := setup(t)
	conn, err := net.Dial("tcp", strings.TrimPrefix(b.url, "http://"))
	ok(t, err)
	defer conn.Close()
	inner := strings.Repeat("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", 1000)
	_, err = io.WriteString(conn, "POST "+uploadRoute+" HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 34000\r\n\r\n"+inner)
	ok(t, err)
	reader := bufio.NewReader(conn)
	response, err := http.ReadResponse(reader, nil)
	ok(t, err)
	_, err = io.Copy(io.Discard, response.Body)
	ok(t, err)
	equal(t, "status", response.StatusCode, http.StatusUnauthorized)
	if more, err := io.ReadAll(reader); len(more) > 0 {
		t.Errorf("after the refusal came %.60q (%v)", more, err)
	}
}
