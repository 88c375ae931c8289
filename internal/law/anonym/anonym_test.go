package anonym

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"vigueur/internal/law/french"
)

// law is the set of words that the catalogue of these tests uses.
var law = french.Terms("le Code du travail de la République du Sénégal fixe à Dakar le préavis du Président du Conseil")

func ordinary(word string) bool { return slices.Contains(law, word) }

func TestText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Quel préavis selon le Code du travail au Sénégal ?":                        "Quel préavis selon le Code du travail au Sénégal ?",
		"Je suis Awa Diallo, licenciée le 12/03/2021 par M. Ousmane N'Diaye.":       "Je suis [nom], licenciée le 12/03/2021 par M. [nom].",
		"je m’appelle Jean de La Tour":                                              "je m’appelle [nom]",
		"Mon patron Koffi refuse, à Dakar":                                          "Mon patron [nom] refuse, à Dakar",
		"Écrivez à awa.diallo+x@exemple.sn ou voyez https://exemple.sn/awa?x=1 !":   "Écrivez à [adresse] ou voyez [lien] !",
		"Mon numéro est le 77 123 45 67, ou +221771234567 (carte 1 234 1990 00123)": "Mon numéro est le [numéro], ou [numéro] (carte [numéro])",
		"Compte SN12 K001 0015 2000 0256 9000 7542":                                 "Compte [numéro]",
		"Une amende de 10 000 000 de francs, ou 25000000 F CFA, en 2020":            "Une amende de 10 000 000 de francs, ou 25000000 F CFA, en 2020",
		"article L. 1224-1 de la loi n° 2010-05 du 3 mai 2010, le 2010-05-03":       "article L. 1224-1 de la loi n° 2010-05 du 3 mai 2010, le 2010-05-03",
		"je suis de mauvaise foi ?":                                                 "je suis de mauvaise foi ?",
		"":                                                                          "",
	} {
		if got := Text(text, ordinary); got != want {
			t.Errorf("%q\n  is %q\nwant %q", text, got, want)
		}
	}
	if words := Words("Le Code et Koffi, Koffi. Ousmane dit : Koffi"); !slices.Contains(words, french.Terms("Koffi")[0]) || len(words) != 2 {
		t.Errorf("words %v", words)
	}
}

// For any input, the output is valid text without an e-mail address.
func FuzzText(f *testing.F) {
	f.Add("M. Diallo a@b.fr 77 123 45 67")
	f.Add("\xff\xfe[nom] [nom]-[nom] je suis É")
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return
		}
		got := Text(text, func(string) bool { return false })
		if !utf8.ValidString(got) || mails.MatchString(strings.ReplaceAll(got, Mail, " ")) && !mails.MatchString(strings.ReplaceAll(text, Mail, " ")) {
			t.Errorf("%q becomes %q", text, got)
		}
	})
}

func TestTextKeepsWhatIdentifiesNobody(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"six digits":                     {"le dossier 123456", "le dossier 123456"},
		"seven digits":                   {"le dossier 1234567", "le dossier [numéro]"},
		"an amount with dots":            {"soit 1.500.000 par an", "soit 1.500.000 par an"},
		"an amount before its unit":      {"soit 1500000 euros", "soit 1500000 euros"},
		"a phone number at the end":      {"appelez le 77-123-45-67.", "appelez le [numéro]."},
		"a date in digits":               {"le 2021-03-12, puis le 12.03.2021", "le 2021-03-12, puis le 12.03.2021"},
		"a link without its scheme":      {"voir www.exemple.sn/dossier?id=7", "voir [lien]"},
		"an address in capitals":         {"AWA@EXEMPLE.SN", "[adresse]"},
		"names one after another":        {"avec Koffi Mensah-Kouassi, hier", "avec [nom], hier"},
		"an abbreviation is none":        {"mon CDD à la CNSS", "mon CDD à la CNSS"},
		"the word at the beginning":      {"Licencié hier. Licencié sans motif.", "Licencié hier. Licencié sans motif."},
		"the title stays without a name": {"Monsieur le président", "Monsieur le président"},
		"what stands for a name stays":   {"par [nom] et [adresse]", "par [nom] et [adresse]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := Text(c.text, ordinary); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
