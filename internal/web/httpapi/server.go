// Package httpapi is the door of the service's HTTP interface. It mounts the rooms below it, each
// with what it needs: transport carries requests, guard admits accounts, and the areas parse
// requests, call the stores, and write responses as the contract defines. None of them has logic
// of law, answers or gazettes.
package httpapi

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/store/blobs"
	"vigueur/internal/store/postgres"
	"vigueur/internal/store/ratelimit"
	"vigueur/internal/store/relay"
	"vigueur/internal/web/auth"
	"vigueur/internal/web/factor"
	"vigueur/internal/web/httpapi/account"
	"vigueur/internal/web/httpapi/admin"
	"vigueur/internal/web/httpapi/alerts"
	"vigueur/internal/web/httpapi/catalogue"
	"vigueur/internal/web/httpapi/contract"
	"vigueur/internal/web/httpapi/conversations"
	"vigueur/internal/web/httpapi/gazettes"
	"vigueur/internal/web/httpapi/guard"
	"vigueur/internal/web/httpapi/owndata"
	"vigueur/internal/web/httpapi/public"
	"vigueur/internal/web/httpapi/respond"
	"vigueur/internal/web/httpapi/transport"
	"vigueur/internal/web/webpage"
	"vigueur/internal/work/erasure"
	"vigueur/internal/work/queue"
)

// Server is the HTTP server of the service. Every field except Page, Alerts and those marked so is
// required. It must not be copied once it serves.
type Server struct {
	DB           *postgres.DB
	Relay        *relay.Relay // run by the caller
	Queue        Queue
	Workers      func(class string) (int, error) // number of processes that read a queue
	Askers       int                             // accounts that must have asked an unanswered question for editors to read it
	Blobs        blobs.Store
	Tokens       *auth.Tokens
	Passwords    *auth.Passwords
	Logins       account.LoginLimits
	Inquiries    *ratelimit.Limiter // accepted inquiries from one network
	AllInquiries *ratelimit.Limiter // accepted inquiries from everywhere
	LinkRequests *ratelimit.Limiter // requests for messages with links, and uses of links, from one network
	Mailbox      *ratelimit.Limiter // requests for such messages to one address
	Exports      *ratelimit.Limiter // exports of one account's data
	Deliveries   *ratelimit.Limiter // deliveries to webhooks that one account asks for
	Signup       account.Signup
	Lives        account.Lives
	Keys         *ratelimit.Allowance // calls of each API key
	Factors      account.Factors
	Providers    account.Providers
	Programs     account.Programs
	// GuestQuestions limits the questions without an account from one browser; nil: not allowed.
	GuestQuestions *ratelimit.Limiter

	Guests *ratelimit.Limiter // title suggestions without authentication, from one network; nil: not allowed

	Alerts  alerts.Settings
	MailDir string // folder of messages; "": none on this machine

	Public *public.Pages // pages of the catalogue for everybody; nil: none

	AddressSecret []byte                // key under which addresses are hashed
	Proxies       []netip.Prefix        // whose X-Forwarded-For is trusted; may be empty
	Origins       []string              // pages that may call from a browser; may be empty
	BaseURL       string                // public address, prefix of url_source
	Models        []conversations.Model // one of them is the default
	Page          *webpage.Site         // nil: no page, only the API
	Checks        []Check
	Backlog       postgres.Backlog // beyond it, questions are rejected
	ModelTokens   int              // that an account may spend on models in a day; 0: any number
	OpenPDF       func(ctx context.Context, path string) (catalogue.PDF, error)
	ReadFile      func(ctx context.Context, path string) (text string, err error) // of a file that is to be checked
	Connections   transport.Connections
	Bodies        transport.ByteRoom // of requests
	Replies       transport.ByteRoom // of responses that clients have not taken yet
	Uploads       int                // concurrent uploads; further ones are rejected
	Milvus        bool               // passages are also in Milvus
	Meili         bool               // titles are also in Meilisearch

	Log *slog.Logger
	Now func() time.Time

	limits transport.Limits
	ready  readiness

	scoped sync.Once // KeyScopes are made

	*guard.Guard  // nil until the server is assembled
	account       *account.Handlers
	conversations *conversations.Handlers
	catalogue     *catalogue.Handlers
}

// Queue enqueues hints that a row waits. An error costs a few seconds: the workers' sweep
// finds the row.
type Queue interface {
	Enqueue(ctx context.Context, kind queue.Kind, id uuid.UUID) error
}

// Check is a check of a store for /readyz.
type Check struct {
	Name     string
	Required bool // without the store the server is not ready
	Ping     func(ctx context.Context) error
}

// Serve serves on ln until ctx ends; then it accepts no more connections, ends the streams
// so that clients resume elsewhere, and waits for running requests. It closes ln.
func (s *Server) Serve(ctx context.Context, ln net.Listener) error {
	app := s.app()
	return s.ServeApp(ctx, ln, app, s.Run)
}

// assemble makes the rooms of the server from its settings, once.
func (s *Server) assemble() {
	if s.Guard != nil {
		return
	}
	s.Guard = &guard.Guard{
		Transport: &transport.Transport{
			Log: s.Log, Now: s.Now, Proxies: s.Proxies, Origins: s.Origins, BaseURL: s.BaseURL, Connections: s.Connections, Bodies: s.Bodies, Replies: s.Replies, Limits: s.limits,
			ErrorForms: []transport.ErrorForm{{Prefix: conversations.CompletionsPrefix, Encode: conversations.AsCompletionError}, {Prefix: account.OauthPrefix, Encode: account.AsGrantError}},
			IsUpload:   isUpload, MostUpload: gazettes.UploadLimit,
		},
		DB: s.DB, Tokens: s.Tokens, ProgramTokens: s.Programs.Tokens, Keys: s.Keys, MustEnroll: s.Factors.Required, AddressSecret: s.AddressSecret,
	}
	papers, checks := &transport.Slots{}, &transport.Slots{}
	s.account = &account.Handlers{
		Guard: s.Guard, Passwords: s.Passwords, Logins: s.Logins, LinkRequests: s.LinkRequests, Mailbox: s.Mailbox, Signup: s.Signup, Lives: s.Lives,
		Factors: s.Factors, Providers: s.Providers, Programs: s.Programs, PublicCatalogue: s.Public != nil,
	}
	if s.GuestQuestions != nil {
		s.account.GuestQuestions = s.GuestQuestions.Limit
	}
	s.conversations = &conversations.Handlers{
		Guard: s.Guard, Public: s.Public, Relay: s.Relay, Enqueue: s.Queue.Enqueue, Models: s.Models, Backlog: s.Backlog, Tokens: s.ModelTokens, GuestQuestions: s.GuestQuestions, Papers: papers, Checks: checks,
	}
	s.catalogue = &catalogue.Handlers{
		Guard: s.Guard, Public: s.Public, Blobs: s.Blobs, Images: catalogue.NewImages(s.DB, s.Blobs, s.OpenPDF), ReadFile: s.ReadFile, Guests: s.Guests,
		Papers: papers, Checks: checks, MostUploads: s.Uploads,
	}
	if s.Public != nil {
		if s.Public.Guard = s.Guard; s.Page != nil {
			s.Public.Icon = s.Page.Icon()
		}
	}
}

// running returns the relay, which runs as long as the server.
func (s *Server) running(context.Context) (r *relay.Relay, stop func(), err error) {
	return s.Relay, func() {}, nil
}

// app builds the Fiber application.
func (s *Server) app() *fiber.App {
	s.assemble()
	return s.NewApp(func(app *fiber.App) {
		if s.Public != nil {
			s.Public.Routes(app)
		}
		app.Use(s.site)
		s.routes(app)
	})
}

// routes registers every route but those of the public pages.
func (s *Server) routes(app *fiber.App) []*contract.Operation {
	routes := contract.New(app)
	service := routes.Tag("Service")
	service.Get("/healthz", "healthz", "Voir si le serveur vit", contract.Open(s.healthz))
	service.Get("/readyz", "readyz", "Voir si le serveur est prêt", contract.Open(s.readyz)).FailsAs(503, readinessBody{})
	service.Get("/openapi.json", "openapi", "Lire cette documentation en JSON", revalidated(showOpenAPI)).Media(fiber.MIMEApplicationJSON).Headers("Cache-Control")
	service.Get("/docs", "docs", "Lire cette documentation", revalidated(showDocs)).Media(fiber.MIMETextHTML).Headers("Cache-Control")
	s.account.Routes(routes)
	s.conversations.Routes(routes)
	s.catalogue.Routes(routes)
	(&alerts.Handlers{Guard: s.Guard, Enqueue: s.Queue.Enqueue, Deliveries: s.Deliveries, Settings: s.Alerts}).Routes(routes)
	(&gazettes.Handlers{Guard: s.Guard, Blobs: s.Blobs, Images: s.catalogue.Images, Enqueue: s.Queue.Enqueue, MostUploads: s.Uploads}).Routes(routes)
	(&admin.Handlers{Guard: s.Guard, Milvus: s.Milvus, Meili: s.Meili, Passwords: s.Passwords, Workers: s.Workers, Askers: s.Askers}).Routes(routes)
	(&owndata.Handlers{Guard: s.Guard, Account: s.account, Exports: s.Exports, Eraser: &erasure.Eraser{DB: s.DB, MailDir: s.MailDir, Relay: s.running}}).Routes(routes)
	(&public.Inquiries{Guard: s.Guard, Network: s.Inquiries, All: s.AllInquiries, Enqueue: s.Queue.Enqueue}).Routes(routes)
	s.scoped.Do(func() { s.KeyScopes = contract.Scopes(routes.All()) })
	return routes.All()
}

// site serves the page's files and passes all other paths to the routes. File names contain
// a content hash, so they are cached forever; the page itself is revalidated at each
// request.
func (s *Server) site(c *fiber.Ctx) error {
	if s.Page == nil || c.Method() != fiber.MethodGet && c.Method() != fiber.MethodHead {
		return c.Next()
	}
	address := c.Path()
	if file := s.Page.Asset(address); file != nil {
		if webpage.Worker(address) {
			c.Set("Service-Worker-Allowed", "/")
		}
		return sendPageFile(c, file, "public, max-age=31536000, immutable")
	}
	if !webpage.Owns(address) || address == "/openapi.json" {
		return c.Next()
	}
	if index := s.Page.Index(); index != nil {
		if address == conversations.SharedPath {
			c.Set("X-Robots-Tag", "noindex")
		}
		return sendPageFile(c, index, "no-cache")
	}
	if address != "/" {
		return c.Next()
	}
	c.Set(fiber.HeaderContentSecurityPolicy, webpage.Policy)
	return c.Status(fiber.StatusNotFound).SendString(webpage.Missing)
}

// sendPageFile sends a file of the page under the page's policy.
func sendPageFile(c *fiber.Ctx, f *webpage.File, cache string) error {
	c.Set(fiber.HeaderContentSecurityPolicy, webpage.Policy)
	return respond.SendStatic(c, f, cache)
}

// uploadRoute is the route that takes gazettes; its handler reads the body piece by piece.
const uploadRoute = transport.Prefix + "/admin/documents"

// isUpload reports whether the handler of a request reads the body itself.
func isUpload(c *fiber.Ctx) bool {
	return c.Method() == fiber.MethodPost && (c.Path() == uploadRoute || c.Path() == catalogue.VerifyRoute && transport.IsForm(c)) ||
		c.Method() == fiber.MethodPatch && strings.HasPrefix(c.Path(), gazettes.PartsRoute+"/")
}

// operatorBytes is the memory for bodies and responses of a server for the operator.
const operatorBytes = 256 << 20

// ServeOperator serves the operator of the machine within the process until stop is called: who has the
// database's password needs no account. dial opens a connection that no other process can reach. What is asked
// belongs to the account as, which may be the zero value if nothing is asked. Of s only DB, Queue, Workers, Blobs, Log
// and Now have to be set; Relay, which is run until then, and Models for questions; ReadFile for files to check.
func (s *Server) ServeOperator(user postgres.User) (dial func(context.Context, string, string) (net.Conn, error), stop func() error, err error) {
	secret := make([]byte, 32)
	if _, err := rand.Read(secret); err != nil {
		return nil, nil, err
	}
	key, err := auth.HMAC("operator", secret)
	if err != nil {
		return nil, nil, err
	}
	s.Tokens = &auth.Tokens{Issuer: "vigueur", Audience: "operator", Keys: auth.Keyring{key}, Now: s.Now, Life: time.Minute}
	s.AddressSecret, s.Passwords = secret, auth.NewPasswords()
	if s.Factors.Box, err = factor.NewBox(secret); err != nil {
		return nil, nil, err
	}
	if s.Programs, err = account.NewPrograms(secret, "https://operator.invalid", s.Tokens); err != nil {
		return nil, nil, err
	}
	s.Connections = transport.Connections{All: 64, Each: 64}
	s.Bodies, s.Replies, s.Uploads = transport.ByteRoom{All: operatorBytes, Each: operatorBytes}, transport.ByteRoom{All: operatorBytes, Each: operatorBytes}, 8
	s.limits = transport.Limits{Work: time.Hour}
	s.assemble()
	user.Role, user.Active = "admin", true
	s.Operator, s.Plain = &user, true
	dial, down := transport.ServeWithin(s.app())
	if s.Relay == nil {
		return dial, down, nil
	}
	ctx, cancel := context.WithCancel(context.Background())
	var waitGroup sync.WaitGroup
	var relayed error
	waitGroup.Go(func() { relayed = s.Relay.Run(ctx) })
	return dial, func() error {
		err := down()
		cancel()
		waitGroup.Wait()
		return errors.Join(err, relayed)
	}, nil
}
