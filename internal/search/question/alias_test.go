package question

import (
	"slices"
	"testing"

	"vigueur/internal/law/country"
)

// Abbreviations are whole words. Short ones are only read in capitals, because « aus » may also be a
// misspelled « aux ».
func TestAliases(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Que dit l’AUS ?":               "AUS",
		"que dit l'aus ?":               "",
		"Aus":                           "",
		"article 5 auscgie":             "auscgie",
		"AUSCGIE-2014":                  "AUSCGIE",
		"AUSCGIEX":                      "",
		"la moudawana":                  "moudawana",
		"l’AUPSRVE, art. 3":             "AUPSRVE",
		"le CGI":                        "CGI",
		"cgi":                           "",
		"Cela s’appelle-t-il « AUA » ?": "AUA",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			got := ""
			for _, r := range Read(text, Conversation{}).References {
				if r.Alias {
					got += r.Name
				}
			}
			if got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

func TestAliasCountries(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]country.Code{
		"la Moudawana": {"ma"}, "le COCC": {"sn"}, "l’AUSCGIE": {"ohada"}, "le CGI": nil, "le code de la famille": nil,
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			refs := Read(text, Conversation{}).References
			if len(refs) != 1 || !slices.Equal(refs[0].Owners, want) {
				t.Errorf("%+v, want of %v", refs, want)
			}
		})
	}
	own := References("la Moudawana")[0].Owners
	own[0] = "xx"
	if got := References("la Moudawana")[0].Owners; !slices.Equal(got, []country.Code{"ma"}) {
		t.Errorf("a caller changed the table: %v", got)
	}
}
