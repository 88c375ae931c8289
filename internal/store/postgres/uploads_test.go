package postgres_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/postgres"
)

// begin announces a file of some bytes.
func (b bundle) begin(t *testing.T, user uuid.UUID, size int) postgres.Upload {
	t.Helper()
	u, err := b.BeginUpload(t.Context(), postgres.Upload{ID: postgres.NewID(), UserID: user, Filename: "jo.pdf", SHA256: strings.Repeat("a", 64), Size: int64(size)})
	ok(t, err)
	return u
}

// Small parts share a row, whatever comes between them, and the file is what was sent.
func TestSmallPartsShareARow(t *testing.T) {
	b := setup(t)
	sizes := []int{1, 4 << 20, 1 << 10, 1, 1, 0}
	for range 100 {
		sizes = append(sizes, 100)
	}
	var file []byte
	u := b.begin(t, b.user.ID, 64<<20)
	for i, size := range sizes {
		part := bytes.Repeat([]byte{byte(i)}, size)
		ok(t, b.AddPart(t.Context(), u, int64(len(file)), part))
		file = append(file, part...)
	}
	wantKind(t, b.AddPart(t.Context(), u, 1, []byte("x")), errs.Conflict)
	var kept bytes.Buffer
	ok(t, b.WriteParts(t.Context(), u, &kept))
	if !bytes.Equal(kept.Bytes(), file) {
		t.Errorf("%d bytes, want the %d that were sent", kept.Len(), len(file))
	}
	var rows int
	ok(t, b.QueryRow(t.Context(), `SELECT count(*) FROM upload_parts WHERE upload_id = $1`, u.ID).Scan(&rows))
	if want := 2 + 10; rows != want { // of the large parts, and of 10 002 bytes in small ones
		t.Errorf("%d rows for %d parts, want %d", rows, len(sizes), want)
	}
}
