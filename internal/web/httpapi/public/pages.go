// Package public serves the catalogue to everybody, where the operator opens it: pages of texts and
// lists, a feed and a sitemap, which are kept in memory until the catalogue changes. It also takes
// inquiries of visitors.
package public

import (
	"context"
	"net/netip"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"
	"golang.org/x/sync/singleflight"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/law/address"
	"vigueur/internal/law/country"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/ratelimit"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/guard"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
	"vigueur/internal/web/lawpage"
	"vigueur/internal/web/webpage"
)

// Pages opens the catalogue to everybody: its texts have pages that can be read without an
// account. Nil in Server: there are none.
type Pages struct {
	*guard.Guard

	Icon string // address of the icon of all pages, "" if there is no page

	// HideIndividual leaves out measures about single persons (law.Individual), which are
	// otherwise served, but not listed for search engines.
	HideIndividual bool
	// Search limits the responses to one network that are not cached: searches of titles, and
	// conversations read by a link.
	Search *ratelimit.Limiter

	pages   publicPages
	flights singleflight.Group
	slots   transport.Slots
	most    int // slots
}

// New returns the setting.
func New(hideIndividual bool, search *ratelimit.Limiter) *Pages {
	// Beyond two pages a core nothing is made sooner, and the rest of the service waits.
	most := 2 * runtime.GOMAXPROCS(0)
	return &Pages{HideIndividual: hideIndividual, Search: search, most: most}
}

// AdmitReader counts an uncached response to a guest, and waits for a slot. release frees it.
func (s *Pages) AdmitReader(c *fiber.Ctx) (release func(), err error) {
	event, err := s.BeginVisit(c, s.Search, "")
	if err != nil {
		return nil, err
	}
	if _, err := event.Count(c.UserContext()); err != nil {
		return nil, err
	}
	return s.slot(c.UserContext(), s.Address(c))
}

// publicCache lets caches keep a page for as long as the server does.
const publicCache = "public, max-age=60"

// Routes registers the public pages. They come before those of
// the page of the service.
func (s *Pages) Routes(app fiber.Router) {
	app.Get("/robots.txt", s.cachePage(s.makeRobots))
	app.Get("/sitemap.xml", s.cachePage(s.makeSitemap))
	app.Get("/akn", s.cachePage(s.makeCountries))
	app.Get("/akn/recherche", s.searchPublic)
	app.Get("/akn/nouveautes.atom", s.cachePage(s.makeNewest))
	app.Get("/akn/texte/:id", s.openPublicText)
	app.Get("/akn/:country", s.cachePage(s.makeCountries))
	app.Get("/akn/:country/:year<int>", s.cachePage(s.makeYear))
	app.Get("/akn/*", s.cachePage(s.makePublicText))
}

// publicPage is what a public address answers.
type publicPage struct {
	status int    // 200, 300, 302, 308, 404 or 410
	to     string // of a redirect
	kind   string // content type
	body   []byte
	robots string // value of X-Robots-Tag

	file *webpage.File
	seen int64 // version of the catalogue
	made time.Time
}

// cachePage serves the page that make returns, from memory if the catalogue has not changed since. A
// page lives for at most a minute: wordings are assembled some seconds after the catalogue changes,
// and days end.
func (s *Pages) cachePage(make func(c *fiber.Ctx, request publicRequest) (publicPage, error)) fiber.Handler {
	return func(c *fiber.Ctx) error {
		request := publicRequest{ctx: c.UserContext(), path: strings.TrimSuffix(c.Path(), "/"), form: s.publicForm(c), page: readPage(c), now: s.Now()}
		if request.path == "" {
			return c.Next()
		}
		c.Vary(fiber.HeaderAccept)
		version, err := s.pages.version(request.ctx, s.DB, request.now)
		if err != nil {
			return s.asPage(c, err)
		}
		key := request.form + " " + strconv.Itoa(request.page) + " " + request.path
		p, known := s.pages.get(key, version, request.now)
		if !known {
			p, err = s.makeOnce(request.ctx, s.Address(c), key, version, request.now, func(ctx context.Context) (publicPage, error) {
				request.ctx = ctx
				return make(c, request)
			})
			if err != nil {
				return s.asPage(c, err)
			}
		}
		return sendPublic(c, p)
	}
}

// makeOnce makes a page in a slot of the address, unless another request makes it. The slot comes first, so that nobody waits
// behind a network that has used up its own; and the page has the time of a request from then on, since others wait for it.
func (s *Pages) makeOnce(ctx context.Context, address netip.Addr, key string, version int64, now time.Time, make func(context.Context) (publicPage, error)) (*publicPage, error) {
	release, err := s.slot(ctx, address)
	if err != nil {
		return nil, err
	}
	defer release()
	made, err, _ := s.flights.Do(key, func() (any, error) {
		if p, known := s.pages.get(key, version, now); known { // another request has made it meanwhile
			return p, nil
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.WorkTime())
		defer cancel()
		p, err := make(ctx)
		if err != nil {
			return nil, err
		}
		if p.file, err = webpage.Compressed(p.kind, p.body); err != nil {
			return nil, err
		}
		p.seen, p.made = version, now
		s.pages.put(key, &p)
		return &p, nil
	})
	p, _ := made.(*publicPage)
	return p, err
}

// slot waits until one more page may be made for an address. A network, however wide, has at most
// half of the slots. release frees the slot. The error is that of the context.
func (s *Pages) slot(ctx context.Context, address netip.Addr) (release func(), err error) {
	each := max(1, s.most/2)
	if address.IsLoopback() { // it may be an undeclared proxy with all its clients
		each = s.most
	}
	return s.slots.Take(ctx, transport.Turn{Most: s.most, Each: each, Patience: transport.Patient}.Of(address))
}

// publicRequest is what a public page depends on.
type publicRequest struct {
	ctx  context.Context
	path string
	form string // html, md, json or akn
	page int
	now  time.Time

	countries []string // of the text that is asked for
}

// today is the day of the request, where the text is law.
func (r publicRequest) today() time.Time { return country.Today(r.now, r.countries...) }

// readPage returns the requested page of a list. Other addresses have one page, whatever their
// query, so that nobody can fill the memory with one page under many names.
func readPage(c *fiber.Ctx) int {
	if c.Params("year") == "" {
		return 1
	}
	n, err := strconv.Atoi(c.Query("page", "1"))
	if err != nil || n < 1 {
		return 1
	}
	return min(n, form.FarthestPage)
}

// publicForms are the formats of a public text, by their media types; HTML is preferred.
var publicForms = []struct{ name, kind string }{{"html", fiber.MIMETextHTML}, {"akn", "application/akn+xml"}, {"md", "text/markdown"}, {"json", fiber.MIMEApplicationJSON}, {"docx", respond.DocxKind}}

// publicForm returns the format that a request asks for, by its query or its header Accept
// (RFC 9110, 12.5.1).
func (s *Pages) publicForm(c *fiber.Ctx) string {
	asked := c.Query("format")
	var kinds []string
	for _, f := range publicForms {
		if asked == f.name {
			return f.name
		}
		kinds = append(kinds, f.kind)
	}
	best := c.Accepts(kinds...)
	for _, f := range publicForms {
		if best == f.kind {
			return f.name
		}
	}
	return publicForms[0].name
}

func sendPublic(c *fiber.Ctx, p *publicPage) error {
	if strings.HasPrefix(p.kind, fiber.MIMETextHTML) {
		c.Set(fiber.HeaderContentSecurityPolicy, lawpage.Policy)
	}
	if p.robots != "" {
		c.Set("X-Robots-Tag", p.robots)
	}
	if p.status == fiber.StatusPermanentRedirect || p.status == fiber.StatusFound {
		c.Set(fiber.HeaderCacheControl, publicCache)
		return c.Redirect(p.to, p.status)
	}
	if p.status == fiber.StatusOK {
		return respond.SendStatic(c, p.file, publicCache)
	}
	c.Set(fiber.HeaderCacheControl, publicCache)
	body, encoding := p.file.Encoded(c.Get(fiber.HeaderAcceptEncoding))
	if encoding != "" {
		c.Set(fiber.HeaderContentEncoding, encoding)
	}
	c.Vary(fiber.HeaderAcceptEncoding)
	c.Set(fiber.HeaderContentType, p.kind)
	return c.Status(p.status).Send(body)
}

// asPage returns err and has it written as a page for people, unless it is a fault in the request's
// form.
func (s *Pages) asPage(c *fiber.Ctx, err error) error {
	transport.OnError(c, func(detail any) {
		words, plain := detail.(string)
		body, err := lawpage.WriteMessage(lawpage.Message{Frame: lawpage.Frame{Title: "La page ne peut pas être montrée", NoIndex: true, Day: s.Now()}, Words: words})
		if err != nil || !plain {
			return
		}
		c.Set(fiber.HeaderContentSecurityPolicy, lawpage.Policy)
		c.Set(fiber.HeaderContentType, fiber.MIMETextHTMLCharsetUTF8)
		c.Response().SetBody(body)
	})
	return err
}

// publicPages keeps pages in memory, and the catalogue's version for a second.
type publicPages struct {
	mu      sync.Mutex
	recent  map[string]*publicPage
	older   map[string]*publicPage
	size    int // of recent, in bytes
	known   int64
	checked time.Time
}

// version returns the catalogue's version, at most versionLife old.
func (p *publicPages) version(ctx context.Context, db *postgres.DB, now time.Time) (int64, error) {
	p.mu.Lock()
	known, fresh := p.known, now.Sub(p.checked) < versionLife && !now.Before(p.checked)
	p.mu.Unlock()
	if fresh {
		return known, nil
	}
	version, err := db.CatalogueVersion(ctx)
	if err != nil {
		return 0, err
	}
	p.mu.Lock()
	p.known, p.checked = version, now
	p.mu.Unlock()
	return version, nil
}

func (p *publicPages) get(key string, version int64, now time.Time) (*publicPage, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	found := p.recent[key]
	if found == nil {
		if found = p.older[key]; found == nil {
			return nil, false
		}
		p.keep(key, found)
	}
	if found.seen != version || now.Sub(found.made) >= publicLife || now.UTC().YearDay() != found.made.UTC().YearDay() {
		return nil, false
	}
	return found, true
}

func (p *publicPages) put(key string, page *publicPage) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.keep(key, page)
}

// keep keeps a page. When the pages fill half of the memory, those that were not asked for
// since the last time are dropped.
func (p *publicPages) keep(key string, page *publicPage) {
	if p.recent == nil {
		p.recent = map[string]*publicPage{}
	}
	p.recent[key] = page
	p.size += 2*len(page.body) + len(key) + 512 // with the compressed ones
	if p.size > publicMemory/2 {
		p.recent, p.older, p.size = map[string]*publicPage{}, p.recent, 0
	}
}

func htmlPage(status int, body []byte, err error) (publicPage, error) {
	return publicPage{status: status, kind: fiber.MIMETextHTMLCharsetUTF8, body: body}, err
}

// frame returns what the page at a path has in common with all.
func (s *Pages) frame(title, path string, request publicRequest, trail ...lawpage.Link) lawpage.Frame {
	return lawpage.Frame{Title: title, Canonical: s.Base() + path, Day: request.today(), Icon: s.Icon, Path: append([]lawpage.Link{{Address: "/akn", Words: "Tous les textes"}}, trail...),
		Feeds: []lawpage.Link{{Address: "/akn/nouveautes.atom", Words: "Nouveaux textes"}}}
}

// message makes a page that says why there is nothing to read.
func (s *Pages) message(status int, title, words string, request publicRequest, choices ...lawpage.Item) (publicPage, error) {
	f := s.frame(title, request.path, request)
	f.NoIndex, f.Canonical = true, ""
	body, err := lawpage.WriteMessage(lawpage.Message{Frame: f, Words: words, Choices: choices})
	return htmlPage(status, body, err)
}

// longestNumber bounds the number of an article in an address.
const longestNumber = 100

// TypedLimit is the maximum length of a searched title, in code points.
const TypedLimit = 200

const (
	textsOnAPage = 100
	feedLength   = 100
)

// publicFound is how many texts a search shows.
const publicFound = 50

const (
	publicMemory = 64 << 20 // for the pages of one process
	publicLife   = time.Minute
	versionLife  = time.Second
)

// AddressesOf returns the addresses at which anybody can read the texts, by their ids.
func (s *Pages) AddressesOf(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]string, error) {
	if s == nil || len(ids) == 0 {
		return nil, nil
	}
	texts, err := s.DB.AddressedTexts(ctx, ids)
	addresses := make(map[uuid.UUID]string, len(texts))
	for _, t := range texts {
		if !s.HideIndividual || !law.Individual(t.Title) {
			addresses[t.ID] = s.Base() + t.Work().Full() // which redirects, and means no other text
		}
	}
	return addresses, err
}

// PublicAddress returns the address at which anybody can read a text; nil if nobody can.
func (s *Pages) PublicAddress(ctx context.Context, d law.Document, countries []string) (*string, error) {
	if s == nil || s.HideIndividual && law.Individual(d.Title) {
		return nil, nil
	}
	path, err := s.canonical(ctx, postgres.AddressedText{Document: d, Countries: countries}, nil)
	path = s.Base() + path
	return &path, err
}

// openPublicText serves GET /akn/texte/:id. It redirects from the id of a text to its page, and
// to the article that the query names, if the page has it.
func (s *Pages) openPublicText(c *fiber.Ctx) error {
	id, err := uuid.Parse(c.Params("id"))
	if err != nil {
		return s.asPage(c, errs.New(errs.NotFound, "Ce texte n’existe pas."))
	}
	addresses, err := s.AddressesOf(c.UserContext(), []uuid.UUID{id})
	if err != nil {
		return s.asPage(c, err)
	}
	target, public := addresses[id]
	if !public {
		return s.asPage(c, errs.New(errs.NotFound, "Ce texte n’existe pas."))
	}
	if number := c.Query("article"); number != "" && len(number) <= longestNumber {
		target += "#art_" + address.Slug(number)
	}
	c.Set(fiber.HeaderCacheControl, publicCache)
	return c.Redirect(target, fiber.StatusFound)
}
