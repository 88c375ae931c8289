package page

import "testing"

// The documentation lists every operation with what it takes and gives, and needs no script.
func TestDocumentation(t *testing.T) {
	v := atPage(t)
	must(t, v.Open("/docs"), v.Await(`document.querySelectorAll("article").length > 150`), v.See("Poser une question"))
	must(t, v.Await(`document.querySelector("#ask a[href='#objet-Question']") !== null && document.querySelector("#objet-Question").textContent.includes("obligatoire")`))
	must(t, v.Await(`document.scripts.length === 0`))
	found, err := v.Check(axe(t))
	must(t, err)
	for _, rule := range found {
		t.Errorf("%s (%s): %q", rule.ID, rule.Help, rule.Nodes)
	}
	v.blameless()
}
