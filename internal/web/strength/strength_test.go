package strength

import (
	"strings"
	"testing"
)

func TestWeak(t *testing.T) {
	t.Parallel()
	own := []string{"awa.sorel@justice.example", "Awa Sorel-Diène"}
	for _, password := range []string{
		"", "aaaaaaaaaaaa", "éééééééééééééé", "abababababab", "kQ7!kQ7!kQ7!", "123456789012", "abcdefghijkl", "azertyuiopqs", "qwertyuiop12", "password1234", "Password123!", "P@ssw0rd1234",
		"motdepasse12", "Motdepasse2024", "m0tdep@sse12", "motdepassemotdepasse", "bonjourbonjour",
		"awa.sorel@justice.example", "awasorel2024", "Awa Sorel 12", "soreldiene2024", "vigueur123456", "Vigueur2025!", "01/01/1980 12", "111111111111111111",
		"iloveyou1234", "0123456789012345", "marseille2024", "administrateur",
	} {
		if !Weak(password, own...) {
			t.Errorf("%q is taken", password)
		}
	}
	for _, password := range []string{
		"marée haute sur le port", "vent d’ouest sur la digue", "un mot de passe neuf", "k7#Qp2x!vR9m", "trois crayons verts hier", "correcthorsebatterystaple",
		"zèbre-lampe-orage-17", "浜辺の石と青い鳥と月", "🔑🌊🏔️🎺🪵🧵🦊🌶️🧊🎲🪁🧭",
	} {
		if Weak(password, own...) {
			t.Errorf("%q is refused", password)
		}
	}
}

// Another person's name is not weak because of the owner's own words.
func TestOwnWordsAreOnesOwn(t *testing.T) {
	t.Parallel()
	const password = "xanthippe.zwq@quokka.example"
	if Weak(password, "awa@example.org") || !Weak(password, password) || !Weak(strings.ToUpper(password), password) {
		t.Error("not told by whose it is")
	}
}

// Only a bounded beginning of a long password is examined.
func TestLongPasswords(t *testing.T) {
	t.Parallel()
	for _, password := range []string{strings.Repeat("a", 128), strings.Repeat("@4(1!|$05+7", 12), strings.Repeat("1", 128), strings.Repeat("é", 128), strings.Repeat("password", 16), strings.Repeat("12/12/2012", 12)} {
		Weak(password, "awa@example.org") // it comes to an end
	}
	if Weak("marée haute sur le port, vent d’ouest sur la digue, et rien d’autre à voir " + strings.Repeat("a", 50)) {
		t.Error("a long end makes a strong beginning weak")
	}
}

func FuzzWeak(f *testing.F) {
	for _, s := range []string{"", "é́́", "\xff\xfe", "12/12/2012", "a\u0301bc", "İİİ", strings.Repeat("@", 200), "ẞß", "\u202eabc"} {
		f.Add(s, s)
	}
	f.Fuzz(func(_ *testing.T, password, own string) { Weak(password, own) }) // it comes to an end, without a panic
}

// A password whose letters are only the owner's own words is weak, whatever digits and signs
// are between them; the estimate of guesses would count these as secret.
func TestFiguresAroundOwnWordsAreNoSecret(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		own      []string
		password string
		want     bool
	}{
		"all of one's own words":        {[]string{"Xanthippe Quokkazwq"}, "83_Xanthippe#49107=Quokkazwq+5582", true},
		"in capitals, without accents":  {[]string{"Zoé Wèjdène"}, "83_ZOE#49107=WEJDENE+5582", true},
		"with accents that one has not": {[]string{"Zoe Wejdene"}, "83_Zoé#49107=Wèjdène+5582", true},
		"a name that begins another":    {[]string{"Wejd Wejdenekly"}, "83_Wejdenekly#49107=5582", true},
		"and that other one first":      {[]string{"Wejdenekly Wejd"}, "83_Wejdenekly#49107=5582", true},
		"the service's name":            {nil, "83_vigueur#49107=5582", true},
		"a part of a mail's address":    {[]string{"wejdenekly@quokkazwq.example"}, "83_quokkazwq#49107=5582", true},
		"one word of somebody else's":   {[]string{"Xanthippe"}, "83_Xanthippe#49107=Quokkazwq+5582", false},
		"no letters at all":             {[]string{"Xanthippe"}, "83_#49107=+5582%6610", false},
		"no own words":                  {nil, "83_Xanthippe#49107=Quokkazwq+5582", false},
		"own words without letters":     {[]string{"1234 5678"}, "83_Xanthippe#49107=Quokkazwq+5582", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := Weak(c.password, c.own...); got != c.want {
				t.Errorf("weak: %v", got)
			}
		})
	}
}

// unit returns the shortest text that gives the password when it is repeated.
func TestUnit(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{"": "", "a": "a", "aaaa": "a", "abab": "ab", "aba": "aba", "kQ7!kQ7!kQ7!": "kQ7!", "abcabcab": "abcabcab", "éé": "é"} {
		t.Run(s, func(t *testing.T) {
			t.Parallel()
			if got := unit(s); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

// The list contains common French and English passwords, and words with accents also without
// them.
func TestWordsAreListed(t *testing.T) {
	t.Parallel()
	listed := common()
	for _, word := range []string{"password", "123456", "azerty", "motdepasse"} {
		if listed[word] == 0 {
			t.Errorf("%q is not listed", word)
		}
	}
	for word := range listed {
		if listed[removeAccents(word)] == 0 {
			t.Errorf("%q is listed with its accents alone", word)
		}
	}
	if got := removeAccents("Éçà œ ñ \u0301x"); got != "Eca œ n x" {
		t.Errorf("without accents: %q", got)
	}
}
