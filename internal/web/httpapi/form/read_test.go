package form

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
)

// input is what the tests read.
type input struct {
	_      struct{}   `either:"text,secret"`
	Yes    bool       `json:"yes,omitempty"`
	Null   bool       `json:"null,omitempty"`
	Text   string     `json:"text,omitempty" minLength:"2" maxLength:"9"`
	ID     *uuid.UUID `json:"id,omitempty"`
	Secret string     `json:"secret,omitempty" format:"password" minLength:"1" maxLength:"3"`
	Day    *time.Time `json:"day,omitempty" format:"date"`
	Inner  struct {
		_    struct{} `additionalProperties:"false"`
		Word string   `json:"word,omitempty"`
	} `json:"inner,omitempty"`
}

func TestFields(t *testing.T) {
	t.Parallel()
	var in input
	ok(t, Read(nil, []byte(`{"yes":true,"null":null,"text":"\u00a0 éà \n","id":"0190B1C2000070008000000000000001","secret":" a ","other":1,"inner":{"word":" b "}}`), &in))
	equal(t, "read", []any{in.Yes, in.Null, in.Text, in.ID.String(), in.Secret, in.Day, in.Inner.Word}, []any{true, false, "éà", "0190b1c2-0000-7000-8000-000000000001", " a ", (*time.Time)(nil), "b"})
	for body, want := range map[string]string{
		`{"text":" é "}`:                                         "string_too_short at [body text]",
		`{"text":"ab","yes":"true"}`:                             "bool_type at [body yes]",
		`{"text":null,"secret":null}`:                            "missing at [body text]",
		`{"secret":"a","inner":{"Word":"b"},"day":"2024-02-30"}`: "date_from_datetime_parsing at [body day], extra_forbidden at [body inner Word]",
		`{"secret":"a","inner":[]}`:                              "dict_type at [body inner]",
	} {
		err := Read(nil, []byte(body), &input{})
		if err == nil || err.Error() != "invalid request: "+want {
			t.Errorf("%s: %v, want %s", body, err, want)
		}
	}
}

func TestFaultsRepeatWhatIsSafe(t *testing.T) {
	t.Parallel()
	var in struct {
		A      string `json:"a"`
		Secret string `json:"password" format:"password"`
		Long   string `json:"long"`
		B      string `json:"b"`
	}
	err := Read(nil, []byte(`{"a": 5, "password": 7, "long": [`+strings.Repeat("1,", 200)+`1]}`), &in)
	raw, failed := json.Marshal(err)
	ok(t, failed)
	equal(t, "faults", string(raw), `[{"type":"string_type","loc":["body","a"],"msg":"Un texte est attendu.","input":5},`+
		`{"type":"string_type","loc":["body","password"],"msg":"Un texte est attendu."},`+
		`{"type":"string_type","loc":["body","long"],"msg":"Un texte est attendu."},`+
		`{"type":"missing","loc":["body","b"],"msg":"Ce champ est obligatoire."}]`)
	if strings.Contains(err.Error(), "7") {
		t.Errorf("the log would hold %s", err)
	}
}

func TestLoneSurrogates(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]bool{
		`"a"`: false, `"\ud83d\ude00"`: false, `"\uD83D\uDE00\ud83d\ude00"`: false, `"\ud83d"`: true, `"\ude00"`: true,
		`"\ud83d x"`: true, `"\ud83d\ud83d\ude00"`: true, `"\ude00\ud83d"`: true, `"\\ud83d"`: false, `"\ud83d\\ude00"`: true,
		`"\ud7ff\ue000"`: false, `"\ud83d\n"`: true,
	} {
		equal(t, raw, loneSurrogate([]byte(raw)), want)
	}
}

// Reading never panics nor returns invalid text.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{`{"text":"be"}`, `{"text":"\ud83d\ude00"}`, `{"secret":"\u0000"}`, `[`, "\xff", `{"inner":{"word":1}}`, `{"day":"2024-01-01"}`, `{"id":5,"yes":[]}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var in input
		err := Read(nil, body, &in)
		if n := utf8.RuneCountInString(in.Text); err == nil && (n > 9 || n == 1 || strings.ContainsRune(in.Text, 0)) {
			t.Errorf("%q passed as %q", body, in.Text)
		}
		var list Faults
		if err != nil && !errors.As(err, &list) {
			t.Errorf("%q: %v", body, err)
		}
		if _, err := json.Marshal(list); err != nil {
			t.Errorf("%q: faults cannot be told: %v", body, err)
		}
	})
}

func TestInstants(t *testing.T) {
	t.Parallel()
	want := time.Date(2026, 1, 31, 10, 0, 0, 0, time.UTC)
	for _, good := range []string{
		"2026-01-31T10:00:00Z", "2026-01-31T10:00:00.000000Z", "2026-01-31t10:00:00z", "2026-01-31T12:00:00+02:00",
		"2026-01-31T12:00:00+0200", "2026-01-31T12:00:00+02", "2026-01-31T10:00Z", "2026-01-31T08:00-02:00", "2026-01-31 10:00:00Z",
		"20260131T100000Z", "2026-01-31T12:00:00 02:00", "2026-01-31T12:00:00.0 02:00", "2026-01-31T12:00 0200",
	} {
		if got, err := parseInstant(good); err != nil || !got.Equal(want) || got.Location() != time.UTC {
			t.Errorf("%q: %v, %v", good, got, err)
		}
	}
	for _, bad := range []string{
		"", " ", "hier", "2026-01-31", "2026-01-31T10:00:00", "2026-01-31 10:00:00", "2026-01-31 10:00", "2026-02-30T10:00:00Z", "2026-01-31T25:00:00Z",
		"2026-01-31T10:00:60Z", "1769853600", "2026-01-31T10:00:00ZZ", "2026-01-31T10:00:00+99:00", "2026-01-31T10Z\x00", "26-01-31T10:00:00Z",
	} {
		if got, err := parseInstant(bad); !errs.Is(err, errs.Invalid) {
			t.Errorf("%q reads as %v, %v; want Invalid", bad, got, err)
		}
	}
	exact, err := parseInstant("2026-01-31T10:00:00.123456Z")
	ok(t, err)
	equal(t, "there and back", showTime(exact), "2026-01-31T10:00:00.123456Z")
}

func FuzzParseInstant(f *testing.F) {
	f.Add("2026-01-31T12:00:00+02:00")
	f.Add("2026-01-31T12:00:00 02")
	f.Fuzz(func(t *testing.T, s string) {
		got, err := parseInstant(s)
		if err != nil {
			return
		}
		if again, err := parseInstant(showTime(got)); got.Year() >= 0 && got.Year() < 10000 && (err != nil || !again.Equal(got.Truncate(time.Microsecond))) {
			t.Errorf("%q reads as %v, and that as %v, %v", s, got, again, err)
		}
	})
}

// showTime formats a time as responses have it.
func showTime(moment time.Time) string { return moment.UTC().Format("2006-01-02T15:04:05.000000Z") }
