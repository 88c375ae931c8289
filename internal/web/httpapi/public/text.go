package public

import (
	"bytes"
	"cmp"
	"context"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/law/address"
	"vigueur/internal/law/export"
	"vigueur/internal/search/verify"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
	"vigueur/internal/web/lawpage"
)

// makePublicText serves GET /akn/*. It answers an address of a text or of an article: with
// its page, with a redirect from another of its addresses, with the texts that the address may
// mean, or with the reason why there is none.
func (s *Pages) makePublicText(_ *fiber.Ctx, request publicRequest) (publicPage, error) {
	a, ok := address.Parse(request.path)
	if !ok {
		return s.message(fiber.StatusNotFound, "Cette page n’existe pas", "L’adresse est mal écrite. Celle d’un texte est de la forme /akn/bf/act/2008-05-13/28-2008-an.", request)
	}
	texts, ofDay, err := s.textsAt(request, a)
	if err != nil {
		return publicPage{}, err
	}
	if s.HideIndividual {
		texts = slices.DeleteFunc(texts, func(t postgres.AddressedText) bool { return law.Individual(t.Title) })
	}
	if len(texts) == 0 {
		gone, err := s.DB.Withdrawn(request.ctx, a.Work, a.ID)
		if err != nil {
			return publicPage{}, err
		}
		if gone {
			return s.message(fiber.StatusGone, "Ce texte a été retiré", "Il était dans le catalogue, et l’exploitant du service l’en a retiré.", request)
		}
		return s.message(fiber.StatusNotFound, "Ce texte n’existe pas", "Le catalogue n’a pas de texte à cette adresse : il n’a peut-être pas encore été lu.", request)
	}
	if better := current(texts); better != nil {
		texts = []postgres.AddressedText{*better}
	}
	if len(texts) > 1 {
		var choices []lawpage.Item
		for _, t := range texts {
			choices = append(choices, publicItem(t, t.Work().Full()))
		}
		return s.message(fiber.StatusMultipleChoices, "Plusieurs textes ont cette adresse", "Ils ont le même jour et le même numéro. Choisissez le vôtre :", request, choices...)
	}
	t := texts[0]
	if t.SupersededBy != nil { // answers have cited it; who reads wants the better edition
		better, err := s.DB.AddressedTexts(request.ctx, []uuid.UUID{*t.SupersededBy})
		if err != nil {
			return publicPage{}, err
		}
		if len(better) > 0 {
			t = better[0]
		}
	}
	path, err := s.canonical(request.ctx, t, ofDay)
	if err != nil {
		return publicPage{}, err
	}
	status := fiber.StatusPermanentRedirect
	request.countries = t.Countries
	if a.On != nil && !a.On.Equal(request.today()) {
		// Days of one version have one page: otherwise each day asked for is another one to make.
		begins, err := s.versionDay(request.ctx, t, *a.On)
		if err != nil {
			return publicPage{}, err
		}
		if !begins.Equal(*a.On) {
			a.On, status = &begins, fiber.StatusFound // another act may change which it is
		}
	}
	wanted := address.Expression(path, a.On)
	if a.Article != "" {
		wanted = address.Article(wanted, a.Article)
	}
	if wanted != request.path {
		p := publicPage{status: status, to: wanted, kind: fiber.MIMETextPlainCharsetUTF8}
		if request.form != publicForms[0].name {
			p.to += "?format=" + request.form
		}
		return p, nil
	}
	view := publicView{s: s, on: request, text: t, path: path, day: request.today(), today: a.On == nil}
	if a.On != nil {
		view.day, view.today = *a.On, a.On.Equal(request.today())
	}
	var page publicPage
	switch {
	case a.Article != "":
		page, err = view.article(a.Article)
	case request.form == publicForms[0].name:
		page, err = view.html()
	default:
		page, err = view.export(request.form)
	}
	if err == nil && law.Individual(t.Title) {
		page.robots = "noindex"
	}
	return page, err
}

// versionDay returns the day on which the version of a text that is in force on a day begins. Of
// the days before the first version it is the one of promulgation, or the last of them.
func (s *Pages) versionDay(ctx context.Context, t postgres.AddressedText, day time.Time) (time.Time, error) {
	changes, _, err := s.DB.ChangeDays(ctx, t.ID)
	if err != nil {
		return day, respond.NoDocument(err)
	}
	days := make([]time.Time, 0, len(changes)+1)
	for _, c := range changes {
		days = append(days, c.Day)
	}
	if t.AsOf != nil { // before it the text is doubted
		days = append(days, *t.AsOf)
	}
	if len(days) == 0 {
		return t.Promulgated, nil
	}
	slices.SortFunc(days, time.Time.Compare)
	pos, ok := slices.BinarySearchFunc(days, day, time.Time.Compare)
	switch {
	case ok:
		return day, nil
	case pos > 0:
		return days[pos-1], nil
	case t.Promulgated.Before(days[0]):
		return t.Promulgated, nil
	}
	return days[0].AddDate(0, 0, -1), nil
}

// textsAt returns the texts that an address may mean. An address without a type means texts of any
// type. The country « xx » means any country: the service wrote it before it knew countries.
// ofDay are all texts of the day, if they were read.
func (s *Pages) textsAt(request publicRequest, a address.Address) (texts, ofDay []postgres.AddressedText, err error) {
	if a.ID != (uuid.UUID{}) {
		texts, err = s.DB.AddressedTexts(request.ctx, []uuid.UUID{a.ID})
		return texts, nil, err
	}
	ofDay, err = s.DB.TextsOfDay(request.ctx, a.Work.Date)
	if err != nil {
		return nil, nil, err
	}
	var elsewhere []postgres.AddressedText
	for _, t := range ofDay {
		w := t.Work()
		if w.Name != a.Work.Name || a.Work.Type != "" && a.Work.Type != w.Type {
			continue
		}
		if w.Country == a.Work.Country {
			texts = append(texts, t)
		} else {
			elsewhere = append(elsewhere, t)
		}
	}
	if len(texts) == 0 && a.Work.Country == address.Nowhere {
		texts = elsewhere
	}
	return texts, ofDay, nil
}

// current returns the only text that is not superseded by a better edition; nil if there are
// several, or none.
func current(texts []postgres.AddressedText) (only *postgres.AddressedText) {
	for i, t := range texts {
		if t.SupersededBy != nil {
			continue
		}
		if only != nil {
			return nil
		}
		only = &texts[i]
	}
	return only
}

// canonical returns the path of a text: the short one, the one with the type if other texts
// have the short one, or the one with the id if others have that too. ofDay are the texts of its
// day; those of another day, or none, are not used.
func (s *Pages) canonical(ctx context.Context, t postgres.AddressedText, ofDay []postgres.AddressedText) (string, error) {
	w := t.Work()
	if len(ofDay) == 0 || !ofDay[0].Promulgated.Equal(w.Date) {
		var err error
		if ofDay, err = s.DB.TextsOfDay(ctx, w.Date); err != nil {
			return "", err
		}
	}
	path := w.Short()
	for _, other := range ofDay {
		if o := other.Work(); other.ID != t.ID && (other.SupersededBy == nil || t.SupersededBy != nil) && o.Short() == w.Short() {
			if o.Type == w.Type {
				w.Name = t.ID.String()
				return w.Short(), nil
			}
			path = w.Full()
		}
	}
	return path, nil
}

// publicView makes the pages of a text on a day.
type publicView struct {
	s     *Pages
	on    publicRequest
	text  postgres.AddressedText
	path  string
	day   time.Time
	today bool
}

// wording is the path of the text on the day.
func (v publicView) wording() string {
	if v.today {
		return v.path
	}
	return address.Expression(v.path, &v.day)
}

// gazette is the address of a page of the gazette's file.
func (v publicView) gazette(page int) string {
	return transport.Prefix + "/documents/" + v.text.ID.String() + "/file#page=" + strconv.Itoa(page)
}

func (v publicView) country() string {
	if len(v.text.Countries) == 0 {
		return ""
	}
	return v.text.Countries[0]
}

func (v publicView) frame(title, path string, trail ...lawpage.Link) lawpage.Frame {
	year := v.text.Promulgated.Year()
	f := v.s.frame(title, path, v.on, append([]lawpage.Link{{Address: yearPath(v.country(), year), Words: lawpage.CountryName(v.country()) + ", " + strconv.Itoa(year)}}, trail...)...)
	f.NoIndex = law.Individual(v.text.Title) || !v.today
	return f
}

// articles returns the articles of the text on the day with their ids in it; new wordings that
// it gives to other texts appear only within the articles that quote them.
func (v publicView) articles() (list []postgres.ReadArticle, ids []string, err error) {
	list, _, err = v.s.DB.ReadArticlesOn(v.on.ctx, v.text.ID, v.day, 1, form.FarthestPage, true)
	if err != nil {
		return nil, nil, respond.NoDocument(err)
	}
	list = slices.DeleteFunc(list, func(a postgres.ReadArticle) bool { return a.Wording != nil })
	numbers := make([]string, len(list))
	for i, a := range list {
		numbers[i] = a.Number
	}
	return list, address.Articles(numbers), nil
}

// links returns the addresses of texts by their ids, in the order of the ids; texts that have
// left the catalogue are skipped.
func (v publicView) links(related []postgres.RelatedText) ([]lawpage.Link, error) {
	ids := make([]uuid.UUID, len(related))
	for i, r := range related {
		ids[i] = r.ID
	}
	addresses, err := v.works(ids)
	if err != nil {
		return nil, err
	}
	var out []lawpage.Link
	for _, r := range related {
		if path, ok := addresses[r.ID]; ok {
			out = append(out, lawpage.Link{Address: path, Words: export.OneLine(r.Title)})
		}
	}
	return out, nil
}

// works returns the paths of texts by their ids.
func (v publicView) works(ids []uuid.UUID) (map[uuid.UUID]string, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	texts, err := v.s.DB.AddressedTexts(v.on.ctx, ids)
	addresses := make(map[uuid.UUID]string, len(texts))
	for _, t := range texts {
		addresses[t.ID] = t.Work().Full() // which redirects, and means no other text
	}
	return addresses, err
}

// show returns an article as a page has it. acts are the paths of the texts that made wordings.
func (v publicView) show(a postgres.ReadArticle, id string, acts map[uuid.UUID]string) lawpage.Article {
	shown := lawpage.Article{ID: id, Name: lawpage.Name(a.Number), Heading: export.OneLine(a.Heading), Page: a.Page, File: v.gazette(a.Page), Words: a.Text, From: a.ValidFrom, To: a.ValidTo}
	if id != "" {
		shown.Address = address.Article(v.wording(), id)
	}
	if a.Assembled == nil {
		return shown
	}
	act := func(id uuid.UUID, title string) lawpage.Link {
		return lawpage.Link{Address: cmp.Or(acts[id], "#"), Words: export.OneLine(title)} // « # »: it has just left the catalogue
	}
	shown.By = new(act(a.Assembled.Act, a.Assembled.Title))
	for _, c := range a.Assembled.Alineas {
		change := lawpage.Change{Alinea: c.Ordinal, Act: act(c.Act, c.Title), Pages: c.Pages, Before: c.Printed, File: v.gazette(c.Printed)}
		if n := len(shown.Changes); n > 0 && shown.Changes[n-1].Alinea == c.Ordinal-1 && shown.Changes[n-1].Act == change.Act {
			shown.Changes[n-1] = change
			continue
		}
		shown.Changes = append(shown.Changes, change)
	}
	return shown
}

// linkedMost is the maximum number of articles of a text whose page has their references as links;
// beyond it, they are on the page of each article.
const linkedMost = 30

// link gives a shown article its references as links, as of the day.
func (v publicView) link(shown *lawpage.Article, a postgres.ReadArticle) error {
	links, err := verify.Links(v.on.ctx, v.s.DB, v.text, a.Article, v.day)
	if err != nil {
		return err
	}
	ids := make([]uuid.UUID, len(links))
	for i, l := range links {
		ids[i] = l.Document
	}
	works, err := v.works(ids)
	if err != nil {
		return err
	}
	for _, l := range links {
		target, public := works[l.Document]
		if !public {
			continue
		}
		if l.Number != "" {
			target = address.Article(target, address.Articles([]string{l.Number})[0])
		}
		shown.Links = append(shown.Links, lawpage.Reference{Name: l.Name, Address: target, Told: export.OneLine(l.Title) + told[l.State]})
	}
	return nil
}

// told says in which state a text or an article is.
var told = map[verify.State]string{verify.Amended: ", modifié", verify.Repealed: ", abrogé", verify.NotYet: ", pas encore en vigueur"}

func actsOf(list []postgres.ReadArticle) (ids []uuid.UUID) {
	for _, a := range list {
		if a.Assembled != nil {
			ids = append(ids, a.Assembled.Act)
			for _, c := range a.Assembled.Alineas {
				ids = append(ids, c.Act)
			}
		}
	}
	return ids
}

// html makes the page of the whole text.
func (v publicView) html() (publicPage, error) {
	list, ids, err := v.articles()
	if err != nil {
		return publicPage{}, err
	}
	acts, err := v.works(actsOf(list))
	if err != nil {
		return publicPage{}, err
	}
	r, err := v.s.DB.Relations(v.on.ctx, v.text.ID)
	if err != nil {
		return publicPage{}, respond.NoDocument(err)
	}
	days, _, err := v.s.DB.ChangeDays(v.on.ctx, v.text.ID)
	if err != nil {
		return publicPage{}, err
	}
	t := v.text
	page := lawpage.TextPage{Frame: v.frame(export.OneLine(t.Title), v.wording()), Document: t.Document, Kind: law.Capital(law.Kind(t.Type, t.Nature)), Countries: t.Countries,
		Repealed: t.Repealed, On: v.day, Today: v.today, File: v.gazette(t.FirstPage), App: "/?" + url.Values{"texte": {t.ID.String()}, "titre": {export.OneLine(t.Title)}}.Encode()}
	page.Document.Title = export.OneLine(t.Title)
	if page.Data, err = v.describe(r); err != nil {
		return publicPage{}, err
	}
	for _, f := range publicForms[1:] {
		page.Forms = append(page.Forms, lawpage.Link{Address: v.wording() + "?format=" + f.name, Words: map[string]string{"akn": "Akoma Ntoso", "md": "Markdown", "json": "JSON", "docx": "Word"}[f.name]})
	}
	if page.Amended, err = v.links(r.AmendedBy); err != nil {
		return publicPage{}, err
	}
	if page.Amends, err = v.links(slices.Concat(r.Repeals, r.Amends)); err != nil {
		return publicPage{}, err
	}
	links, err := v.links(r.RepealedBy)
	if err != nil {
		return publicPage{}, err
	}
	if len(links) > 0 && t.Status == law.Repealed {
		page.RepealBy = &links[len(links)-1]
	}
	for _, d := range days {
		page.Days = append(page.Days, lawpage.DayLink{Day: d.Day, Address: address.Expression(v.path, &d.Day), Here: d.Day.Equal(v.day)})
	}
	if v.today { // the last of the days that have come is today's wording
		for i := range slices.Backward(page.Days) {
			if !page.Days[i].Day.After(v.day) {
				page.Days[i].Here = true
				break
			}
		}
	}
	var articles []lawpage.Article
	var paths [][]string
	for i, a := range list {
		shown := v.show(a, ids[i], acts)
		if len(list) <= linkedMost {
			if err := v.link(&shown, a); err != nil {
				return publicPage{}, err
			}
		}
		articles, paths = append(articles, shown), append(paths, a.Path)
		page.Assembled = page.Assembled || a.Assembled != nil
	}
	page.Sections = lawpage.Sections(articles, paths)
	body, err := lawpage.WriteText(page)
	return htmlPage(fiber.StatusOK, body, err)
}

// describe returns the text as schema.org has it, with what it changes.
func (v publicView) describe(r postgres.Related) (lawpage.Legislation, error) {
	base := v.s.Base()
	l := lawpage.Describe(v.text.Document, v.text.Countries, v.text.Repealed, base, v.path)
	l.Version = v.day.Format(time.DateOnly)
	for _, f := range publicForms {
		l.Encodings = append(l.Encodings, lawpage.FormatOf(f.kind, base+v.wording()+"?format="+f.name))
	}
	for _, list := range []struct {
		from []postgres.RelatedText
		to   *[]lawpage.Legislation
	}{{r.Amends, &l.Changes}, {r.Repeals, &l.Repeals}} {
		others, err := v.links(list.from)
		if err != nil {
			return l, err
		}
		for _, other := range others {
			*list.to = append(*list.to, lawpage.Legislation{Type: "Legislation", ID: base + other.Address, Name: other.Words})
		}
	}
	return l, nil
}

func (v publicView) article(id string) (publicPage, error) {
	list, ids, err := v.articles()
	if err != nil {
		return publicPage{}, err
	}
	pos := slices.Index(ids, id)
	if pos < 0 {
		p, err := v.s.message(fiber.StatusNotFound, "Cet article n’existe pas", "Le texte n’a pas d’article à cette adresse le "+law.WriteDate(v.day)+".", v.on,
			publicItem(v.text, v.wording()))
		return p, err
	}
	a := list[pos]
	versions, titles, err := v.s.DB.VersionsOf(v.on.ctx, v.text.ID, a.ID)
	if err != nil && !errs.Is(err, errs.NotFound) {
		return publicPage{}, err
	}
	acts := actsOf(list[pos : pos+1])
	for _, articleVersion := range versions {
		if articleVersion.Act != nil {
			acts = append(acts, *articleVersion.Act)
		}
	}
	works, err := v.works(acts)
	if err != nil {
		return publicPage{}, err
	}
	shown := v.show(a, id, works)
	if err := v.link(&shown, a); err != nil {
		return publicPage{}, err
	}
	title := export.OneLine(v.text.Title)
	page := lawpage.ArticlePage{Frame: v.frame(shown.Name+", "+title, address.Article(v.wording(), id), lawpage.Link{Address: v.wording(), Words: title}), Article: shown,
		Document: v.text.Document, Text: lawpage.Link{Address: v.wording(), Words: title}, Within: a.Path, On: v.day, Today: v.today}
	beside := func(i int) *lawpage.Link {
		if i < 0 || i >= len(list) || ids[i] == "" {
			return nil
		}
		return &lawpage.Link{Address: address.Article(v.wording(), ids[i]), Words: lawpage.Name(list[i].Number)}
	}
	page.Before, page.After = beside(pos-1), beside(pos+1)
	for _, articleVersion := range versions {
		one := lawpage.Version{From: articleVersion.From, To: articleVersion.To, Gone: articleVersion.Gone, Here: (articleVersion.From == nil || !v.day.Before(*articleVersion.From)) && (articleVersion.To == nil || v.day.Before(*articleVersion.To))}
		if !articleVersion.Gone {
			day := v.text.EntersInForce
			if articleVersion.From != nil {
				day = *articleVersion.From
			}
			one.Address = address.Article(address.Expression(v.path, &day), id)
		}
		if articleVersion.Act != nil {
			if path, ok := works[*articleVersion.Act]; ok {
				one.By = &lawpage.Link{Address: path, Words: export.OneLine(titles[*articleVersion.Act])}
			}
		}
		page.Versions = append(page.Versions, one)
	}
	l, err := v.describe(postgres.Related{})
	if err != nil {
		return publicPage{}, err
	}
	whole := lawpage.Legislation{Type: "Legislation", ID: l.ID, Name: l.Name}
	l.ID = lawpage.ArticleID(l.ID, id)
	l.URL, l.Name, l.Identifier, l.Encodings, l.PartOf = l.ID, shown.Name, id, nil, &whole
	page.Data = l
	body, err := lawpage.WriteArticle(page)
	return htmlPage(fiber.StatusOK, body, err)
}

// export writes the text of the day in another format.
func (v publicView) export(name string) (publicPage, error) {
	format, _ := export.ByName(name)
	t, err := v.s.DB.ExportedText(v.on.ctx, v.text.ID, &v.day)
	if err != nil {
		return publicPage{}, err
	}
	t.Evidence, t.Day = nil, v.on.today()
	t.Articles = slices.DeleteFunc(t.Articles, func(a law.Article) bool { return a.Wording != nil })
	var file bytes.Buffer
	err = format.Write(&file, t)
	page := publicPage{status: fiber.StatusOK, kind: respond.ExportKinds[name], body: file.Bytes()}
	if !v.today {
		page.robots = "noindex"
	}
	return page, err
}
