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

// What is somebody else's name is a password like another.
func TestOwnWordsAreOnesOwn(t *testing.T) {
	t.Parallel()
	const password = "xanthippe.zwq@quokka.example"
	if Weak(password, "awa@example.org") || !Weak(password, password) || !Weak(strings.ToUpper(password), password) {
		t.Error("not told by whose it is")
	}
}

// However long it is, no more than a bounded beginning is looked at.
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
