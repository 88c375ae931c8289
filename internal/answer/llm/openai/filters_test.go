package openai

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

var one = map[int]int{1: 1, 2: 2, 12: 12}

func marked(parts ...string) string {
	m := marker{known: one}
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(m.write(p))
	}
	return b.String() + m.end()
}

func TestMarks(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"a [1].": "a [1].", "a [3].": "a.", "a [1, 3] b": "a [1] b", "a [1][2]": "a [1][2]", "a [1;2 et 12]": "a [1] [2] [12]",
		"a [1-12]": "a [1] [2] [12]", "a [3-9]": "a", "a[^2]": "a[2]", "a 【1】": "a [1]", "a [99999999999999999999]": "a",
		"a […] b": "a […] b", "a [sic] b": "a [sic] b", "[Source 2] a": "[2] a", "a [": "a", "a [1": "a", "a [Source": "a", "a [le": "a",
		"a [1,": "a", "[[1]]": "[1]]", "[1[99]2]": "12]", "a [ 2 ] b": "a [2] b", "fin \n": "fin", "": "", "a [1 an] b": "a [1 an] b",
	} {
		if got := marked(in); got != want {
			t.Errorf("%q gives %q, want %q", in, got, want)
		}
		if got := marked(pieces(in, 1)...); got != want {
			t.Errorf("%q in pieces gives %q, want %q", in, got, want)
		}
	}
}

// For any input no unknown citation gets through, and splitting it anywhere changes
// nothing.
func FuzzMarks(f *testing.F) {
	f.Add("a [1] [3], 【2†x】 b [1", 2)
	f.Add("[[[99]]1]", 1)
	f.Add("[1[99]]", 3)
	mark := regexp.MustCompile(`\[(\d+)\]`)
	f.Fuzz(func(t *testing.T, text string, n int) {
		if !utf8.ValidString(text) {
			t.Skip("a joiner comes before")
		}
		whole := marked(text)
		if cut := marked(pieces(text, max(1, n%7))...); cut != whole {
			t.Errorf("whole %q, in pieces %q", whole, cut)
		}
		for _, m := range mark.FindAllStringSubmatch(whole, -1) {
			if one[len(m[1])] == 0 && m[1] != "1" && m[1] != "2" && m[1] != "12" {
				t.Errorf("%q lets %s out", text, m[0])
			}
		}
	})
}

func TestJoinedTextDoesNotDependOnTheCuts(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"é😀\r\n\t\x00\x1b[0m a\u202eb\u200bc": "é😀\n\t[0m abc", "\xff\xc3": "\ufffd\ufffd", "\xed\xa0\xbd\xed\xb8\x80!": "😀!",
		"\xed\xa0\xbdx": "\ufffdx", "\xed\xb8\x80x": "\ufffdx", "\xed\xa0": "\ufffd", "\xed": "\ufffd", "\xed\xa0\xbd\xed\x9f\xbf": "\ufffd\ud7ff",
	} {
		var whole, cut joiner
		if got := whole.write([]byte(in)) + whole.end(); got != want {
			t.Errorf("%q gives %q, want %q", in, got, want)
		}
		got := ""
		for _, b := range bytewise(in) {
			got += cut.write([]byte(b))
		}
		if got += cut.end(); got != want {
			t.Errorf("%q byte by byte gives %q, want %q", in, got, want)
		}
	}
}

func FuzzUnquote(f *testing.F) {
	f.Add(`"a\u00e9\ud83d\ude00\n\"\\ \/ é"`)
	f.Add(`"\ud83d"`)
	f.Add(`12`)
	f.Fuzz(func(t *testing.T, raw string) {
		var want string
		if !json.Valid([]byte(raw)) {
			t.Skip("no JSON")
		}
		isText := json.Unmarshal([]byte(raw), &want) == nil && strings.TrimSpace(raw) != "null"
		var j joiner
		got := j.write(unquote(json.RawMessage(raw))) + j.end()
		var all strings.Builder
		for _, r := range want {
			if visible(r) {
				all.WriteRune(r)
			}
		}
		// The number of replacement characters for broken bytes is not defined.
		squeeze := func(s string) string { return regexp.MustCompile("\ufffd+").ReplaceAllString(s, "\ufffd") }
		if isText && squeeze(got) != squeeze(all.String()) {
			t.Errorf("%s: %q, want %q", raw, got, all.String())
		}
	})
}

func FuzzEvents(f *testing.F) {
	f.Add("data: a\ndata: b\n\nevent: x\r\ndata:c\r\n\r\n: no\rdata\r\r")
	f.Add("data: a")
	f.Fuzz(func(t *testing.T, stream string) {
		if err := events(strings.NewReader(stream), func([]byte) error { return nil }); err != nil {
			t.Error(err)
		}
	})
}

func TestEvents(t *testing.T) {
	t.Parallel()
	var got []string
	stream := ": hello\n\ndata: a\ndata:b\n\nevent: x\r\nid: 3\r\ndata: c\r\n\r\ndatabase: no\n\ndata\n\ndata: unfinished"
	if err := events(strings.NewReader(stream), func(data []byte) error { got = append(got, string(data)); return nil }); err != nil {
		t.Fatal(err)
	}
	if want := []string{"a\nb", "c", ""}; fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestReasoningDoesNotDependOnTheCuts(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"<think>a</think>\n b": "b", "a < b <thin": "a < b <thin", "x<THINK>y": "x", "a<reasoning></think></reasoning>b": "ab", "<thinker>a": "<thinker>a",
	} {
		for n := 1; n < 9; n++ {
			var f reasoning
			got := ""
			for _, p := range pieces(in, n) {
				text, err := f.write(p)
				if err != nil {
					t.Fatal(err)
				}
				got += text
			}
			if got += f.end(); strings.TrimLeft(got, "\n ") != want {
				t.Errorf("%q by %d gives %q, want %q", in, n, got, want)
			}
		}
	}
}

func TestCircles(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		strings.Repeat("Le préavis est de trois mois [1]. ", 40):           true,
		strings.Repeat("a", 1000):                                          true,
		"Début. " + strings.Repeat(strings.Repeat("abc déf ", 50)+"! ", 4): true,
		strings.Repeat("Le préavis est écrit. ", 4):                        false,
		"": false,
	} {
		if got := looping([]byte(text)); got != want {
			t.Errorf("%.60q: %v", text, got)
		}
	}
	var list strings.Builder
	for i := range 60 {
		fmt.Fprintf(&list, "%d° l’amende de la classe %d est de %d francs [1] ;\n", i, i%7, i*i*13)
	}
	if looping([]byte(list.String())) {
		t.Error("a list is taken for a circle")
	}
}

func TestForeign(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		sentence: false, "The notice that the law provides for is three months": true, "三个月": true, "Trois mois": false, "": false, "12 %": false,
		"Selon l’« employment law » de 1990, the notice est de trois mois pour le cadre": false,
	} {
		if foreign(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}
