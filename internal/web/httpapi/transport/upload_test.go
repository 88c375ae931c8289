package transport

import (
	"encoding/json"
	"errors"
	"io"
	"mime/multipart"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"vigueur/internal/kit/errs"
	"vigueur/internal/web/httpapi/form"
)

// FuzzForm: a form is taken within its limits, or refused with a fault or a kind of error; its fields are text.
func FuzzForm(f *testing.F) {
	const boundary = "limite"
	part := func(head, body string) string { return "--" + boundary + "\r\n" + head + "\r\n\r\n" + body + "\r\n" }
	file := part(`Content-Disposition: form-data; name="file"; filename="../jo\n.pdf"`+"\r\nContent-Type: application/pdf", "%PDF-1.7\n%%EOF")
	for _, seed := range []string{
		"", file + "--" + boundary + "--\r\n", file + file, part(`Content-Disposition: form-data; name="title"`, "Loi\xff"),
		part(`Content-Disposition: form-data; name="title"`, " Loi n° 5 ") + "--" + boundary + "--", part(`Content-Disposition: form-data; name=""`, ""),
		part("X: y", "z"), strings.Repeat(part(`Content-Disposition: form-data; name="a"`, ""), partsLimit+1),
	} {
		f.Add(seed)
	}
	aside, err := os.Create(filepath.Join(f.TempDir(), "aside"))
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() {
		if err := aside.Close(); err != nil {
			f.Error(err)
		}
	})
	f.Fuzz(func(t *testing.T, body string) {
		if _, err := aside.Seek(0, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		if err := aside.Truncate(0); err != nil {
			t.Fatal(err)
		}
		u := &Upload{fields: map[string]json.RawMessage{}, aside: aside}
		u.Keep = func(part *multipart.Part, disk io.Writer) error {
			_, err := io.Copy(disk, part)
			return err
		}
		parts := multipart.NewReader(strings.NewReader(body), boundary)
		for {
			part, err := parts.NextRawPart()
			if err == nil {
				err = u.take(part)
			}
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				var known *errs.Error
				var list form.Faults
				if err := formError(err); !errors.As(err, &known) && !errors.As(err, &list) {
					t.Fatalf("%q: %v has no kind", body, err)
				}
				break
			}
		}
		if u.parts > partsLimit+1 || u.size > formLimit+fieldLimit {
			t.Errorf("%d parts of %d bytes", u.parts, u.size)
		}
		for name, value := range u.fields {
			if !fieldName.MatchString(name) || !utf8.Valid(value) || len(value) == 0 {
				t.Errorf("field %q: %q", name, value)
			}
		}
	})
}

func TestFilesThatArrive(t *testing.T) {
	t.Parallel()
	var u Slots
	take := func(who string) (func(), error) { return u.Take(t.Context(), Turn{Who: who, Most: 3, Each: 2}) }
	first, err := take("one")
	ok(t, err)
	second, err := take("one")
	ok(t, err)
	if _, err := take("one"); err == nil {
		t.Error("an account has all places")
	}
	third, err := take("other")
	ok(t, err)
	if _, err := take("other"); err == nil {
		t.Error("more files than places")
	}
	for _, leave := range []func(){first, second, third} {
		leave()
	}
	if u.all != 0 || len(u.of) != 0 {
		t.Errorf("left: %d, %v", u.all, u.of)
	}
}

// A file that comes a byte at a time is given up, also if no byte is late.
func TestFilesMustKeepThePace(t *testing.T) {
	t.Parallel()
	server, client := net.Pipe()
	defer server.Close()
	defer client.Close()
	began := time.Now()
	a := &arriving{conn: server, body: server, began: began.Add(-uploadIdle + 200*time.Millisecond), most: time.Hour, left: 1 << 20}
	go func() {
		for {
			if _, err := client.Write([]byte("a")); err != nil {
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	var err error
	for err == nil {
		_, err = a.Read(make([]byte, 1))
	}
	if !os.IsTimeout(err) && !strings.Contains(err.Error(), "deadline") {
		t.Errorf("ended with %v", err)
	}
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("given up after %v", took)
	}
	a = &arriving{conn: server, body: server, began: time.Now().Add(-time.Minute), most: 30 * time.Second, read: 1 << 30, left: 1 << 20}
	if _, err := a.Read(make([]byte, 1)); !os.IsTimeout(err) {
		t.Errorf("a file that arrived for too long: %v", err)
	}
}
