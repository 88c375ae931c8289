package page

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vigueur/e2e/browser"
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

// TestABriefIsGivenBack: a .docx comes back with what is to look at as comments at their place.
func TestABriefIsGivenBack(t *testing.T) {
	v := atPage(t)
	v.signIn("/connexion", v.reader())
	file := filepath.Join(t.TempDir(), "mémoire.docx")
	writeDocx(t, file, "L’article 77 du ", "code du travail dispose : « La convention conclue sans terme peut être dénoncée avec un préavis de six mois ».", "Le contrat invoque enfin l’article 999 du code du travail.")
	must(t, v.Open("/verifier"), v.Has(".to-verify input[type=file]"), v.Await(`(URL.createObjectURL = (b) => (window.made = b, "#"), HTMLAnchorElement.prototype.click = () => undefined) !== null`), v.Upload(".to-verify input[type=file]", file),
		v.See("à revoir"))
	must(t, v.See("citation différente"))
	must(t, v.Has(".verified-faults li"), v.See("Copier ces mots"), v.Press("Le fichier, annoté"), v.Await(`window.made !== undefined`))
	// The faults come first: the article that does not exist before what is only changed.
	must(t, v.Await(`document.querySelector(".verified-list > li .verified-state").classList.contains("bad")`))
	must(t, v.resolves(`window.made.arrayBuffer().then((b) => (window.bytes = btoa(String.fromCharCode(...new Uint8Array(b)))) !== "")`))
	coded, err := browser.Eval[string](v.Tab, `window.bytes`)
	must(t, err)
	data, err := base64.StdEncoding.DecodeString(coded)
	must(t, err)
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	must(t, err)
	part := func(name string) string {
		f, err := archive.Open(name)
		must(t, err)
		text, err := io.ReadAll(f)
		must(t, err)
		return string(text)
	}
	told, body := part("word/comments.xml"), part("word/document.xml")
	if !strings.Contains(told, "citation différente") || !strings.Contains(told, "Dans la loi") || !strings.Contains(told, "introuvable") || strings.Count(told, "<w:comment ") != 2 {
		t.Errorf("comments: %s", told)
	}
	before, behind, _ := strings.Cut(body, "Le contrat")
	if strings.Count(body, "commentRangeStart") != 2 || strings.Count(before, "commentReference") != 1 || strings.Count(behind, "commentReference") != 1 || !strings.Contains(body, "« La convention conclue") {
		t.Errorf("document: %s", body)
	}
	for _, name := range []string{"[Content_Types].xml", "word/_rels/document.xml.rels"} {
		if !strings.Contains(part(name), "comments") {
			t.Errorf("%s does not name the comments", name)
		}
	}
	v.blameless()
}

// writeDocx writes a file for Word: a paragraph of two runs, and another one.
func writeDocx(t *testing.T, path, first, second, third string) {
	t.Helper()
	file, err := os.Create(path)
	must(t, err)
	w := zip.NewWriter(file)
	run := func(s string) string { return `<w:r><w:t xml:space="preserve">` + s + `</w:t></w:r>` }
	for name, text := range map[string]string{
		"[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
		"word/document.xml":   `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p>` + run(first) + run(second) + `</w:p><w:p>` + run(third) + `</w:p></w:body></w:document>`,
	} {
		part, err := w.Create(name)
		must(t, err)
		_, err = part.Write([]byte(text))
		must(t, err)
	}
	must(t, w.Close(), file.Close())
}
