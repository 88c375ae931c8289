package httpapi

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/web/httpapi/gazettes"
)

// partial is a client that sends a file by parts.
type partial struct {
	*bundle
	as []string // headers of its account
}

func (p partial) send(t *testing.T, method, path, body string, headers ...string) reply {
	t.Helper()
	return p.do(t, method, path, body, append(append([]string{"Tus-Resumable", "1.0.0"}, p.as...), headers...)...)
}

// begin announces a file, with fields in pairs.
func (p partial) begin(t *testing.T, file []byte, fields ...string) reply {
	t.Helper()
	sum := sha256.Sum256(file)
	fields = append([]string{"filename", "jo.pdf", "sha256", hex.EncodeToString(sum[:])}, fields...)
	var said []string
	for i := 0; i < len(fields); i += 2 {
		said = append(said, fields[i]+" "+base64.StdEncoding.EncodeToString([]byte(fields[i+1])))
	}
	return p.send(t, "POST", gazettes.PartsRoute, "", "Upload-Length", strconv.Itoa(len(file)), "Upload-Metadata", strings.Join(said, ","))
}

// part sends bytes from an offset on.
func (p partial) part(t *testing.T, place string, offset int, bytes []byte) reply {
	t.Helper()
	return p.send(t, "PATCH", place, string(bytes), "Content-Type", "application/offset+octet-stream", "Upload-Offset", strconv.Itoa(offset))
}

func (p partial) offset(t *testing.T, place string) string {
	t.Helper()
	r := p.send(t, "HEAD", place, "")
	equal(t, "state of the upload", r.status, http.StatusOK)
	equal(t, "caching", r.header.Get("Cache-Control"), "no-store")
	return r.header.Get("Upload-Offset")
}

// longPDF is a PDF of some size.
func longPDF(size int) []byte {
	return append(bytes.Clone(pdf), bytes.Repeat([]byte("% ligne\n"), size/8)...)
}

func TestAFileArrivesByParts(t *testing.T) {
	b := setup(t)
	p := partial{b, b.as(t, "editor")}
	file := longPDF(9 << 20)
	r := p.begin(t, file, "title", " Loi ", "date_promulgation", "2024-05-02", "nature", "")
	equal(t, "announced", []string{fmt.Sprint(r.status), r.header.Get("Upload-Offset"), r.header.Get("Tus-Resumable")}, []string{"201", "0", "1.0.0"})
	if day, err := http.ParseTime(r.header.Get("Upload-Expires")); err != nil || !day.After(time.Now()) {
		t.Errorf("expires %v: %v", day, err)
	}
	place := r.header.Get("Location")
	equal(t, "offset", p.offset(t, place), "0")
	equal(t, "the same announced again", p.begin(t, file, "title", "Loi", "date_promulgation", "2024-05-02").header.Get("Location"), place)
	if other := p.begin(t, file).header.Get("Location"); other == place {
		t.Error("a file of which something else is said goes on as the same")
	}

	r = p.part(t, place, 0, file[:5<<20])
	equal(t, "first part", []string{fmt.Sprint(r.status), r.header.Get("Upload-Offset")}, []string{"204", fmt.Sprint(5 << 20)})
	wantDetail(t, p.part(t, place, 0, file[:10]), http.StatusConflict)
	equal(t, "no bytes", p.part(t, place, 5<<20, nil).status, http.StatusNoContent)
	equal(t, "offset", p.offset(t, place), fmt.Sprint(5<<20))
	shown := p.send(t, "GET", place, "")
	equal(t, "shown", keys(t, shown.body), set("id", "filename", "size", "received", "expires_at"))
	equal(t, "last part", p.part(t, place, 5<<20, file[5<<20:]).status, http.StatusNoContent)
	equal(t, "offset", p.offset(t, place), fmt.Sprint(len(file)))

	sum := sha256.Sum256(file)
	row, err := b.DB.IngestionBySHA(t.Context(), hex.EncodeToString(sum[:]))
	ok(t, err)
	equal(t, "hint", <-b.hints, row.ID)
	if said := strings.ReplaceAll(string(row.Metadata), " ", ""); said != `{"title":"Loi","date_promulgation":"2024-05-02"}` || row.Filename != "jo.pdf" || row.Size != int64(len(file)) {
		t.Errorf("row %+v, metadata %s", row, said)
	}
	stored, err := b.Blobs.Open(t.Context(), row.SHA256)
	ok(t, err)
	all, err := io.ReadAll(stored)
	ok(t, errors.Join(err, stored.Close()))
	equal(t, "bytes", bytes.Equal(all, file), true)
	equal(t, "known", p.begin(t, file).status, http.StatusConflict)
	ok(t, b.Blobs.Delete(t.Context(), row.SHA256))
	lost := p.begin(t, file)
	equal(t, "known, its bytes lost", lost.status, http.StatusCreated)
	equal(t, "sent again", p.part(t, lost.header.Get("Location"), 0, file).status, http.StatusConflict)
	stored, err = b.Blobs.Open(t.Context(), row.SHA256)
	ok(t, err)
	ok(t, stored.Close())
	equal(t, "forgotten", p.send(t, "DELETE", place, "").status, http.StatusNoContent)
	equal(t, "gone", p.send(t, "HEAD", place, "").status, http.StatusNotFound)
}

// What arrived before the line was cut off is kept, and the file goes on from there.
func TestALineIsCutWithinAPart(t *testing.T) {
	b := setup(t)
	p := partial{b, b.as(t, "editor")}
	file := longPDF(2 << 20)
	place := p.begin(t, file).header.Get("Location")
	sent := 0
	for _, n := range []int{1, 900, 70_000, 1 << 20} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(b.url, "http://"))
		ok(t, err)
		fmt.Fprintf(conn, "PATCH %s HTTP/1.1\r\nHost: x\r\n%s: %s\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: %d\r\nContent-Type: application/offset+octet-stream\r\nContent-Length: %d\r\n\r\n",
			place, p.as[0], p.as[1], sent, len(file)-sent)
		_, err = conn.Write(file[sent : sent+n])
		ok(t, err)
		ok(t, conn.Close())
		sent += n
		for deadline := time.Now().Add(time.Minute); p.offset(t, place) != strconv.Itoa(sent); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("after %d bytes %s have arrived", sent, p.offset(t, place))
			}
		}
	}
	equal(t, "the rest", p.part(t, place, sent, file[sent:]).status, http.StatusNoContent)
	equal(t, "hint", <-b.hints != uuid.Nil, true)
}

func TestUploadsByPartsRefuseBadInput(t *testing.T) {
	b := setup(t)
	p := partial{b, b.as(t, "editor")}
	wantDetail(t, p.do(t, "POST", gazettes.PartsRoute, "", p.as...), http.StatusPreconditionFailed)
	equal(t, "versions", p.do(t, "POST", gazettes.PartsRoute, "", append([]string{"Tus-Resumable", "0.2"}, p.as...)...).header.Get("Tus-Version"), "1.0.0")
	equal(t, "nothing announced", found(t, p.send(t, "POST", gazettes.PartsRoute, "")), []string{"value_error header.Upload-Length", "missing body.filename", "missing body.sha256"})
	equal(t, "a sign", found(t, p.send(t, "POST", gazettes.PartsRoute, "", "Upload-Length", "+5")), []string{"value_error header.Upload-Length", "missing body.filename", "missing body.sha256"})
	equal(t, "no base64", found(t, p.send(t, "POST", gazettes.PartsRoute, "", "Upload-Length", "5", "Upload-Metadata", "filename %%")),
		[]string{"value_error header.Upload-Metadata", "missing body.filename", "missing body.sha256"})
	wantDetail(t, p.send(t, "POST", gazettes.PartsRoute, "", "Upload-Length", strconv.Itoa(gazettes.UploadLimit+1)), http.StatusRequestEntityTooLarge)
	equal(t, "of the text", found(t, p.begin(t, pdf, "doc_type", "x", "date_promulgation", "hier")), []string{"enum body.doc_type", "date_from_datetime_parsing body.date_promulgation"})

	page := append([]byte("<html>"), bytes.Repeat([]byte(" "), 5000)...)
	place := p.begin(t, page).header.Get("Location")
	wantDetail(t, p.part(t, place, 0, page[:2000]), http.StatusUnsupportedMediaType)
	equal(t, "a page is forgotten", p.send(t, "HEAD", place, "").status, http.StatusNotFound)

	place = p.begin(t, pdf).header.Get("Location")
	wantDetail(t, p.send(t, "PATCH", place, "x", "Content-Type", "application/json", "Upload-Offset", "0"), http.StatusUnsupportedMediaType)
	wantDetail(t, partial{b, b.as(t, "admin")}.part(t, place, 0, pdf), http.StatusNotFound)
	changed := bytes.Clone(pdf)
	changed[len(changed)-1]++
	equal(t, "other bytes", found(t, p.part(t, place, 0, changed)), []string{"value_error body"})
	equal(t, "other bytes are forgotten", p.send(t, "HEAD", place, "").status, http.StatusNotFound)

	var last reply
	for i := range 20 {
		last = p.begin(t, append(bytes.Clone(pdf), byte(i)))
	}
	wantDetail(t, last, http.StatusServiceUnavailable)
	sum := sha256.Sum256(pdf)
	if _, err := b.DB.IngestionBySHA(t.Context(), hex.EncodeToString(sum[:])); !errs.Is(err, errs.NotFound) {
		t.Errorf("a refused upload left a row: %v", err)
	}
}

func TestUploadsOfOneAccountAreTold(t *testing.T) {
	b := setup(t)
	p := partial{b, b.as(t, "editor")}
	for i := range 16 {
		equal(t, "begun", p.begin(t, []byte{byte(i)}).status, http.StatusCreated)
	}
	full := p.begin(t, []byte("17"))
	equal(t, "one more", []any{strings.Contains(wantDetail(t, full, http.StatusServiceUnavailable), "16 envois"), full.header.Get("Retry-After")}, []any{true, "60"})
}
