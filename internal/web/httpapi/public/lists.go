package public

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/law"
	"vigueur/internal/law/address"
	"vigueur/internal/law/country"
	"vigueur/internal/law/export"
	"vigueur/internal/search/named"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/lawpage"
)

// makeRobots serves GET /robots.txt.
func (s *Pages) makeRobots(_ *fiber.Ctx, _ publicRequest) (publicPage, error) {
	return publicPage{status: fiber.StatusOK, kind: fiber.MIMETextPlainCharsetUTF8, body: []byte("User-agent: *\nAllow: /akn\nDisallow: /akn/recherche\nDisallow: /api/\nDisallow: /c/\nDisallow: /admin\nDisallow: /compte\n\nSitemap: " + s.Base() + "/sitemap.xml\n")}, nil
}

// isListed reports whether the feed and the sitemap may list a text.
func isListed(t postgres.AddressedText) bool {
	return t.SupersededBy == nil && !law.Individual(t.Title)
}

// makeSitemap serves GET /sitemap.xml. It lists the texts that the service read last, as many as a sitemap may have; the
// lists by country and year lead to all of them.
func (s *Pages) makeSitemap(_ *fiber.Ctx, request publicRequest) (publicPage, error) {
	texts, err := s.DB.NewestTexts(request.ctx, lawpage.SitemapMost)
	if err != nil {
		return publicPage{}, err
	}
	var list []lawpage.Place
	for _, t := range texts {
		if isListed(t) {
			list = append(list, lawpage.Place{Address: s.Base() + t.Work().Short(), Changed: t.Entered})
		}
	}
	body, err := lawpage.WriteSitemap(list)
	return publicPage{status: fiber.StatusOK, kind: "application/xml; charset=utf-8", body: body}, err
}

// makeNewest serves GET /akn/nouveautes.atom.
func (s *Pages) makeNewest(_ *fiber.Ctx, request publicRequest) (publicPage, error) {
	texts, err := s.DB.NewestTexts(request.ctx, feedLength)
	if err != nil {
		return publicPage{}, err
	}
	var list []lawpage.Entry
	for _, t := range texts {
		if isListed(t) {
			list = append(list, lawpage.Entry{ID: t.ID, Title: export.OneLine(t.Title), Address: s.Base() + t.Work().Short(), Updated: t.Entered,
				Summary: law.Capital(law.Kind(t.Type, t.Nature)) + " du " + law.WriteDate(t.Promulgated) + ", en vigueur depuis le " + law.WriteDate(t.EntersInForce) + "."})
		}
	}
	body, err := lawpage.WriteFeed("Vigueur : nouveaux textes", s.Base()+request.path, s.Base()+"/akn", request.now, list)
	return publicPage{status: fiber.StatusOK, kind: "application/atom+xml; charset=utf-8", body: body}, err
}

// yearPath is the address of the list of a country's texts of a year.
func yearPath(country string, year int) string {
	return "/akn/" + countrySlug(country) + "/" + strconv.Itoa(year)
}

// countrySlug is a country in an address.
func countrySlug(country string) string { return cmp.Or(address.Slug(country), address.Nowhere) }

// makeCountries serves GET /akn, /akn/:country. It lists the years of all countries, or of the one
// that the path names.
func (s *Pages) makeCountries(c *fiber.Ctx, request publicRequest) (publicPage, error) {
	years, err := s.DB.CountryYears(request.ctx)
	if err != nil {
		return publicPage{}, err
	}
	if slug := strings.ToLower(c.Params("country")); slug != "" {
		years = slices.DeleteFunc(years, func(y postgres.CountryYear) bool { return countrySlug(y.Country) != slug })
		if len(years) == 0 {
			return s.message(fiber.StatusNotFound, "Cette page n’existe pas", "Le catalogue n’a pas de texte de ce pays.", request)
		}
		l := lawpage.Listing{Frame: s.frame(lawpage.CountryName(years[0].Country), "/akn/"+slug, request), Groups: groups(years)}
		body, err := lawpage.WriteListing(l)
		return htmlPage(fiber.StatusOK, body, err)
	}
	l := lawpage.Listing{Frame: s.frame("Le droit en vigueur, texte par texte", "/akn", request), Lead: "Les textes des gazettes officielles, par pays et par année.", Search: true}
	l.Path = nil
	l.Groups = groups(years)
	if len(l.Groups) == 0 {
		l.Lead = "Aucun texte n’est encore dans le catalogue."
	}
	body, err := lawpage.WriteListing(l)
	return htmlPage(fiber.StatusOK, body, err)
}

// groups returns years, given by country, as the groups of a list, by the names of the countries.
func groups(years []postgres.CountryYear) (list []lawpage.Group) {
	for _, y := range years {
		name := lawpage.CountryName(y.Country)
		if len(list) == 0 || list[len(list)-1].Name != name {
			list = append(list, lawpage.Group{Name: name})
		}
		g := &list[len(list)-1]
		g.Texts += y.Texts
		g.Years = append(g.Years, lawpage.Year{Year: y.Year, Texts: y.Texts, Address: yearPath(y.Country, y.Year)})
	}
	slices.SortStableFunc(list, func(a, b lawpage.Group) int { return strings.Compare(law.Fold(a.Name), law.Fold(b.Name)) })
	return list
}

// searchPublic serves GET /akn/recherche. It shows the texts whose titles have the words, or the
// number, of a query.
func (s *Pages) searchPublic(c *fiber.Ctx) error {
	request := publicRequest{ctx: c.UserContext(), path: "/akn/recherche", now: s.Now()}
	l := lawpage.Listing{Frame: s.frame("Chercher un texte", request.path, request), Search: true, Query: strings.TrimSpace(c.Query("q"))}
	if code, ok := country.Parse(c.Query("pays")); ok {
		l.Country = string(code)
	}
	l.NoIndex, l.Canonical = true, ""
	asked := []rune(l.Query)
	l.Query = string(asked[:min(len(asked), TypedLimit)])
	if l.Query != "" {
		event, err := s.BeginVisit(c, s.Search, "")
		if err == nil {
			_, err = event.Count(request.ctx)
		}
		if err != nil {
			return s.asPage(c, err)
		}
		found, alike, err := named.Suggest(request.ctx, s.DB, l.Query, l.Country, publicFound)
		if err != nil {
			return s.asPage(c, err)
		}
		ids := make([]uuid.UUID, len(found))
		for i, d := range found {
			ids[i] = d.ID
		}
		texts, err := s.DB.AddressedTexts(request.ctx, ids)
		if err != nil {
			return s.asPage(c, err)
		}
		slices.SortFunc(texts, func(a, b postgres.AddressedText) int { return slices.Index(ids, a.ID) - slices.Index(ids, b.ID) })
		for _, t := range texts {
			if !s.HideIndividual || !law.Individual(t.Title) {
				l.Items = append(l.Items, publicItem(t, t.Work().Full()))
			}
		}
		switch {
		case len(l.Items) == 0:
			l.Lead = "Aucun titre n’a ces mots."
		case alike:
			l.Lead = "Aucun titre ne commence ainsi ; en voici qui y ressemblent."
		}
	}
	body, err := lawpage.WriteListing(l)
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderContentSecurityPolicy, lawpage.Policy)
	c.Set(fiber.HeaderContentType, fiber.MIMETextHTMLCharsetUTF8)
	return c.Send(body)
}

// countryOf returns the code, as the catalogue has it, of the country in an address. ok is
// false if the catalogue has no text of it in the year.
func countryOf(years []postgres.CountryYear, slug string, year int) (country string, texts int, ok bool) {
	for _, y := range years {
		if y.Year == year && countrySlug(y.Country) == slug {
			return y.Country, y.Texts, true
		}
	}
	return "", 0, false
}

// makeYear serves GET /akn/:country/:year<int>.
func (s *Pages) makeYear(c *fiber.Ctx, request publicRequest) (publicPage, error) {
	year, _ := strconv.Atoi(c.Params("year")) // the route admits only digits
	years, err := s.DB.CountryYears(request.ctx)
	if err != nil {
		return publicPage{}, err
	}
	country, total, ok := countryOf(years, strings.ToLower(c.Params("country")), year)
	if !ok || (request.page-1)*textsOnAPage >= total {
		return s.message(fiber.StatusNotFound, "Cette page n’existe pas", "Le catalogue n’a pas de texte de ce pays et de cette année.", request)
	}
	texts, err := s.DB.TextsOfYear(request.ctx, country, year, request.page, textsOnAPage)
	if err != nil {
		return publicPage{}, err
	}
	path := yearPath(country, year)
	link := func(page int, words string) *lawpage.Link {
		return &lawpage.Link{Address: path + "?page=" + strconv.Itoa(page), Words: words}
	}
	self := path
	if request.page > 1 {
		self += "?page=" + strconv.Itoa(request.page)
	}
	l := lawpage.Listing{Frame: s.frame(lawpage.CountryName(country)+", "+strconv.Itoa(year), self, request)}
	for _, t := range texts {
		if t.SupersededBy == nil && !(s.HideIndividual && law.Individual(t.Title)) {
			l.Items = append(l.Items, publicItem(t, t.Work().Short()))
		}
	}
	if request.page > 1 {
		l.Before = link(request.page-1, "Plus récents")
	}
	if request.page*textsOnAPage < total {
		l.After = link(request.page+1, "Plus anciens")
	}
	body, err := lawpage.WriteListing(l)
	return htmlPage(fiber.StatusOK, body, err)
}

func publicItem(t postgres.AddressedText, path string) lawpage.Item {
	return lawpage.Item{Link: lawpage.Link{Address: path, Words: export.OneLine(t.Title)}, Kind: law.Capital(law.Kind(t.Type, t.Nature)), Day: t.Promulgated, Status: t.Status}
}
