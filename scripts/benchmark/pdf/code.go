package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"unicode"
	"unicode/utf8"

	"codeberg.org/go-pdf/fpdf"
)

// words are what the made code consists of: enough that no two articles are the
// same, which an index would profit from.
var words = strings.Fields(`le la les un une de du des au aux en dans par pour sur sans sous avec selon lorsque est sont doit peut
	employeur salarié contrat convention autorité tribunal ministre administration demande décision délai notification indemnité
	procédure autorisation registre déclaration contribuable propriétaire locataire créancier débiteur société gérant associé
	écrit motivé compétent applicable préalable annuel mensuel public privé commun particulier général spécial
	fixe détermine prévoit interdit constate notifie transmet conserve publie présente établit désigne nomme contrôle`)

// makeCode writes a code of so many pages: an article after the other, with
// headings, a running head and page numbers, two fonts, some 2,500 characters a
// page (published codes have 1,500 to 4,000).
func makeCode(path string, seed uint64, pages int) error {
	r := rand.New(rand.NewPCG(seed, 2))
	pdf := fpdf.New("P", "pt", "A4", "")
	pdf.SetMargins(71, 71, 71) // 2.5 cm, as of a ministry's own print
	pdf.SetAutoPageBreak(true, 71)
	encode := pdf.UnicodeTranslatorFromDescriptor("")
	pdf.SetHeaderFunc(func() {
		pdf.SetFont("Times", "I", 9)
		pdf.CellFormat(0, 12, encode("Journal officiel de la République d’Astrevalle"), "", 1, "C", false, 0, "")
	})
	pdf.SetFooterFunc(func() {
		pdf.SetY(-30)
		pdf.SetFont("Times", "", 9)
		pdf.CellFormat(0, 12, fmt.Sprint(pdf.PageNo()), "", 0, "C", false, 0, "")
	})
	pdf.AddPage()
	pdf.SetFont("Times", "B", 12)
	pdf.MultiCell(0, 15, encode(fmt.Sprintf("Loi n° 2021-%d du 3 juin 2021 portant Code général", 12+seed)), "", "C", false)
	pdf.SetFont("Times", "", 10)
	pdf.MultiCell(0, 12, encode("L’Assemblée nationale a délibéré et adopté,\nLe Président de la République promulgue la loi dont la teneur suit :"), "", "C", false)
	for n := 1; pdf.PageNo() < pages; n++ {
		if n%40 == 1 {
			pdf.SetFont("Times", "B", 11)
			pdf.MultiCell(0, 20, encode(fmt.Sprintf("CHAPITRE %d", n/40+1)), "", "C", false)
		}
		pdf.SetFont("Times", "", 12)
		pdf.MultiCell(0, 20, encode(fmt.Sprintf("Article %d. – %s", n, sentence(r))), "", "J", false)
		pdf.MultiCell(0, 20, encode(sentence(r)), "", "J", false)
		pdf.Ln(10)
	}
	return pdf.OutputFileAndClose(path)
}

// sentence is fifty words that mean nothing.
func sentence(r *rand.Rand) string {
	picked := make([]string, 50)
	for i := range picked {
		picked[i] = words[r.IntN(len(words))]
	}
	first, size := utf8.DecodeRuneInString(picked[0])
	picked[0] = string(unicode.ToUpper(first)) + picked[0][size:]
	return strings.Join(picked, " ") + "."
}
