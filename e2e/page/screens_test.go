package page

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"vigueur/e2e/browser"
	"vigueur/e2e/stage"
)

// screen is one that is looked at: its address, "" for where one is, and what has been
// done there before it is judged.
type screen struct {
	name, path string
	do         func(v *visit) error
}

var anonymous = []screen{
	{"accueil", "/", func(v *visit) error { return v.Await(`/\d textes dans \d/.test(document.body.innerText)`) }},
	{"connexion", "/connexion", nil},
	{"entreprises", "/entreprises", func(v *visit) error {
		return first(v.Press("Envoyer la demande"), v.See("à corriger"))
	}},
	{"oubli", "/mot-de-passe", func(v *visit) error {
		return first(v.Press("Envoyer le lien"), v.See("à corriger"))
	}},
	{"mot-de-passe", "/mot-de-passe?#jeton=abc", func(v *visit) error { return v.Has("[name=new_password]") }},
	{"inscription", "/inscription", func(v *visit) error {
		return first(v.Press("Demander le compte"), v.See("à corriger"))
	}},
	{"confirmation", "/inscription?#jeton=abc", func(v *visit) error { return v.Has("[name=password]") }},
}

var signedIn = []screen{
	{"question", "/", func(v *visit) error { return v.See("Par exemple") }},
	{"reponse", "/", func(v *visit) error {
		v.ask("Je suis cadre et je démissionne : combien de temps dure mon préavis ?")
		return first(v.Await(answered), v.Click(".cite"), v.Await(browser.Inked))
	}},
	{"abroge", "/", func(v *visit) error {
		must(v.t, v.Press("Filtres"), v.Fill(`document.querySelector("input[type=date]")`, "2024-03-01"), v.See("au 1er mars 2024"))
		v.ask("Combien d’heures par semaine travaille-t-on légalement à temps plein ?")
		return v.Await(answered)
	}},
	{"textes", "/textes", func(v *visit) error { return v.Has(".texts li") }},
	{"recherche", "/textes?q=travail", func(v *visit) error { return first(v.Has(".texts mark"), v.Has(".facet .chip-count")) }},
	{"rien", "/textes?q=introuvable&statut=abroge", func(v *visit) error { return v.See("Chercher sans filtre") }},
	{"texte", "/textes", func(v *visit) error {
		return first(v.Click(".texts a"), v.Has(".law-text"), v.Press("Voir la gazette"), v.Has(".sheet[data-drawn]"))
	}},
	{"compte", "/compte", func(v *visit) error { return first(v.See("Mot de passe actuel"), v.See("cette session")) }},
	{"inconnue", "/nulle/part", func(v *visit) error { return v.See("n’existe pas") }},
}

func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// axe is the source of axe-core.
func axe(t *testing.T) string {
	t.Helper()
	source, err := os.ReadFile(filepath.Join(stage.Root(), "api", "web", "node_modules", "axe-core", "axe.min.js"))
	must(t, err)
	return string(source)
}

// Each screen keeps the rules of accessibility in its light and dark colors, fits
// a phone, writes French as it is set, and makes no noise.
func TestScreens(t *testing.T) {
	v := atPage(t)
	source := axe(t)
	v.look(source, anonymous)
	v.signIn("/connexion", v.reader())
	v.look(source, signedIn)
	v.blameless("422 (Unprocessable Entity)")
}

func (v *visit) look(axe string, screens []screen) {
	v.t.Helper()
	for _, s := range screens {
		must(v.t, v.Size(1440, 900), v.Dark(false))
		if s.path != "" {
			must(v.t, v.Open(s.path), v.Has("main"), v.Await(`!document.querySelector("main > .waiting")`))
		}
		if s.do != nil {
			if err := s.do(v); err != nil {
				v.t.Fatalf("%s: %v", s.name, err)
			}
		}
		v.judge(axe, s)
		_, err := browser.Eval[any](v.Tab, `sessionStorage.removeItem("test.stand")`)
		must(v.t, err)
	}
}

// unset finds words of ours that are not set as French is: a blank before high
// punctuation or inside guillemets, and straight apostrophes.
const unset = `(() => {
	const found = []
	const walk = document.createTreeWalker(document.querySelector("#app") ?? document.body, NodeFilter.SHOW_TEXT)
	while (walk.nextNode()) {
		const n = walk.currentNode
		if (n.parentElement.closest("[data-verbatim],.question,.card,.source,.sources,.texts,.side,.talk-head,.textLayer,select,.verbatim")) continue
		if (/[ \u00a0][;:!?»](\s|$)|«[ \u00a0]|\p{L}'\p{L}/u.test(n.data)) found.push(n.data)
	}
	return found
})()`

// tall is how much of a long page a picture has, in pixels.
const tall = 2400

func (v *visit) judge(axe string, s screen) {
	v.t.Helper()
	shots := ""
	if os.Getenv("VIGUEUR_TEST_DEEP") == "1" {
		shots = filepath.Join(stage.Root(), ".state", "log", "page")
		must(v.t, os.MkdirAll(shots, 0o755))
	}
	for _, width := range []int64{1440, 768, 360} {
		must(v.t, v.Size(width, 900))
		for _, dark := range []bool{false, true} {
			if shots == "" && (width == 768 || width == 360 && dark) {
				continue // the same rules, but for what the width changes
			}
			must(v.t, v.Dark(dark))
			var rules []string
			if dark { // the same elements in other colors
				rules = []string{"color-contrast", "link-in-text-block"}
			}
			found, err := v.Check(axe, rules...)
			must(v.t, err)
			for _, rule := range found {
				v.t.Errorf("%s at %d, dark %v: %s (%s): %q", s.name, width, dark, rule.ID, rule.Help, rule.Nodes)
			}
			if shots != "" {
				must(v.t, v.Await(`!document.querySelector(".region") || `+browser.Inked)) // another width draws it anew
				must(v.t, v.Whole(filepath.Join(shots, fmt.Sprintf("%s-%d-%v.png", s.name, width, map[bool]string{false: "clair", true: "sombre"}[dark])), width, tall))
			}
		}
		if width == 360 {
			small, err := browser.Eval[[]string](v.Tab, `[...document.querySelectorAll("input:not([type=checkbox]):not([type=radio]):not([type=file]),select,textarea")]
				.filter((e) => e.checkVisibility({ visibilityProperty: true }) && parseFloat(getComputedStyle(e).fontSize) < 16).map((e) => e.outerHTML.slice(0, 120))`)
			must(v.t, err)
			if len(small) > 0 {
				v.t.Errorf("%s: a phone enlarges the page for %q", s.name, small)
			}
		}
		wide, err := browser.Eval[int](v.Tab, `document.documentElement.scrollWidth`)
		must(v.t, err)
		if wide > int(width) {
			v.t.Errorf("%s is %d px wide on a screen of %d", s.name, wide, width)
		}
	}
	must(v.t, v.Size(320, 900), v.Await(`(document.documentElement.style.fontSize = "200%") !== ""`))
	beside, err := browser.Eval[[]string](v.Tab, `document.documentElement.scrollWidth <= 320 ? [] : [document.documentElement.scrollWidth + " px", ...[...document.querySelectorAll("body *")].filter((e) => e.checkVisibility({ visibilityProperty: true }) && e.getBoundingClientRect().right > 321).map((e) => Math.round(e.getBoundingClientRect().right) + " " + e.outerHTML.slice(0, 90)).slice(0, 8)]`)
	must(v.t, err, v.Await(`(document.documentElement.style.fontSize = "") === ""`))
	if len(beside) > 0 {
		v.t.Errorf("%s with letters of 200 %% on 320 px is beside the screen: %q", s.name, beside)
	}
	must(v.t, v.Size(1440, 900)) // a phone has some of what tests press elsewhere
	odd, err := browser.Eval[[]string](v.Tab, unset)
	must(v.t, err)
	if len(odd) > 0 {
		v.t.Errorf("%s: not set as French: %q", s.name, odd)
	}
}
