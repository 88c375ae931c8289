package page

import (
	"testing"

	"vigueur/e2e/browser"
)

// TestNumbersStayWhole narrows a list to the width of a phone and less: no line ends within the number of an act, nothing is
// cut off, and what is copied is the true number.
func TestNumbersStayWhole(t *testing.T) {
	v := atPage(t)
	v.signIn("/connexion?suite=/textes", v.reader())
	must(t, v.Has(".texts .number"))
	v.look(axe(t), []screen{{"textes-numeros", "", nil}, {"textes-trouves", "/textes?q=loi&objet=texte", func(v *visit) error { return v.Has(".texts .number") }}})
	for _, width := range []int64{1440, 360, 320} {
		must(t, v.Size(width, 900))
		broken, err := browser.Eval[[]string](v.Tab, `[...document.querySelectorAll(".number")].filter((n) => n.getBoundingClientRect().height > 1.8 * parseFloat(getComputedStyle(n).fontSize) || n.scrollWidth > n.parentElement.clientWidth + 1).map((n) => n.textContent)`)
		must(t, err)
		if len(broken) > 0 {
			t.Errorf("at %d px the lines end within %q", width, broken)
		}
	}
	underlined, err := browser.Eval[bool](v.Tab, `[...document.querySelectorAll(".texts a .number")].every((n) => getComputedStyle(n).textDecorationLine === getComputedStyle(n.parentElement).textDecorationLine)`)
	must(t, err)
	copied, err := browser.Eval[bool](v.Tab, `[...document.querySelectorAll(".texts a")].every((a) => { getSelection().selectAllChildren(a); return getSelection().toString().trim() === a.title.trim() })`)
	must(t, err)
	if !underlined || !copied {
		t.Errorf("underlined as the title: %v, copied as the title: %v", underlined, copied)
	}
	v.blameless()
}
