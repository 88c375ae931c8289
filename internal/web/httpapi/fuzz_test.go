package httpapi

import (
	"encoding/json"
	"errors"
	"io"
	"mime/multipart"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"vigueur/internal/kit/errs"
	"vigueur/internal/work/admission"
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
		u := &upload{fields: map[string]json.RawMessage{}, aside: aside}
		u.keep = u.takeGazette
		form := multipart.NewReader(strings.NewReader(body), boundary)
		for {
			part, err := form.NextRawPart()
			if err == nil {
				err = u.take(part)
			}
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				var known *errs.Error
				var list faults
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
		if u.given && len(u.file.Name) > admission.MaxName {
			t.Errorf("name %q", u.file.Name)
		}
	})
}

// FuzzLastEventID: a reader resumes after an event, never before the first one.
func FuzzLastEventID(f *testing.F) {
	for _, seed := range []string{"", "0", "42", "-1", "+7", "9223372036854775807", "9223372036854775808", "1e3", " 1", "١"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, header string) {
		if n := lastEventID(header); n < 0 || n > 0 && strings.Trim(header, "+0123456789") != "" {
			t.Errorf("%q is event %d", header, n)
		}
	})
}

// FuzzIdempotencyKey: a key that is taken is printable and not empty, in either form.
func FuzzIdempotencyKey(f *testing.F) {
	for _, seed := range []string{"a", `"a b"`, `""`, `"a\"b"`, "é", `"é"`, "a b", "\"a\x00\"", strings.Repeat("a", 256)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, header string) {
		found := onceForm.FindStringSubmatch(header)
		if found == nil {
			return
		}
		name := found[1] + found[2]
		if name == "" || len(name) > 255 || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r > '~' }) {
			t.Errorf("%q is the key %q", header, name)
		}
	})
}

// FuzzMatches: a cached response is reused only if the header names its tag, or any.
func FuzzMatches(f *testing.F) {
	const tag = `"0123"`
	for _, seed := range []string{"", "*", tag, "W/" + tag, `"a", W/"0123"`, `"0123`, "0123", ",,"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, header string) {
		if matches(header, tag) && !strings.Contains(header, tag) && !strings.Contains(header, "*") {
			t.Errorf("%q matches", header)
		}
	})
}
