package page

import (
	"fmt"
	"testing"
	"time"

	"vigueur/e2e/browser"
)

// slowSource is the time in which a phone with a bad network and a slow processor shows the cited words marked.
const slowSource = 2 * time.Second

// A source opens on a slow phone: the cited words at once, then the page of the gazette, in an image that such a network carries.
func TestASourceOnASlowPhone(t *testing.T) {
	v := atPage(t)
	must(t, v.Size(360, 740))
	v.signIn("/connexion", v.reader())
	v.ask(notice)
	must(t, v.Await(answered), v.SlowNetwork(), v.Slow(4))
	opened := func(what string) float64 {
		ms, err := browser.Eval[float64](v.Tab, `new Promise((resolve) => {
			const from = performance.now()
			document.querySelector(".cite").click()
			const look = () => document.querySelector(`+quote(what)+`)?.checkVisibility({ visibilityProperty: true }) ? requestAnimationFrame(() => resolve(performance.now() - from)) : setTimeout(look, 10)
			look()
		})`)
		must(t, err)
		must(t, v.Key(escape), v.Await(`!document.querySelector(".source")`))
		return ms
	}
	words, page := opened(".source blockquote mark"), opened(".gazette-page .sheet img")
	size, err := browser.Eval[int](v.Tab, `performance.getEntriesByType("resource").filter((r) => r.name.includes("/pages/")).at(-1).transferSize`)
	must(t, err, v.Offline(false), v.Slow(1))
	t.Logf("the cited words after %.0f ms, their page after %.0f ms, in %d bytes", words, page, size)
	if words > float64(slowSource.Milliseconds()) {
		t.Errorf("the cited words come after %.0f ms", words)
	}
	if size > 64_000 {
		t.Errorf("the page takes %d bytes", size)
	}
	v.blameless()
}

// most is how much of a screen may move while it is read, as browsers count it (cumulative layout shift).
const most = 0.05

// What is being read stays where it is while the rest of a screen comes.
func TestNothingShifts(t *testing.T) {
	v := atPage(t)
	must(t, v.Before(`window.shifted = []
		new PerformanceObserver((seen) => window.shifted.push(...seen.getEntries().filter((e) => !e.hadRecentInput))).observe({ type: "layout-shift", buffered: true })`))
	still := func(screens ...screen) {
		for _, width := range []int64{1440, 360} {
			must(t, v.Size(width, 800))
			for _, s := range screens {
				must(t, v.Open(s.path), s.do(v))
				moved, err := browser.Eval[struct {
					Sum float64  `json:"sum"`
					Of  []string `json:"of"`
				}](v.Tab, `new Promise((resolve) => setTimeout(() => resolve({ sum: shifted.reduce((n, e) => n + e.value, 0),
					of: shifted.flatMap((e) => e.sources.map((s) => s.node?.nodeName + "." + s.node?.className)) }), 800))`)
				must(t, err)
				t.Logf("%s at %d: %.3f", s.name, width, moved.Sum)
				if moved.Sum > most {
					t.Errorf("%s at %d moves by %.3f: %q", s.name, width, moved.Sum, moved.Of)
				}
			}
		}
	}
	still(screen{"accueil", "/", func(v *visit) error { return v.See("textes dans") }})
	must(t, v.Size(1440, 800))
	v.signIn("/connexion", v.reader())
	v.ask(notice)
	must(t, v.Await(answered))
	talk, err := browser.Eval[string](v.Tab, `location.pathname`)
	must(t, err)
	still(
		screen{"chat", talk, func(v *visit) error { return v.Await(answered) }},
		screen{"question", "/", func(v *visit) error { return v.See("Par exemple") }},
		screen{"catalogue", "/textes", func(v *visit) error { return v.Has(".texts li") }},
		screen{"recherche", "/textes?q=travail", func(v *visit) error { return v.Has(".texts mark") }},
		screen{"texte", "/textes?q=code+du+travail&objet=texte", func(v *visit) error {
			return first(v.ClickOn(`[...document.querySelectorAll(".texts a")].find((a) => a.textContent.endsWith("portant Code du travail"))`), v.Has(".law-text"), v.Reload(), v.Has(".law-text"))
		}})
}

// Of a small phone, what stands above and below an answer takes at most a quarter.
func TestAnAnswerHasThePhone(t *testing.T) {
	v := atPage(t)
	v.signIn("/connexion", v.reader())
	must(t, v.Size(360, 640), v.Type("#question", notice), v.Key("\r"), v.Await(answered), v.Await(`document.querySelector(".thread").clientHeight >= innerHeight * .7 && document.querySelector("header.top").offsetHeight + document.querySelector(".talk-head").offsetHeight + document.querySelector(".composer").offsetHeight <= innerHeight / 4`))
	must(t, v.Click("#question"), v.Has(".composer:not(.idle) button[type=submit]"))
}

// Whatever the width and the letters, a source opens with its cited words in view, and says which text it is of.
func TestSourceOpensAtItsWords(t *testing.T) {
	v := atPage(t)
	must(t, v.Before(`Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => void (window.copied = text) } })`)) // a browser without a window has none
	v.signIn("/connexion", v.reader())
	must(t, v.Type("#question", notice), v.Key("\r"), v.Await(answered))
	for _, w := range []struct {
		wide, high int64
		letters    int
	}{{360, 640, 100}, {320, 640, 200}, {1280, 720, 100}} {
		must(t, v.Size(w.wide, w.high), v.Await(fmt.Sprintf(`(document.documentElement.style.fontSize = "%d%%") !== "" && innerWidth === %d`, w.letters, w.wide)))
		must(t, v.Await(fmt.Sprintf(`%d > 100 || [...document.querySelectorAll(".rule-name")].every((e) => e.scrollHeight <= e.clientHeight + 2)`, w.letters)))
		must(t, v.Click(".cite"), v.Await(`(() => { const panel = document.querySelector(".source").getBoundingClientRect(), words = document.querySelector(".source blockquote mark").getBoundingClientRect()
			return words.top >= panel.top && words.top < panel.bottom - 40 })()`),
			v.Press("Copier la citation"), v.Await(`/^«.*trois mois pour le cadre.*» \(Article \d+, .*p\. \d+\)$/.test(window.copied?.replace(/\s+/g, " "))`), v.Await(`!void (window.copied = "")`), v.Click(".source > .close"), v.Await(`!document.querySelector(".source")`))
	}
}
