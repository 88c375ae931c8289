package question

import (
	"strings"
	"testing"
	"testing/quick"
	"time"
	"unicode/utf8"
)

func TestSpelled(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ typed, want string }{
		"short forms": {"cb de tps pr partir", "combien de temps pour partir"},
		"a short form with an accent lost or kept": {"tte ma vie, càd jms", "toute ma vie, c'est-à-dire jamais"},
		"a first letter is no name":                {"Jai le droit ?", "J'ai le droit ?"},
		"elisions without their apostrophe":        {"la durée dessai quil a dit, cest lusure", "la durée d'essai qu'il a dit, c'est l'usure"},
		"je without its vowel":                     {"jpeux partir si jsuis malade", "je peux partir si je suis malade"},
		"accents stay":                             {"il était à lécole, dépargne", "il était à l'école, d'épargne"},
		"words of their own":                       {"la lune de mai, sans taxe à tunis", "la lune de mai, sans taxe à tunis"},
		"a sentence ends":                          {"je pars dc. merci", "je pars donc. merci"},
		"a sentence goes on at once":               {"voir ts.fr ou le p.v. ds", "voir ts.fr ou le p.v. dans"},
		"as it sounds":                             {"kan une avortemant es permi, kel risk, kil ait le droi o loyé anulé", "quand une avortement es permis, quel risques, qu'il ait le droit o loyer annulé"},
		"letters that begin a sentence":            {"g le droit ? c quoi le point c et l'alinéa g", "j'ai le droit ? c'est quoi le point c et l'alinéa g"},
		"words cut by a full stop":                 {"au 3 fév. 2015", "au 3 fév. 2015"},
		"names and acronyms":                       {"Mme Davis de la TVA, DS et Lessai", "Mme Davis de la TVA, DS et Lessai"},
		"units":                                    {"un bord de 10 mm, 20 ms et 3 ns", "un bord de 10 mm, 20 ms et 3 ns"},
		"the same word without a figure":           {"le mm jour", "le même jour"},
		"joined by hyphens and apostrophes":        {"prud'ds, vis-ds, l'ds, lessai-ds", "prud'ds, vis-ds, l'ds, lessai-ds"},
		"within a number":                          {"n° 2000-192/pr/pm, l. 12-3ts, a_ds, pr@ds.fr", "n° 2000-192/pr/pm, l. 12-3ts, a_ds, pr@ds.fr"},
		"nothing":                                  {"", ""},
		"what sounds like another word":            {"jpeu, il peu, mon patron peu me virer ou kel juge peu signer apres 3 moi", "je peux, il peut, mon patron peut me virer ou quel juge peut signer apres 3 mois"},
		"words with it, or longer in lower case":   {"la peuplade peu te nuire, ȺȺȺȺȺȺȺȺ peu te virer", "la peuplade peut te nuire, ȺȺȺȺȺȺȺȺ peut te virer"},
		"what only could":                          {"Un élu peu connu et moi, un peu ou trop peu, à peu près, chez moi", "Un élu peu connu et moi, un peu ou trop peu, à peu près, chez moi"},
		"print":                                    {"Quel est le délai d'appel de l'article 26 ?", "Quel est le délai d'appel de l'article 26 ?"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := correctSpelling(c.typed); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
			if got := correctSpelling(correctSpelling(c.typed)); got != c.want {
				t.Errorf("twice: %q, want %q", got, c.want)
			}
		})
	}
}

// Questions are read as they would be printed, and other languages stay unchanged.
func TestReadSpells(t *testing.T) {
	t.Parallel()
	typed := Read("cb de jours pr lessai dapres larticle 26 de la loi n° 2010-05 ?", Conversation{})
	printed := Read("Combien de jours pour l'essai d'après l'article 26 de la loi n° 2010-05 ?", Conversation{})
	if len(typed.References) != 1 || typed.References[0].Number != printed.References[0].Number || len(typed.References[0].Articles) != 1 {
		t.Errorf("%+v, want %+v", typed.References, printed.References)
	}
	if strings.Join(typed.Terms, " ") != strings.Join(printed.Terms, " ") {
		t.Errorf("%q, want %q", typed.Terms, printed.Terms)
	}
	const english = "How many men must sign when the lessor has not been paid by the tenant?"
	if q := Read(english, Conversation{}); q.Text != english {
		t.Errorf("%q, want %q", q.Text, english)
	}
	q := Read("Et pour un cadre ?", Conversation{Asked: []string{"cb de jours dure lessai ?"}})
	if strings.TrimSpace(q.Earlier) != "combien de jours dure l'essai ?" {
		t.Errorf("%q", q.Earlier)
	}
}

// Any bytes are accepted, in linear time, and characters that are no letters stay.
func TestSpelledAnyBytes(t *testing.T) {
	t.Parallel()
	others := func(text string) string {
		return strings.Map(func(r rune) rune {
			if !notWord(r) || r == '\'' || r == ' ' || r == '-' {
				return -1
			}
			return r
		}, text)
	}
	same := func(text string) bool { return others(correctSpelling(text)) == others(text) }
	if err := quick.Check(same, nil); err != nil {
		t.Error(err)
	}
	for _, text := range []string{"\xff", "ds\xff", "\xffds", "é́", "́", "jj", "j\xc3", "ç", "çest", strings.Repeat("́", 100)} {
		if got := correctSpelling(text); utf8.ValidString(text) && !utf8.ValidString(got) {
			t.Errorf("%q of %q", got, text)
		}
	}
	start := time.Now()
	correctSpelling(strings.Repeat("lessai ds", 100_000))
	correctSpelling(strings.Repeat("a", 1_000_000))
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("two megabytes took %v", took)
	}
}

// The lists contain folded words that stay as they are, and no abbreviation is a word itself.
func TestSpellingLists(t *testing.T) {
	t.Parallel()
	list := spelling()
	if len(list.Words) == 0 || len(list.Heard) == 0 || len(shorthand()) == 0 {
		t.Fatal("a list is empty")
	}
	for sound, w := range list.Heard {
		if sound[0] != '=' && Sound(w) != sound || list.Write(w) != w {
			t.Errorf("%q, which sounds like %q, is heard as %q and written %q", w, Sound(w), sound, list.Write(w))
		}
	}
	for short, long := range shorthand() {
		if correctSpelling(long) != long {
			t.Errorf("%q is written out as %q, and that as %q", short, long, correctSpelling(long))
		}
	}
}
