package page

import (
	"fmt"
	"testing"

	"vigueur/e2e/browser"
)

// chip is an expression for a value of a group of filters.
func chip(group, value string) string {
	return fmt.Sprintf(`[...document.querySelectorAll('.facet[aria-label=%q] .chip')].find((c) => c.textContent.startsWith(%q))`, group, value)
}

// found waits for results that are those of the address, and tells how many there are.
func (v *visit) found(address string) int {
	v.t.Helper()
	must(v.t, v.Await(fmt.Sprintf(`location.search === %q && document.querySelector(".searched")?.getAttribute("aria-busy") === "false" &&
		/^\d/.test(document.querySelector(".results [role=status]").textContent)`, address)))
	n, err := browser.Eval[int](v.Tab, `parseInt(document.querySelector(".results [role=status]").textContent.replace(/\s/g, ""))`)
	must(v.t, err)
	return n
}

// What is looked for is found as it is typed, narrowed by counted values and put in
// order; the address holds it, and the way back leads through what was there before.
func TestSearch(t *testing.T) {
	v := atPage(t)
	v.signIn("/connexion?suite=/textes", v.reader())
	must(t, v.Type("#find-text", "preavis"), v.Await(`[...document.querySelectorAll(".texts .excerpt mark")].some((m) => m.textContent === "préavis")`))
	v.found("?q=preavis")
	must(t, v.Type("#find-text", "travail"))
	all := v.found("?q=travail")
	counted, err := browser.Eval[int](v.Tab, `parseInt(`+chip("Quoi", "Articles")+`.querySelector(".chip-count").textContent)`)
	must(t, err, v.ClickOn(chip("Quoi", "Articles")))
	articles := v.found("?q=travail&objet=article")
	if articles != counted || articles > all || articles == 0 {
		t.Errorf("%d articles of %d results, %d counted", articles, all, counted)
	}
	must(t, v.Choose(".sorting select", "ancien"))
	v.found("?q=travail&objet=article&tri=ancien")
	must(t, v.Reload())
	if n := v.found("?q=travail&objet=article&tri=ancien"); n != articles {
		t.Errorf("%d results after a reload, %d before", n, articles)
	}
	must(t, v.Click(".texts a"), v.Await(`/^\/textes\/[0-9a-f-]{36}$/.test(location.pathname) && location.search.startsWith("?article=")`), v.Has(".law-text"))
	must(t, v.Back())
	v.found("?q=travail&objet=article&tri=ancien")
	must(t, v.Back())
	v.found("?q=travail&objet=article")
	must(t, v.Back())
	v.found("?q=travail")
	must(t, v.Await(`document.querySelector("#find-text").value === "travail" && document.querySelector(".sorting select").value === "pertinence"`))

	// Who looks for a code finds it before what amends it.
	must(t, v.Open("/textes?q=code+du+travail&objet=texte"), v.Await(`document.querySelector(".texts a")?.textContent === "Loi n° 2023-07 du 14 mars 2023 portant Code du travail"`))
	// In a text the whole of it is looked through, not what was come near.
	must(t, v.Click(".texts a"), v.Type("#find-in", "greve"), v.Await(`/^\d+ articles$/.test(document.querySelector(".outline [role=status]")?.textContent)`),
		v.Await(`[...document.querySelectorAll(".law-text mark")].some((m) => m.textContent === "grève")`),
		v.See("remplacer un salarié en grève"), v.See("cessation concertée du travail"))

	// Without words too everything is counted, and each value leads to as many as it says.
	must(t, v.Open("/textes"))
	all = v.found("")
	must(t, v.Await(`document.querySelectorAll(".facet").length >= 4 && [...document.querySelectorAll(".facet .chip")].every((c) => c.querySelector(".chip-count"))`))
	if counted, err = browser.Eval[int](v.Tab, `parseInt(`+chip("Nature", "Décret")+`.querySelector(".chip-count").textContent)`); err != nil || counted == 0 || counted >= all {
		t.Errorf("%d decrees of %d texts: %v", counted, all, err)
	}
	must(t, v.ClickOn(chip("Nature", "Décret")))
	if n := v.found("?nature=D%C3%A9cret"); n != counted {
		t.Errorf("%d decrees, %d counted", n, counted)
	}

	// A day whose law it is, and what nothing has.
	must(t, v.Open("/textes?q=heures&date=2024-03-01"))
	v.found("?q=heures&date=2024-03-01")
	must(t, v.Open("/textes?q=introuvable&statut=abroge"), v.See("n’a ces mots avec ces filtres"), v.Press("Chercher sans filtre"),
		v.Await(`location.search === "?q=introuvable"`), v.See("n’a ces mots."))
	must(t, v.Open("/textes?page=900"), v.Press("Revenir à la première"))
	v.found("")
	v.blameless()
}

// Titles are suggested; keys choose one. Nobody needs the mouse, and a service that is
// away for a moment is asked again.
func TestTitlesAsTheyAreTyped(t *testing.T) {
	const down = "\u0301"
	v := atPage(t)
	v.signIn("/connexion?suite=/textes", v.reader())
	v.found("")
	must(t, v.Await(`document.activeElement !== document.querySelector("#find-text")`), v.Key("/"), v.Await(`document.activeElement.id === "find-text"`),
		v.Write("code"), v.Await(`document.querySelectorAll("#find-titles:not([hidden]) [role=option]").length > 0`), v.Key(down),
		v.Await(`document.getElementById(document.activeElement.getAttribute("aria-activedescendant"))?.ariaSelected === "true"`))
	wanted, err := browser.Eval[string](v.Tab, `document.querySelector("#find-titles [aria-selected=true] span").textContent`)
	must(t, err, v.Key("\r"), v.Await(`/^\/textes\/[0-9a-f-]{36}$/.test(location.pathname)`), v.Await(`document.querySelector("main h1")?.textContent === `+quote(wanted)))
	must(t, v.Open("/textes"))
	v.found("")
	must(t, v.Offline(true), v.Type("#find-text", "salaire"), v.See("Le service ne répond pas"), v.Offline(false), v.Press("Réessayer"))
	v.found("?q=salaire")
	must(t, v.Size(360, 800), v.Press("Filtres"), v.Has(".facet-groups.open .chip"))
	wide, err := browser.Eval[int](v.Tab, `document.documentElement.scrollWidth`)
	must(t, err)
	if wide > 360 {
		t.Errorf("with its filters open, %d px wide on a screen of 360", wide)
	}
	v.blameless("net::ERR_")
}
