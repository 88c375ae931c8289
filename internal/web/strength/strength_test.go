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
		"zèbre-lampe-orage-17", "浜辺の石と青い鳥と月", "🔑🌊🏔️🎺🪵🧵🦊🌶️🧊🎲🪁🧭", "marée haute sur le port, vent d’ouest sur la digue, et rien d’autre à voir " + strings.Repeat("a", 50),
	} {
		if Weak(password, own...) {
			t.Errorf("%q is refused", password)
		}
	}
	const address = "xanthippe.zwq@quokka.example"
	if Weak(address, "awa@example.org") || !Weak(address, address) || !Weak(strings.ToUpper(address), address) {
		t.Error("not told by whose it is")
	}
}

func FuzzWeak(f *testing.F) {
	for _, s := range []string{"", "é́́", "\xff\xfe", "12/12/2012", "a\u0301bc", "İİİ", strings.Repeat("@4(1!|$05+7", 12), "ẞß", "\u202eabc"} {
		f.Add(s, s)
	}
	f.Fuzz(func(_ *testing.T, password, own string) { Weak(password, own) }) // it comes to an end, without a panic
}
