package law

import (
	"time"

	"github.com/google/uuid"
)

// Record is a text of the catalogue as JSON, as the public API shows it (LegalDocument).
type Record struct {
	ID             uuid.UUID  `json:"id"`
	Title          string     `json:"title"`
	Type           DocType    `json:"doc_type"`
	Nature         string     `json:"nature"`
	Domain         string     `json:"domaine"`
	OfficialNumber string     `json:"numero_officiel"`
	Promulgated    string     `json:"date_promulgation"`
	EntersInForce  string     `json:"date_entree_vigueur"`
	AsOf           string     `json:"etat_au,omitempty"` // only of a consolidated edition
	Status         Status     `json:"statut"`
	SourceURL      string     `json:"url_source,omitempty"` // only if there is a server to download from
	RepealedBy     *uuid.UUID `json:"abroge_par"`
	Passages       int        `json:"chunks_count"`
	Gazette        *Issue     `json:"gazette,omitempty"`
}

// Issue is the issue of a gazette that prints a text, and where.
type Issue struct {
	Gazette
	Page int    `json:"page"` // first page of the text in the issue's file
	Cite string `json:"cite"`
}

// Record returns the text as a Record.
func (d Document) Record() Record {
	r := Record{
		ID: d.ID, Title: d.Title, Type: d.Type, Nature: d.Nature, Domain: d.Domain, OfficialNumber: d.OfficialNumber,
		Promulgated: d.Promulgated.Format(time.DateOnly), EntersInForce: d.EntersInForce.Format(time.DateOnly),
		Status: d.Status, RepealedBy: d.RepealedBy, Passages: d.Passages,
	}
	if g := d.Gazette; g != nil {
		r.Gazette = &Issue{*g, d.FirstPage, g.Cite()}
	}
	if d.AsOf != nil {
		r.AsOf = d.AsOf.Format(time.DateOnly)
	}
	return r
}
