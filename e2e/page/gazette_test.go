package page

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"codeberg.org/go-pdf/fpdf"

	"vigueur/e2e/browser"
)

// decree is a text of a gazette that a test draws.
type decree struct{ title, object, price string }

// undated draws a gazette of decrees that do not tell their day, without which no text
// enters the catalogue: each waits for a person. It gives the file's path.
func undated(t *testing.T, name string, decrees ...decree) string {
	t.Helper()
	pdf := fpdf.New("P", "mm", "A4", "")
	latin := pdf.UnicodeTranslatorFromDescriptor("") // the fonts of every reader, which know French
	line := func(style string, size float64, align, words string) {
		pdf.SetFont("Times", style, size)
		pdf.MultiCell(0, 6, latin(words), "", align, false)
		pdf.Ln(2)
	}
	pdf.AddPage()
	line("B", 18, "C", "Journal officiel de la République d’Astrevalle")
	line("", 11, "C", "Décrets")
	for _, d := range decrees {
		line("B", 12, "C", d.title+" "+d.object)
		line("", 11, "L", "Le Premier ministre,")
		line("", 11, "L", "Vu la Constitution,")
		line("", 11, "L", "Décrète :")
		line("", 11, "L", "Article 1er. — "+d.price)
		line("", 11, "L", "Article 2. — Le ministre chargé du commerce est chargé de l’exécution du présent décret.")
	}
	path := filepath.Join(t.TempDir(), name)
	must(t, pdf.OutputFileAndClose(path))
	return path
}

// received is an expression: what was dropped has arrived. A short file may have been read already.
const received = `((said) => said !== "" && !/Envoi…|En attente d’envoi/.test(said))(document.querySelector(".drop [role=status]").textContent)`

// drop puts a gazette into the page's list of files, and waits until it is read and a
// text of it waits for a person.
func (v *visit) drop(path string) {
	v.t.Helper()
	name := filepath.Base(path)
	must(v.t, v.See("Déposez des PDF"), v.Upload("input[type=file]", path), v.Await(received),
		v.Await(fmt.Sprintf(`[...document.querySelectorAll(".file.review")].some((f) => f.textContent.includes(%q))`, name)))
}

// Where a file was dropped stands what became of it, and it is forgotten only after a question.
func TestAFileThatFails(t *testing.T) {
	v := atPage(t)
	path := filepath.Join(t.TempDir(), "coupee.pdf")
	must(t, os.WriteFile(path, []byte("%PDF-1.7\n1 0 obj\n<< /Type /Catalog"), 0o600))
	v.signIn("/connexion?suite=/admin", editor)
	must(t, v.See("Déposez des PDF"), v.Upload("input[type=file]", path), v.Await(`document.querySelector(".drop li.fault") && document.querySelector(".file.failed")`))
	must(t, v.Await(`!document.querySelector(".drop").textContent.includes("la lecture commence")`))
	must(t, v.Press("Oublier"), v.See("seront supprimés"), v.Press("Garder"), v.Await(`document.querySelector(".file.failed") && !document.querySelector("dialog")`))
	must(t, v.Press("Oublier"), v.Press("Oublier"), v.Await(`!document.querySelector(".file.failed")`))
	v.blameless()
}

// From a dropped gazette to an answer: an editor follows it, says on the desk what it
// does not tell, finds the text in the catalogue, and asks about it.
func TestFromAGazetteToAnAnswer(t *testing.T) {
	v := atPage(t)
	v.signIn("/connexion?suite=/admin", editor)
	v.drop(undated(t, "sel.pdf", decree{"Décret n° 2024-901", "fixant le prix du sel gris", "Le prix du sel gris est fixé à douze écus le kilogramme dans toutes les communes du littoral."}))
	must(t, v.Press("sel.pdf"), v.Has(".review-form"), v.Await(`document.activeElement.name === "date_promulgation" && document.activeElement.ariaInvalid === "true"`))
	must(t, v.Await(`[...document.querySelectorAll(".piece img")].length === 2`), v.Await(`document.querySelector(".line.on").title.startsWith("Décret n° 2024-901")`)) // where a day would stand
	must(t, v.Await(`document.querySelectorAll(".strip i").length === 1`), v.See("Toutes les lignes sont dans un texte ou mises à part"))
	must(t, v.Key("\r"), v.See("À donner pour accepter le texte"), v.Await(`document.activeElement.name === "date_promulgation"`)) // what is missing is told
	must(t, v.Fill("document.activeElement", "2024-06-03"), v.Key("\r"))
	for { // a key settles each doubt, that of the last one the text
		more, err := browser.Eval[bool](v.Tab, `!document.querySelector(".desk-head .state.done") && !!document.querySelector(".steps [aria-current]")`)
		must(t, err)
		if !more {
			break
		}
		must(t, v.Key("\r"))
	}
	must(t, v.See("Le texte entre au catalogue"))
	must(t, v.Await(`document.querySelector(".desk-head .state.done")`))
	must(t, v.Open("/textes"), v.Type("#find-text", "sel gris"), v.Await(`location.search === "?q=sel+gris"`))
	v.found("?q=sel+gris")
	must(t,
		v.Click(".texts a"), v.See("Le prix du sel gris est fixé à douze écus"), v.See("3 juin 2024"))
	must(t, v.Open("/"))
	v.ask("À combien est fixé le prix du sel gris ?")
	must(t, v.Await(answered), v.See("douze écus"), v.Await(lastAnswer+`.querySelector(".rule-head").textContent.includes("2024-901")`))

	// Why it is answered so: the article that is cited was looked at, with all that was known of it.
	must(t, v.Press("Pourquoi cette réponse\u202f?"), v.See("À combien est fixé le prix du sel gris"), v.See("Les articles considérés"), v.See("montant"),
		v.Await(`[...document.querySelectorAll("[aria-label='Articles considérés'] tbody tr")].some((r) => r.textContent.includes("2024-901") && r.textContent.includes("[1]"))`))
	must(t, v.Press("Ce qui était su de chacun"), v.Await(`document.querySelectorAll("[aria-label='Ce qui était su de chaque article'] tbody td").length > 20`))
	v.judge(axe(t), screen{name: "pourquoi"})
	v.blameless("422 (Unprocessable")
}

// Texts that wait are settled several at once, by keys: what lacks something stays,
// with its reason, and what is rejected is asked about first.
func TestReviewsAtOnce(t *testing.T) {
	const down = "\u0301"
	v := atPage(t)
	v.signIn("/connexion?suite=/admin", editor)
	v.drop(undated(t, "poivre.pdf",
		decree{"Décret n° 2024-911", "fixant le prix du poivre", "Le prix du poivre est fixé à trente écus le kilogramme."},
		decree{"Décret n° 2024-912", "fixant le prix du miel", "Le prix du miel est fixé à neuf écus le kilogramme."},
		decree{"Décret n° 2024-913", "fixant le prix de la cire", "Le prix de la cire est fixé à cinq écus le kilogramme."}))
	must(t, v.Click("nav.parts a[href='/admin/relecture']"), v.Await(`document.querySelectorAll("li.review-row").length === 3`), v.See("3 textes à relire"))
	v.judge(axe(t), screen{name: "relecture-pleine"})

	must(t, v.Click(".chips button:nth-child(2)"), v.Press("Accepter tout le groupe…"), v.See("3 textes en revue"), v.See("une donnée est à donner"))
	v.judge(axe(t), screen{name: "relecture-groupe"})
	must(t, v.Press("Annuler"), v.Click(".chips button:first-child"), v.Await(`!location.search && document.querySelectorAll("li.review-row").length === 3`))

	date := func(i int) string {
		return fmt.Sprintf(`document.querySelectorAll("li.review-row")[%d].querySelector("input[type=date]")`, i)
	}
	must(t, v.Fill(date(0), "2024-07-01"), v.Click(".batch-bar input"), v.Press("Accepter (3)"))
	must(t, v.Await(`document.querySelectorAll("li.review-row").length === 2`), v.See("Le texte entre au catalogue"), v.See("À donner pour accepter le texte"))
	must(t, v.Await(`document.querySelectorAll("li.review-row.on").length === 2`))
	must(t, v.Fill(date(0), "2024-07-02"), v.Click("li.review-row.on input[type=checkbox]"), v.Key(down), v.Await(`document.activeElement.matches("li.review-row:last-child input[type=checkbox]")`))
	must(t, v.Key("r"), v.See("Il n’entrera pas au catalogue"), v.Press("Rejeter"), v.Await(`document.querySelectorAll("li.review-row").length === 1`))
	must(t, v.Click("li.review-row input[type=checkbox]"), v.Key("a"), v.See("Aucun texte à relire"))
	var accepted, rejected int
	must(t, v.service.Query(t.Context(), `SELECT count(*) FILTER (WHERE action = 'review.accept'), count(*) FILTER (WHERE action = 'review.reject') FROM audit`, &accepted, &rejected))
	if accepted < 2 || rejected < 1 {
		t.Errorf("%d accepted, %d rejected", accepted, rejected)
	}
	must(t, v.Open("/admin/comptes"), v.See("réservée à un autre rôle")) // what is not an editor's is not shown as something else
	v.blameless()
}

// What the desk does with the words of a whole article, and with lines that belong
// behind others.
func TestTheDeskPutsWordsInTheirPlace(t *testing.T) {
	v := atPage(t)
	v.signIn("/connexion?suite=/admin", editor)
	v.drop(undated(t, "cumin.pdf", decree{"Décret n° 2024-921", "fixant le prix du cumin", "Le prix du cumin est fixé à vingt écus le kilogramme."}))
	must(t, v.Press("cumin.pdf"), v.Await(`document.querySelectorAll(".line").length > 5`), v.Await(`document.activeElement.name === "date_promulgation"`))
	chosen := func(words string) {
		must(t, v.ClickOn(fmt.Sprintf(`[...document.querySelectorAll(".line")].find((l) => l.title.includes(%q))`, words)),
			v.Await(fmt.Sprintf(`document.querySelector(".line.on")?.title.includes(%q)`, words)))
	}
	settled := `!document.querySelector(".desk-head .advance") && document.querySelector(".desk-head .state.review")`
	chosen("vingt écus")
	must(t, v.Key("w"), v.Await(`document.activeElement.matches("dialog textarea")`),
		v.Await(`document.querySelector("dialog textarea").value.endsWith("Le prix du cumin est fixé à vingt écus le kilogramme.")`))
	must(t, v.Fill(`document.querySelector("dialog textarea")`, "Le prix du cumin est fixé à vingt-deux écus."), v.Press("Appliquer"), v.See("Mots corrigés, p. 1"), v.Await(settled))
	chosen("Vu la Constitution")
	must(t, v.Key("d"), v.See("Choisissez la ligne d’avant"))
	chosen("chargé de l’exécution")
	must(t, v.Key("\r"), v.See("Lignes déplacées, p. 1"), v.Await(settled))
	chosen("Décrète")
	must(t, v.Key("d"), v.See("Choisissez la ligne d’avant"), v.Key("\u001b"), v.Await(`!document.querySelector(".carried")`))
	must(t, v.Key("x"), v.See("Lignes déplacées, p. 1 : Décrète"), v.Await(settled), v.Await(`document.querySelector(".line.loose, .line.aside")`)) // rows that are no articles
	must(t, v.Click(".surface-keys"), v.Key("q"), v.See("Il n’entrera pas au catalogue"), v.Press("Garder"), v.Await(`!document.querySelector("dialog")`))
	must(t, v.Press("Rejeter q"), v.Press("Rejeter"), v.See("Le texte est rejeté")) // nothing waits for the tests that follow
	v.blameless()
}

// The page works in browsers that lack what is recent, and a gazette opens there with the cited words marked and printed.
func TestAGazetteOpensInOlderBrowsers(t *testing.T) {
	v := atPage(t)
	must(t, v.Older())
	v.signIn("/connexion", v.reader())
	v.ask(notice)
	must(t, v.Await(answered), v.Click(".cite"), v.Press("Feuilleter la gazette"), v.Has(".pdf .sheet canvas"), v.Await(browser.Inked))
	words, err := browser.Eval[browser.Words](v.Tab, browser.Highlighted)
	must(t, err)
	if !words.Same {
		t.Errorf("marked: %q\nexcerpt: %q", words.Marked, words.Excerpt)
	}
	for path, what := range map[string]string{"/textes?q=travail": ".texts mark", "/verifier": "main textarea", "/compte": "[data-follows], #alertes"} {
		must(t, v.Open(path), v.Has(what))
	}
	must(t, v.Open("/textes?objet=texte&q=code+du+travail"), v.Click(".texts a"), v.Has(".law-text"), v.Press("Voir la gazette"), v.Has(".gazette .sheet[data-drawn]"))
	v.blameless()
}

// Where the reader of PDFs does not start, the page says so, and leads to the file.
func TestAGazetteThatDoesNotOpenIsSaid(t *testing.T) {
	v := atPage(t)
	must(t, v.Failing())
	v.signIn("/connexion", v.reader())
	v.ask(notice)
	must(t, v.Await(answered), v.Click(".cite"), v.Press("Feuilleter la gazette"), v.See("Ce navigateur n’a pas pu ouvrir le PDF"), v.Await(`document.querySelector(".pdf .failure a[href$='/file']")`))
}
