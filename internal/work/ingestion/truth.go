package ingestion

import (
	"time"

	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
)

// TruthOf returns a reviewed file as the laboratory reads the truth about gazettes: its name there, and its entry.
func TruthOf(f postgres.ReviewedFile) (name string, entry Truth) {
	country := f.Said.Country
	for _, c := range f.Countries {
		if country == "" {
			country = c
		}
	}
	if country == "" {
		country = "inconnu"
	}
	entry = Truth{SHA256: f.SHA256, Kind: f.Said.Kind, Texts: []TruthText{}}
	for i, d := range f.Texts {
		entry.Texts = append(entry.Texts, TruthText{Type: d.Type, Nature: d.Nature, Number: d.OfficialNumber, Date: d.Promulgated.Format(time.DateOnly),
			Title: d.Title, Page: d.FirstPage, Articles: f.Articles[i]})
	}
	return country + "/" + f.SHA256[:8] + "-" + f.Filename, entry
}

// Truth is what persons have settled about a file.
type Truth struct {
	SHA256 string      `json:"sha256"`
	Kind   string      `json:"kind,omitempty"`
	Texts  []TruthText `json:"texts"`
}

// TruthText is a text of a file.
type TruthText struct {
	Type     law.DocType `json:"type"`
	Nature   string      `json:"nature,omitempty"`
	Number   string      `json:"number"`
	Date     string      `json:"date"`
	Title    string      `json:"title"`
	Page     int         `json:"page"`
	Articles int         `json:"articles"`
}
