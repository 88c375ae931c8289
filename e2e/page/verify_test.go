package page

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

const brief = "MÉMOIRE EN DÉFENSE\n\nL’article 36 du code du travail dispose : « La durée du préavis est de neuf mois pour les cadres ».\n\n" +
	"Le contrat invoque la loi n° 1950-12 du 3 mars 1950, et l’article 4 ci-dessous.\n\nSelon l’article 999 du code du travail, rien n’est dû."

// A text that is pasted, and the same as a file, is checked, and its marks lead to the report and back.
func TestVerifyAText(t *testing.T) {
	v := atPage(t)
	source := axe(t)
	v.signIn("/connexion", v.reader())
	v.look(source, []screen{
		{"verifier", "/verifier", func(v *visit) error { return v.See("Rien n’est gardé") }},
		{"verifie", "/verifier", func(v *visit) error {
			return first(v.Fill(`document.querySelector("textarea")`, brief), v.Click(".to-verify button.main:enabled"), v.See("4 références, 1 citation"),
				v.Await(`document.querySelectorAll("a.verified-mark").length === 5 && document.querySelectorAll(".verified-list > li").length === 4`),
				v.See("n’existe pas dans ce texte"), v.See("Aucun texte du catalogue"), v.See("C’est un article de votre texte"))
		}},
	})
	must(t, v.Size(1440, 900), v.Click(`a[href="#ref-3"]`), v.Await(`location.hash === "#ref-3"`))
	must(t, v.Click(`#ref-0 .verified-texts li a:last-child`), v.Await(`location.pathname.startsWith("/textes/") && new URLSearchParams(location.search).has("article")`), v.Has(".law-text"))

	file := filepath.Join(t.TempDir(), "mémoire.txt")
	must(t, os.WriteFile(file, []byte(brief), 0o600))
	must(t, v.Open("/verifier"), v.Has(".to-verify input[type=file]"), v.Upload(".to-verify input[type=file]", file), v.See("4 références, 1 citation"), v.See("mémoire.txt"))
	must(t, os.WriteFile(file, nil, 0o600))
	must(t, v.Open("/verifier"), v.Has(".to-verify input[type=file]"), v.Upload(".to-verify input[type=file]", file), v.See("Le fichier est vide"))
	must(t, v.Await(fmt.Sprintf("document.querySelectorAll(%q).length === 1", ".to-verify .failure")))
	v.blameless("422 (Unprocessable Entity)")
}
