package catalogue

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"
	lru "github.com/hashicorp/golang-lru/v2"

	"vigueur/internal/kit/errs"
	"vigueur/internal/law"
	"vigueur/internal/store/blobs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
)

// ShowRecord shows a text as the contract has it. base is the address of the service.
func ShowRecord(base string, d law.Document) law.Record {
	r := d.Record()
	if base != "" { // a command on the machine of the service has no address
		r.SourceURL = base + transport.Prefix + "/documents/" + d.ID.String() + "/file"
	}
	return r
}

type listDocumentsInput struct {
	Page             int        `query:"page" default:"1" minimum:"1" doc:"Numéro de la page."`
	Domaine          string     `query:"domaine" doc:"Code d’un domaine. Un code qui n’existe pas donne une liste vide."`
	DocType          string     `query:"doc_type" enum:"loi,decret,arrete,circulaire,code,constitution" doc:"Nature du texte."`
	Statut           string     `query:"statut" enum:"en_vigueur,abroge,modifie" doc:"Statut du texte."`
	Q                string     `query:"q" doc:"Mots du titre, ou le numéro d’un texte, avec ou sans les sigles de ses auteurs (2000-192)."`
	PageSize         int        `query:"page_size" default:"20" minimum:"1" maximum:"100" doc:"Textes par page."`
	PromulgationFrom *time.Time `query:"promulgation_from" format:"date" doc:"Textes promulgués ce jour-là ou après."`
	PromulgationTo   *time.Time `query:"promulgation_to" format:"date" doc:"Textes promulgués ce jour-là ou avant."`
	Sort             string     `query:"sort" default:"recent" enum:"recent,ancien,titre" doc:"L’ordre : le plus récemment ou anciennement promulgué d’abord, ou l’alphabet des titres."`
}

// listDocuments serves GET /documents. It shows a page of the catalogue.
func (s *Handlers) listDocuments(c *fiber.Ctx, _ postgres.User, input listDocumentsInput) (reply respond.Page[law.Record], _ error) {
	page := input.Page
	find := postgres.DocumentQuery{
		Domain:   input.Domaine,
		Type:     law.DocType(input.DocType),
		Status:   law.Status(input.Statut),
		Title:    input.Q,
		Page:     min(page, form.FarthestPage),
		PageSize: input.PageSize,
		From:     input.PromulgationFrom,
		To:       input.PromulgationTo,
		Sort:     input.Sort,
	}

	list, total, err := s.DB.Documents(c.UserContext(), find)
	if err != nil {
		return reply, err
	}
	show := func(d law.Document) law.Record { return ShowRecord(s.Base(), d) }
	return respond.NewPage(respond.ShowAll(list, show), total, page, find.PageSize), nil
}

// showDocument serves GET /documents/:id. It shows one text of the catalogue, or a superseded
// edition with a link to the better one.
func (s *Handlers) showDocument(c *fiber.Ctx, _ postgres.User, input contract.ByID) (reply law.Record, _ error) {
	d, err := s.DB.Document(c.UserContext(), input.ID)
	if err != nil {
		return reply, respond.NoDocument(err)
	}
	if d.SupersededBy != nil { // RFC 5829
		c.Set(fiber.HeaderLink, fmt.Sprintf(`<%s%s/documents/%s>; rel="successor-version"`, s.Base(), transport.Prefix, d.SupersededBy))
	}
	return ShowRecord(s.Base(), d), nil
}

// ArticleBody is an article without its words.
type ArticleBody struct {
	ID       uuid.UUID `json:"id"`
	Number   string    `json:"number" doc:"D’une nouvelle rédaction : le numéro de l’article qu’elle rédige, par exemple 36 (nouveau)."`
	Heading  string    `json:"heading" doc:"Le titre de l’article lui-même, souvent vide."`
	Path     []string  `json:"path" doc:"Les titres qui mènent à l’article, le plus large d’abord."`
	Page     int       `json:"page"`
	Position int       `json:"position"`
	// From the first day in force to the first day no longer in force.
	ValidFrom *string `json:"valid_from" format:"date" doc:"Premier jour où l’article est en vigueur."`
	ValidTo   *string `json:"valid_to" format:"date" doc:"Premier jour où il ne l’est plus."`
	// Replaces is set for a new wording: the article of another text that it replaces.
	Replaces *law.Replaced `json:"replaces" doc:"D’une nouvelle rédaction : l’article d’un autre texte dont elle prend la place. Elle n’est pas un article du texte lui-même."`
	// Assembled is set in the list of a day: whether the service made the words from amending
	// acts. By is the last of these acts.
	Assembled *bool            `json:"assembled,omitempty" doc:"Vrai si la rédaction n’est pas imprimée, mais tirée des actes qui modifient le texte. Avec date, et dans ce qu’une recherche trouve."`
	By        *assembledByBody `json:"assembled_by,omitempty"`
}

func showArticle(a law.Article) ArticleBody {
	return ArticleBody{ID: a.ID, Number: a.Number, Heading: a.Heading, Path: append([]string{}, a.Path...), Page: a.Page, Position: a.Position,
		ValidFrom: respond.ShowDay(a.ValidFrom), ValidTo: respond.ShowDay(a.ValidTo), Replaces: a.Wording.Replaced()}
}

type relatedTextBody struct {
	ID    uuid.UUID `json:"id"`
	Title string    `json:"title"`
	Date  string    `json:"date" format:"date"`
}

func showRelated(list []postgres.RelatedText) []relatedTextBody {
	return respond.ShowAll(list, func(r postgres.RelatedText) relatedTextBody {
		return relatedTextBody{r.ID, r.Title, r.Date.Format(time.DateOnly)}
	})
}

type relationsBody struct {
	Repeals    []relatedTextBody `json:"abroge"`
	RepealedBy []relatedTextBody `json:"abroge_par"`
	Amends     []relatedTextBody `json:"modifie"`
	AmendedBy  []relatedTextBody `json:"modifie_par"`
}

// listRelations serves GET /documents/:id/relations. It shows which texts a text repeals and
// amends, and which texts repeal or amend it.
func (s *Handlers) listRelations(c *fiber.Ctx, _ postgres.User, input contract.ByID) (reply relationsBody, _ error) {
	r, err := s.DB.Relations(c.UserContext(), input.ID)
	if err != nil {
		return reply, respond.NoDocument(err)
	}
	return relationsBody{showRelated(r.Repeals), showRelated(r.RepealedBy), showRelated(r.Amends), showRelated(r.AmendedBy)}, nil
}

// documentFile serves GET /documents/:id/file. It serves the PDF of a text's gazette, without
// authentication.
func (s *Handlers) documentFile(c *fiber.Ctx, input contract.ByID) (reply contract.Sent, _ error) {
	about, err := s.DB.DocumentFile(c.UserContext(), input.ID)
	if err != nil {
		return reply, respond.NoDocument(err)
	}
	etag := `"` + about.SHA256 + `"`
	if given := c.Get(fiber.HeaderIfNoneMatch); given != "" && respond.Matches(given, etag) {
		setFileHeaders(c, etag, about.Title)
		return reply, c.SendStatus(fiber.StatusNotModified)
	}
	file, err := s.Blobs.Open(c.UserContext(), about.SHA256)
	if err != nil {
		return reply, respond.NotFound(err, "Le fichier de ce document est introuvable.")
	}
	if err := respond.SendFile(c, file, etag); err != nil {
		return reply, err
	}
	setFileHeaders(c, etag, about.Title)
	return reply, nil
}

func setFileHeaders(c *fiber.Ctx, etag, title string) {
	c.Set(fiber.HeaderContentType, "application/pdf")
	c.Set(fiber.HeaderETag, etag)
	c.Set(fiber.HeaderAcceptRanges, "bytes")
	c.Set(fiber.HeaderContentDisposition, respond.Disposition(title))
	// A text may leave the catalogue, so caches must revalidate, which is cheap.
	c.Set(fiber.HeaderCacheControl, "public, no-cache")
	// The built-in viewer of a browser must be able to show the file.
	c.Set(fiber.HeaderContentSecurityPolicy, "frame-ancestors 'self'")
}

// PDF is an open file whose pages can be rendered: *pdftext.Document. A separate process
// parses the file.
type PDF interface {
	// Pages returns the number of readable pages.
	Pages() int
	// Render renders page n in gray at the given resolution.
	Render(ctx context.Context, n int, dpi float64) (*image.Gray, error)
	// Close ends the process.
	Close() error
}

// documentPage serves GET /documents/:id/pages/:page.png. It renders a page of a text's gazette,
// without authentication, as its file is served.
func (s *Handlers) documentPage(c *fiber.Ctx, input PageInput) (reply contract.Sent, _ error) {
	file, err := s.DB.DocumentFile(c.UserContext(), input.ID)
	if err != nil {
		return reply, respond.NoDocument(err)
	}
	if input.Page > math.MaxInt32 {
		return reply, ErrNoPage(input.Page)
	}
	// A text may leave the catalogue, so caches must revalidate, which is cheap.
	return reply, s.Images.Send(c, Page{Ingestion: file.Ingestion, SHA256: file.SHA256, N: input.Page, Width: input.Width}, transport.Turn{Each: 1, Wider: []string{guests}}.Of(s.Address(c)), "public, no-cache")
}

// Images renders pages of gazettes, and keeps the images that were rendered last, by their entity tags.
type Images struct {
	DB    *postgres.DB
	Blobs blobs.Store
	Open  func(ctx context.Context, path string) (PDF, error)

	drawing transport.Slots
	kept    *lru.Cache[string, pageImage]
}

// NewImages returns what renders the pages of the files in a store, whose files open opens.
func NewImages(db *postgres.DB, files blobs.Store, open func(ctx context.Context, path string) (PDF, error)) *Images {
	kept, err := lru.New[string, pageImage](pagesKept)
	if err != nil {
		panic(err) // only for no size
	}
	return &Images{DB: db, Blobs: files, Open: open, kept: kept}
}

// PageInput is the input of a route to the image of a page.
type PageInput struct {
	contract.ByID
	Page  int `path:"page" minimum:"1" doc:"Numéro de la page dans le fichier, à partir de 1."`
	Width int `query:"width" default:"1200" minimum:"100" maximum:"2400" doc:"Largeur de l’image, en pixels."`
}

// Page is a page of a file and the width of its image.
type Page struct {
	Ingestion uuid.UUID
	SHA256    string
	N, Width  int
}

func (p Page) etag() string { return fmt.Sprintf(`"%s-%d-%d"`, p.SHA256, p.N, p.Width) }

// guests are all networks without an account: together they may have as many pages rendered as one
// of them, so that accounts have a slot of their own.
const guests = "guests"

// Send responds with the image of a page, which is rendered in the turn of a client. The header X-Page-Width has the width of the page in points, the unit of the regions
// of citations.
func (s *Images) Send(c *fiber.Ctx, p Page, turn transport.Turn, caching string) error {
	etag := p.etag()
	given := c.Get(fiber.HeaderIfNoneMatch)
	same := given != "" && respond.Matches(given, etag)
	image, kept := s.kept.Get(etag)
	if !same && !kept {
		var err error
		image, err = s.draw(c.UserContext(), p, turn)
		if errs.Is(err, errs.Unprocessable) || errs.Is(err, errs.Unsupported) { // the request is well formed, but there is no image
			return errs.Wrap(errs.NotFound, errs.Public(err), err)
		}
		if err != nil {
			return err
		}
		if len(image.png) <= keptSize {
			s.kept.Add(etag, image)
		}
	}
	c.Set(fiber.HeaderETag, etag)
	c.Set(fiber.HeaderCacheControl, caching)
	if same {
		return c.SendStatus(fiber.StatusNotModified)
	}
	c.Set("X-Page-Width", strconv.FormatFloat(image.points, 'f', 2, 64))
	c.Set(fiber.HeaderContentType, "image/png")
	return c.Send(image.png)
}

// pageImage is a page as a PNG file, and its width in points.
type pageImage struct {
	png    []byte
	points float64
}

// ErrNoPage returns the error for a page that a file does not have.
func ErrNoPage(n int) error { return errs.Newf(errs.NotFound, "Ce fichier n’a pas de page %d.", n) }

// draw renders a page in the turn of a client. The error is Unavailable if too many are being rendered.
func (s *Images) draw(ctx context.Context, p Page, turn transport.Turn) (out pageImage, err error) {
	turn.Most, turn.Patience = DrawMost, transport.Brief
	release, err := s.drawing.Take(ctx, turn)
	if err != nil {
		return out, err
	}
	defer release()
	ctx, cancel := context.WithTimeout(ctx, drawTimeout)
	defer cancel()
	path, done, err := s.Blobs.Local(ctx, p.SHA256)
	if errs.Is(err, errs.NotFound) {
		return out, errs.Wrap(errs.NotFound, "Les octets de ce fichier sont introuvables.", err)
	}
	if err != nil {
		return out, err
	}
	defer done()
	pdf, err := s.Open(ctx, path)
	if err != nil {
		return out, fmt.Errorf("open %s: %w", p.SHA256, err)
	}
	defer func() {
		if failed := pdf.Close(); err == nil {
			err = failed
		}
	}()
	if p.N > pdf.Pages() {
		return out, ErrNoPage(p.N)
	}
	if out.points, err = s.pageWidth(ctx, p, pdf); err != nil {
		return out, err
	}
	gray, err := pdf.Render(ctx, p.N, pointsInch*float64(p.Width)/out.points)
	if err != nil {
		return out, err
	}
	var body bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.DefaultCompression}).Encode(&body, reduce(gray)); err != nil {
		return out, fmt.Errorf("encode page %d of %s: %w", p.N, p.SHA256, err)
	}
	out.png = body.Bytes()
	return out, nil
}

// grays are the sixteen grays of an image: print needs no more, and it takes half the bytes.
var grays = func() (p color.Palette) {
	for i := range 16 {
		p = append(p, color.Gray{uint8(i * 17)})
	}
	return p
}()

// reduce returns an image in sixteen grays.
func reduce(gray *image.Gray) *image.Paletted {
	out := image.NewPaletted(gray.Rect, grays)
	for y := range gray.Rect.Dy() {
		source, target := gray.Pix[y*gray.Stride:], out.Pix[y*out.Stride:]
		for x := range gray.Rect.Dx() {
			target[x] = uint8((int(source[x]) + 8) / 17)
		}
	}
	return out
}

// pageWidth returns the width of a page in points: as stored when the page was read, else
// from the PDF.
func (s *Images) pageWidth(ctx context.Context, p Page, pdf PDF) (float64, error) {
	lines, err := s.DB.PageLines(ctx, p.Ingestion, p.N)
	if err == nil && lines.Width > 0 {
		return lines.Width, nil
	}
	if err != nil && !errs.Is(err, errs.NotFound) {
		return 0, err
	}
	small, err := pdf.Render(ctx, p.N, pointsInch)
	if err != nil {
		return 0, err
	}
	return float64(max(1, small.Rect.Dx())), nil
}
