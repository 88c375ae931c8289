package encode_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law/french"
	"vigueur/internal/search/encode"
)

var update = flag.Bool("update", false, "write the golden files anew")

func own(t testing.TB) *encode.Encoder {
	t.Helper()
	e, err := encode.New()
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func cosine(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// golden is a text and the beginning of its vector.
type golden struct {
	Text   string
	Vector []float32 // its first coordinates; empty if the text has no vector
}

// The vectors of a few texts equal those that were committed with the table.
func TestVectorsAreGolden(t *testing.T) {
	t.Parallel()
	const path, shown = "testdata/vectors.json", 6
	e := own(t)
	var got []golden
	for _, text := range []string{"préavis de démission d’un cadre", "Le bail est résilié de plein droit.", "LICENCIEMENT économique", "", "12 % de 2010-05", "xyzzy"} {
		v, ok := e.Encode(text)
		g := golden{Text: text}
		if ok {
			g.Vector = v[:shown]
		}
		got = append(got, g)
	}
	if *update {
		raw, err := json.MarshalIndent(got, "", "\t")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, append(raw, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var want []golden
	if err := json.Unmarshal(raw, &want); err != nil || len(want) != len(got) {
		t.Fatalf("%v: %d vectors, want %d", err, len(got), len(want))
	}
	for i, w := range want {
		near := func(a, b float32) bool { return math.Abs(float64(a-b)) < 1e-5 }
		if got[i].Text != w.Text || !slices.EqualFunc(got[i].Vector, w.Vector, near) {
			t.Errorf("%q: %v, want %v", w.Text, got[i].Vector, w.Vector)
		}
	}
}

// Training and serving read a text as the same stems, which the cases list.
func TestWordsAreThoseOfTheCases(t *testing.T) {
	t.Parallel()
	f, err := os.Open("testdata/words.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	cases := 0
	for s := bufio.NewScanner(f); s.Scan(); {
		text, want, ok := strings.Cut(s.Text(), " = ")
		if !ok {
			continue
		}
		cases++
		var got []string
		for _, token := range french.Analyze(text) {
			if encode.Counts(&token) {
				got = append(got, token.Term)
			}
		}
		if g := strings.Join(got, " "); g != strings.TrimSpace(want) {
			t.Errorf("%q: %q, want %q", text, g, want)
		}
	}
	if cases < 20 {
		t.Errorf("%d cases", cases)
	}
}

// Texts with a similar meaning have a greater cosine than others, even if they share no
// word.
func TestLikeMeansNear(t *testing.T) {
	t.Parallel()
	e := own(t)
	first, _ := e.Encode("loi")
	dimensions := len(first)
	of := func(text string) []float32 {
		v, ok := e.Encode(text)
		if !ok || len(v) != dimensions || math.Abs(cosine(v, v)-1) > 1e-5 {
			t.Fatalf("%q: %v, %d coordinates of length %v", text, ok, len(v), cosine(v, v))
		}
		return v
	}
	for _, c := range [][3]string{
		{"salaire", "rémunération du travailleur", "servitude de passage"},
		{"propriétaire et locataire", "bail d’habitation", "permis de conduire"},
		{"divorce", "dissolution du mariage", "société anonyme"},
	} {
		if distance, far := cosine(of(c[0]), of(c[1])), cosine(of(c[0]), of(c[2])); distance <= far {
			t.Errorf("%q is as near to %q (%.2f) as to %q (%.2f)", c[0], c[2], far, c[1], distance)
		}
	}
	if like := cosine(of("Les Congés payés"), of("les congés  PAYÉS, 12")); like < 0.99999 {
		t.Errorf("case, blanks and numbers count: %v", like)
	}
}

func TestEmbedRefusesWhatHasNoWord(t *testing.T) {
	t.Parallel()
	e := own(t)
	got, err := e.Embed(t.Context(), []string{"le préavis", "la caution"})
	if err != nil || len(got) != 2 || cosine(got[0], got[1]) > 0.99 {
		t.Fatalf("%d vectors, %v", len(got), err)
	}
	if _, err := e.Embed(t.Context(), []string{"le préavis", "42"}); !errs.Is(err, errs.Unprocessable) {
		t.Errorf("no word: %v", err)
	}
}

// An encoder can be used by many goroutines.
func TestEncodersAreShared(t *testing.T) {
	t.Parallel()
	e := own(t)
	want, _ := e.Encode("le contrat de travail à durée déterminée")
	var all sync.WaitGroup
	for n := range 8 {
		all.Go(func() {
			for i := range 50 {
				e.Encode(fmt.Sprint("un autre texte ", n, " mots ", i))
				if got, _ := e.Encode("le contrat de travail à durée déterminée"); !slices.Equal(got, want) {
					t.Error("another vector")
				}
			}
		})
	}
	all.Wait()
}

func TestLongTextsAreReadToABound(t *testing.T) {
	t.Parallel()
	e := own(t)
	long := strings.Repeat("le bail rural ", 1<<16)
	a, _ := e.Encode(long)
	b, _ := e.Encode(long + strings.Repeat("divorce ", 1<<16))
	if !slices.Equal(a, b) {
		t.Error("what stands behind the bound counts")
	}
}

func TestTablesAreReadAsWritten(t *testing.T) {
	t.Parallel()
	p := encode.Provenance{Model: "essai", Made: "test", Licence: "aucune", Sources: []encode.Source{{File: "a", Holds: "b", SHA256: "c"}}}
	made := encode.Quantize(p, []string{"bail", "loyer", "rien"}, []float32{1, -2, 0.5, 0.25, 0, 0})
	data, err := made.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	read, err := encode.Read(data)
	if err != nil || !slices.Equal(read.Words, made.Words) || !slices.Equal(read.Codes, made.Codes) || !slices.Equal(read.Scales, made.Scales) ||
		read.Dimensions != 2 || len(read.Sources) != 1 || !strings.HasPrefix(read.Name(), "essai-") {
		t.Fatalf("%+v, %v", read, err)
	}
	if v, ok := encode.Of(read).Encode("les baux"); !ok || math.Abs(float64(v[1]/v[0])+2) > 0.02 {
		t.Errorf("%v %v", v, ok)
	}
	if _, ok := encode.Of(read).Encode("rien"); ok {
		t.Error("a word without a direction gives a vector")
	}
	for i := range data {
		broken := slices.Clone(data)
		broken[i] ^= 1
		if _, err := encode.Read(broken); !errors.Is(err, encode.ErrForm) {
			t.Fatalf("byte %d: %v", i, err)
		}
		if _, err := encode.Read(data[:i]); !errors.Is(err, encode.ErrForm) {
			t.Fatalf("cut at %d: %v", i, err)
		}
	}
}

func FuzzEncode(f *testing.F) {
	e := own(f)
	for _, text := range []string{"", "préavis", "l’article 12 du code", "\xff\xfe", "œuvre\u200b\u00adÆ", strings.Repeat("a", 1000)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, ok := e.Encode(text)
		again, same := e.Encode(text)
		if ok != same || !slices.Equal(v, again) {
			t.Fatal("two readings differ")
		}
		if length := cosine(v, v); ok && !(math.Abs(length-1) < 1e-4) {
			t.Fatalf("length %v", length)
		}
	})
}

func FuzzRead(f *testing.F) {
	data, err := encode.Quantize(encode.Provenance{Model: "x"}, []string{"bail"}, []float32{1, 2}).Bytes()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		if table, err := encode.Read(data); err == nil {
			encode.Of(table).Encode("le bail")
		}
	})
}

func BenchmarkEncodeQuestion(b *testing.B) {
	e := own(b)
	for b.Loop() {
		e.Encode("Mon propriétaire peut-il augmenter le loyer sans me prévenir ?")
	}
}

func BenchmarkEncodePassage(b *testing.B) {
	e := own(b)
	text := strings.Repeat("Le bailleur est tenu de délivrer au preneur la chose louée en bon état de réparations de toute espèce. ", 4)
	for b.Loop() {
		e.Encode(text)
	}
}

// TestTheNearestWord checks that a word is nearest to itself, and nearer to words of the
// same field than to others.
func TestTheNearestWord(t *testing.T) {
	t.Parallel()
	e := own(t)
	word := french.Terms("salaire rémunération navire xyzzy")
	if got := e.Nearest(word[0], word); math.Abs(got-1) > 1e-3 {
		t.Errorf("a word and itself: %v", got)
	}
	kin, other := e.Nearest(word[0], word[1:2]), e.Nearest(word[0], word[2:3])
	if kin <= other || kin >= 1 || other < 0 {
		t.Errorf("of its field %v, of another %v", kin, other)
	}
	if e.Nearest(word[3], word) != 0 || e.Nearest(word[0], nil) != 0 || e.Nearest(word[0], word[3:]) != 0 {
		t.Error("words without vectors are near")
	}
}
