package catalogue

import (
	"cmp"
	"slices"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/law"
	"vigueur/internal/law/country"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/respond"
)

// CountryOfTextsBody is a country with the number of its texts.
type CountryOfTextsBody struct {
	Code      string `json:"pays" doc:"Un pays en deux lettres, une union (ohada, uemoa, cemac, cedeao, ue), ou « x- » et le nom que se donne un État d’aucune liste."`
	Name      string `json:"nom"`
	Documents int    `json:"documents_count"`
}

// listCountries serves GET /countries. It shows the countries from which readers choose their own, by name.
func (s *Handlers) listCountries(c *fiber.Ctx, _ contract.None) (reply []CountryOfTextsBody, _ error) {
	counts, err := s.DB.Countries(c.UserContext())
	if err != nil {
		return reply, err
	}
	return respond.ShowAll(selectOffered(counts), func(n postgres.Count) CountryOfTextsBody {
		return CountryOfTextsBody{n.Value, country.Name(country.Code(n.Value)), n.N}
	}), nil
}

// selectOffered returns the countries of which somebody may be a reader: no unions, and no states that are in no list, such as
// those of samples, unless the catalogue has only these.
func selectOffered(counts []postgres.Count) []postgres.Count {
	var listed, others []postgres.Count
	for _, n := range counts {
		switch code := country.Code(n.Value); {
		case country.Union(code):
		case country.IsListed(code):
			listed = append(listed, n)
		case country.Name(code) != "":
			others = append(others, n)
		}
	}
	if len(listed) == 0 {
		listed = others
	}
	slices.SortFunc(listed, func(a, b postgres.Count) int {
		name := func(n postgres.Count) string { return law.Fold(country.Name(country.Code(n.Value))) }
		return cmp.Compare(name(a), name(b))
	})
	return listed
}
