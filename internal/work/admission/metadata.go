package admission

import (
	"encoding/json"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"vigueur/internal/law"
)

// The limits of a file's metadata.
const (
	MaxName   = 255  // length of the file's name in bytes, the usual limit of file systems
	MaxTitle  = 2000 // length of a text's title in code points
	MaxNumber = 100  // length of its official number in code points
)

// unnamed replaces an empty file name.
const unnamed = "document.pdf"

// Name returns the file name of a path of any operating system, without unprintable
// characters and cut to MaxName bytes.
func Name(given string) string {
	name := path.Base(strings.ReplaceAll(strings.ToValidUTF8(given, "_"), `\`, "/"))
	name = strings.TrimSpace(strings.Map(printing, name))
	for len(name) > MaxName {
		_, last := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-last]
	}
	if name == "" || name == "." || name == ".." || name == "/" {
		return unnamed
	}
	return name
}

// printing maps every kind of space to a plain one and drops unprintable characters.
func printing(r rune) rune {
	switch {
	case unicode.IsPrint(r):
		return r
	case unicode.IsSpace(r) && !unicode.IsControl(r):
		return ' '
	}
	return -1
}

// Metadata is what an operator states about a file, with the field names of the catalogue;
// zero values state nothing. The row stores the result of Spell.
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

// Spell returns m as JSON, as the row stores it, or nil if m states nothing.
func (m Metadata) Spell() (json.RawMessage, error) {
	if m == (Metadata{}) {
		return nil, nil
	}
	return json.Marshal(m)
}
