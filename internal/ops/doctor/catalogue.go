package doctor

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"vigueur/internal/gazette/heads"
	"vigueur/internal/gazette/segment/titles"
	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/store/postgres"
)

// ExamineCatalogue lists what a person has to look at in the catalogue: what files keep outside their texts, texts without a
// country, titles that do not read as such, numbers of articles that do not run, and, to be read, what each text is found to
// change.
func ExamineCatalogue(ctx context.Context, db *postgres.DB) ([]Finding, error) {
	var out []Finding
	add := func(area string, state State, found, do string) { out = append(out, Finding{area, state, found, do}) }
	files := 0
	err := db.AuditFiles(ctx, func(filename, remark string) error {
		if files++; strings.Contains(remark, "Hors de tout texte") || strings.Contains(remark, "aucun texte") {
			add("fichiers", Warn, filename+" : "+remark, "Ouvrez le fichier au bureau, et dites où ses textes commencent et finissent.")
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	texts, abroad, unread, gaps, changes := 0, 0, 0, 0, 0
	err = db.AuditTexts(ctx, func(t postgres.AuditedText) error {
		texts++
		name := fmt.Sprintf("%s, p. %d : %s", t.Filename, t.FirstPage, law.Clip(t.Title, 120))
		if len(t.Countries) == 0 && !ofUnion(t) {
			abroad++
			add("pays", Warn, name, "Dites de quel pays est ce droit.")
		}
		var title titles.Title
		if !title.Read(t.Title) || !title.Reads() {
			unread++
			add("titres", Warn, name, "Récrivez ce titre.")
		}
		var missing []string
		for _, g := range heads.Gaps(t.Articles) {
			missing = append(missing, g.String())
		}
		if len(missing) > 0 && t.Type != law.Code {
			gaps++
			add("numéros", Warn, name+" : il manque "+strings.Join(missing, ", "), "")
		}
		for _, c := range t.Changes {
			changes++
			add("relations", Unseen, law.Clip(t.Title, 80)+" "+c, "")
		}
		return nil
	})
	add("catalogue", OK, fmt.Sprintf("%d textes : %d sans pays, %d titres à récrire, %d où des numéros manquent, %d relations à lire ; %d fichiers ont une remarque.", texts, abroad, unread, gaps, changes, files), "")
	return out, err
}

// ofUnion reports whether a text names a union as often as any country: its law is of no single country.
func ofUnion(t postgres.AuditedText) bool {
	named := country.Tally{}
	named.Add(country.In(t.Title+" "+t.Around), 1)
	for _, a := range t.Articles {
		named.Add(country.In(a.Text), 1)
	}
	return slices.ContainsFunc(named.Of(), country.Union)
}
