package ingestion

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"vigueur/internal/gazette"
	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/work/admission"
)

// hints reads the row's metadata.
func (j *job) hints() (h gazette.Hints, err error) {
	var m admission.Metadata
	if len(j.Metadata) > 0 {
		if err := json.Unmarshal(j.Metadata, &m); err != nil {
			return h, errs.Wrap(errs.Unprocessable, "Les métadonnées de l’ingestion ne sont pas lisibles.", err)
		}
	}
	h = gazette.Hints{Filename: j.Filename, Title: m.Title, Type: m.Type, Nature: strings.TrimSpace(m.Nature), OfficialNumber: m.OfficialNumber, Domain: m.Domain}
	if h.Promulgated, err = day(m.Promulgated); err != nil {
		return h, err
	}
	if h.EntersInForce, err = day(m.EntersInForce); err != nil {
		return h, err
	}
	h.Published, err = day(m.Published)
	return h, err
}

// day reads a date of the metadata; nil for none.
func day(s string) (*time.Time, error) {
	if s == "" {
		return nil, nil
	}
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return nil, errs.Wrap(errs.Unprocessable, fmt.Sprintf("« %s » n’est pas une date de la forme AAAA-MM-JJ.", s), err)
	}
	return &t, nil
}

// complete fills in required fields that were not read from the text: title, type, domain
// and dates. A made-up title, type or date of promulgation adds a doubt.
func (j *job) complete(d *law.Document, doubts []law.Doubt, issued *time.Time) []law.Doubt {
	doubt := func(field, reason string) {
		if !slices.ContainsFunc(doubts, func(known law.Doubt) bool { return known.Field == field }) {
			doubts = append(doubts, law.Doubt{Field: field, Reason: reason})
		}
	}
	if strings.TrimSpace(d.Title) == "" {
		d.Title = strings.TrimSuffix(j.Filename, filepath.Ext(j.Filename))
		doubt("title", "Le titre n’a pas été trouvé ; le nom du fichier est mis à sa place.")
	}
	if d.Type == "" {
		d.Type = law.Loi
		doubt("doc_type", "La nature du texte n’a pas été reconnue.")
	}
	if d.Domain == "" {
		d.Domain = "autre"
	}
	made := d.Promulgated.IsZero() && issued == nil
	switch {
	case !d.Promulgated.IsZero():
	case issued != nil:
		d.Promulgated = *issued
		doubt("date_promulgation", "La date de promulgation n’a pas été trouvée ; celle du journal est mise à sa place.")
	default:
		d.Promulgated = j.CreatedAt.UTC().Truncate(24 * time.Hour)
		doubt("date_promulgation", "La date de promulgation n’a pas été trouvée ; celle de l’ingestion est mise à sa place jusqu’à ce qu’elle soit donnée.")
	}
	if d.EntersInForce.IsZero() {
		d.EntersInForce = d.Promulgated
		if made {
			doubt("date_entree_vigueur", "La date d’entrée en vigueur dépend de celle de promulgation, qui n’a pas été trouvée.")
		}
	}
	return doubts
}
