package milvus

import (
	"net"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/search/memindex"
)

func TestExpression(t *testing.T) {
	t.Parallel()
	day := time.Date(1970, 1, 11, 0, 0, 0, 0, time.UTC)
	text := uuid.MustParse("0190c3a2-0000-7000-8000-000000000001")
	for want, got := range map[string]string{
		`status != "abroge"`:                     expression(&memindex.Query{}, time.Time{}),
		``:                                       expression(&memindex.Query{Repealed: true}, time.Time{}),
		`domain == "a\"b" && status == "abroge"`: expression(&memindex.Query{Filters: law.Filters{Domain: `a"b`, Status: law.Repealed}}, time.Time{}),
		`type == "loi" && valid_from <= 10 && valid_to > 10`: expression(&memindex.Query{Filters: law.Filters{Type: law.Loi}, Repealed: true}, day),
		`document == "0190c3a2-0000-7000-8000-000000000001"`: expression(&memindex.Query{Filters: law.Filters{DocumentID: &text}, Repealed: true}, time.Time{}),
		`(countries == "" || countries like "%,cemac,%" || countries like "%,cm,%" || countries like "%,ohada,%")`: expression(
			&memindex.Query{Filters: law.Filters{Country: "cm"}, Countries: []country.Code{"cm"}, Repealed: true}, time.Time{}),
		`(countries == "")`: expression(&memindex.Query{Filters: law.Filters{Country: "x"}, Countries: []country.Code{`x%" or "`}, Repealed: true}, time.Time{}),
		`document in ["0190c3a2-0000-7000-8000-000000000001"] && version < 7`: before([]uuid.UUID{text}, 7),
		`place == -3 || (place == -1)`:                                        markOrLacking(""),
		`place == -3 || (place == -1 && status != "abroge")`:                  markOrLacking(expression(&memindex.Query{}, time.Time{})),
	} {
		t.Run(want, func(t *testing.T) {
			if got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

func TestPortOfAnAddress(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{"http://milvus": "http://milvus:19530", "http://milvus/droit": "http://milvus:19530/droit",
		"http://milvus:1": "http://milvus:1", "https://milvus.example": "https://milvus.example", "127.0.0.1:7": "127.0.0.1:7", "http://[::1]": "http://[::1]:19530"} {
		t.Run(address, func(t *testing.T) {
			if got := withPort(address); got != want {
				t.Errorf("%s is %s, want %s", address, got, want)
			}
		})
	}
}

// A quoted text is always parsed as one literal with the text as its value.
func FuzzQuote(f *testing.F) {
	for _, s := range []string{"", `"`, `\`, `\"`, "a\nb", "é’😀", "\x00\x7f", `" or 1 == 1 or "`, `\u0022`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		quoted := quote(text)
		inner := quoted[1 : len(quoted)-1]
		for i := 0; i < len(inner); i++ {
			switch {
			case inner[i] == '\\':
				i++
			case inner[i] == '"' || inner[i] < ' ':
				t.Fatalf("%q leaves %q bare", quoted, inner[i])
			}
		}
		plain := strings.Map(func(r rune) rune {
			if unicode.IsControl(r) || !unicode.IsPrint(r) && !unicode.IsSpace(r) || r == '\u2028' || r == '\u2029' {
				return unicode.ReplacementChar
			}
			return r
		}, text)
		if got, err := strconv.Unquote(quoted); err != nil || got != plain {
			t.Errorf("%q is read as %q, %v", quoted, got, err)
		}
	})
}

func TestMilvusThatCannotBeReachedIsLeftAlone(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0") // accepts connections and never responds
	ok(t, err)
	defer func() { _ = l.Close() }()
	s := &Store{Address: l.Addr().String(), Patience: 300 * time.Millisecond}
	for i := range 3 {
		_, err := s.Searched(t.Context())
		if !errs.Is(err, errs.Unavailable) {
			t.Fatal(err)
		}
		if left := strings.Contains(err.Error(), "a moment ago"); left != (i > 0) {
			t.Errorf("attempt %d: left alone %v: %v", i, left, err)
		}
		s.failed = s.failed.Add(time.Hour) // so that the pause after a failure is over, however long this takes
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
