package form

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/uuid"
)

func TestFields(t *testing.T) {
	t.Parallel()
	var f Faults
	o := ParseObject([]byte(`{"yes":true,"no":false,"null":null,"text":"\u00a0 é \n","id":"0190B1C2000070008000000000000001","secret":" a "}`), &f)
	equal(t, "flags", []bool{o.Flag("yes"), o.Flag("no"), o.Flag("null"), o.Flag("absent")}, []bool{true, false, false, false})
	equal(t, "text", o.Text("text", 1, 1), "é")
	equal(t, "secret", o.Secret("secret", 1, 3), " a ")
	equal(t, "id", o.ID("id").String(), "0190b1c2-0000-7000-8000-000000000001")
	equal(t, "absent", []any{o.ID("null"), o.Day("absent"), o.Object("null"), o.Word("null")}, []any{(*uuid.UUID)(nil), o.Day("null"), (*Object)(nil), ""})
	ok(t, f.Err())
	ParseObject([]byte(`{"flag":"true"}`), &f).Flag("flag")
	short := ParseObject([]byte(`{"a":" é "}`), &Faults{})
	short.Text("a", 2, 9)
	equal(t, "one of two", short.Err().Error(), "invalid request: string_too_short at [body a]")
	equal(t, "a flag of text", f.Error(), "invalid request: bool_type at [body flag]")
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

// Parsing never panics nor returns invalid text.
func FuzzParseObject(f *testing.F) {
	for _, seed := range []string{`{"a":"b"}`, `{"a":"\ud83d\ude00"}`, `{"a":"\u0000"}`, `[`, "\xff", `{"a":{"a":1}}`, `{"a":"2024-01-01"}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var list Faults
		o := ParseObject(body, &list)
		if o == nil {
			if len(list) != 1 {
				t.Fatalf("%q: no object and %d faults", body, len(list))
			}
			return
		}
		value := o.Text("a", 1, 10)
		if len(list) == 0 && (utf8.RuneCountInString(value) > 10 || value == "" || strings.ContainsRune(value, 0)) {
			t.Errorf("%q passed as %q", body, value)
		}
		o.Flag("a")
		o.ID("a")
		o.Day("a")
		if inner := o.Object("a"); inner != nil {
			inner.Word("a")
		}
		if _, err := json.Marshal(list); err != nil {
			t.Errorf("%q: faults cannot be told: %v", body, err)
		}
	})
}
