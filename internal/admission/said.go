package admission

import (
	"encoding/json"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/law"
)

// The longest of what may be said of a file.
const (
	MaxName   = 255  // of its name, in bytes, as file systems have it
	MaxTitle  = 2000 // of a text's title, in code points
	MaxNumber = 100  // of its official number, in code points
)

// unnamed is what a file without a name is called.
const unnamed = "document.pdf"

// Name is the name that is kept of a path, whatever system it comes from: without
// folders, without what does not print, and no longer than MaxName.
func Name(given string) string {
	name := path.Base(strings.ReplaceAll(strings.ToValidUTF8(given, "_"), `\`, "/"))
	name = strings.TrimSpace(strings.Map(printing, name))
	for len(name) > MaxName {
		_, last := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-last]
	}
	if name == "" || name == "." || name == "/" {
		return unnamed
	}
	return name
}

// printing gives a plain blank for any other, and drops what does not print.
func printing(r rune) rune {
	switch {
	case unicode.IsPrint(r):
		return r
	case unicode.IsSpace(r) && !unicode.IsControl(r):
		return ' '
	}
	return -1
}

// Metadata is what may be said of a file that is taken in, under the catalogue's
// names; zero values say nothing. The row keeps it as Spell writes it.
type Metadata struct {
	Title          string      `json:"title,omitempty"`
	Type           law.DocType `json:"doc_type,omitempty"`
	Nature         string      `json:"nature,omitempty"`
	OfficialNumber string      `json:"numero_officiel,omitempty"`
	Domain         string      `json:"domaine,omitempty"`
	Promulgated    string      `json:"date_promulgation,omitempty"`   // YYYY-MM-DD
	EntersInForce  string      `json:"date_entree_vigueur,omitempty"` // YYYY-MM-DD
	Published      string      `json:"date_publication,omitempty"`    // of the gazette, YYYY-MM-DD
}

// Spell writes m as a row keeps it; nil when it says nothing.
func (m Metadata) Spell() (json.RawMessage, error) {
	if m == (Metadata{}) {
		return nil, nil
	}
	return json.Marshal(m)
}
