package account

import (
	"errors"
	"log/slog"
	"mime"
	"net/url"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/sealed"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/auth"
	"vigueur/internal/web/httpapi/transport"
	"vigueur/internal/web/oauth"
)

// Programs are what lets programs ask on behalf of accounts.
type Programs struct {
	Known  *oauth.Programs
	Tokens *auth.Tokens // of programs: their audience is the address of the tools alone
}

// NewPrograms returns Programs of the service at an address, with keys derived from a secret of
// the settings. Their tokens are signed as those of people are.
func NewPrograms(secret []byte, address string, people *auth.Tokens) (Programs, error) {
	known, err := oauth.NewPrograms(secret)
	tokens := *people
	tokens.Audience = oauth.Resource(strings.TrimRight(address, "/"))
	return Programs{known, &tokens}, err
}

// OauthPrefix is the prefix of the addresses whose errors have the form of RFC 6749.
const OauthPrefix = "/oauth/"

// describeTools serves GET /.well-known/oauth-protected-resource, also with the suffix /mcp.
func (s *Handlers) describeTools(c *fiber.Ctx) error { return c.JSON(oauth.DescribeTools(s.Base())) }

// registerProgram serves POST /oauth/register. It registers a program (RFC 7591). Nothing is stored.
func (s *Handlers) registerProgram(c *fiber.Ctx) error {
	body, err := transport.ReadJSON(c)
	if err != nil {
		return err
	}
	registered, err := s.Programs.Known.Register(body)
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderCacheControl, "no-store")
	return c.Status(fiber.StatusCreated).JSON(registered)
}

// programBody is a program that asks for authorization.
type programBody struct {
	Name    string `json:"name"`
	Address string `json:"address"` // to which the browser returns, without its path
	Refused string `json:"refused"` // where the browser goes if the answer is no
}

// checkRequest reads a request for authorization: the query of the page's address, in a field
// of the body.
func (s *Handlers) checkRequest(c *fiber.Ctx) (r oauth.Request, program oauth.Program, err error) {
	body := transport.ReadBody(c)
	sent := body.Secret("request", 1, transport.HeaderLimit)
	if err := body.Err(); err != nil {
		return r, program, err
	}
	q, err := url.ParseQuery(sent)
	if err != nil {
		return r, program, &oauth.Error{Code: oauth.InvalidRequest, Text: "L’adresse de cette demande est illisible."}
	}
	r = oauth.Request{
		Client: q.Get("client_id"), Redirect: q.Get("redirect_uri"), Kind: q.Get("response_type"), Challenge: q.Get("code_challenge"),
		Method: q.Get("code_challenge_method"), State: q.Get("state"), Scope: q.Get("scope"), Resource: q.Get("resource"),
	}
	program, err = s.Programs.Known.Check(r, s.Base())
	return r, program, err
}

// showProgram serves POST /auth/programs/request. It shows the program of a request for
// authorization.
func (s *Handlers) showProgram(c *fiber.Ctx, _ postgres.User) error {
	r, program, err := s.checkRequest(c)
	if err != nil {
		return err
	}
	u, err := url.Parse(r.Redirect)
	if err != nil {
		return err
	}
	address := u.Scheme + ":"
	if u.Host != "" {
		address = u.Scheme + "://" + u.Host
	}
	return c.JSON(programBody{program.Name, address, r.Return(s.Base(), "error", oauth.AccessDenied)})
}

// authorizeProgram serves POST /auth/programs. It begins a session for a program, at the request
// of who is signed in. Its first refresh token is the authorization code.
func (s *Handlers) authorizeProgram(c *fiber.Ctx, user postgres.User) error {
	r, program, err := s.checkRequest(c)
	if err != nil {
		return err
	}
	code, signIn := s.newSignIn(user)
	signIn.Expires, signIn.Program, signIn.Grant = s.Now().Add(codeLife), program.Name, oauth.GrantOf(r.Client, r.Redirect, r.Challenge)
	if err := s.DB.CreateRefreshToken(c.UserContext(), signIn); err != nil {
		return err
	}
	return c.JSON(struct {
		Address string `json:"address"`
	}{r.Return(s.Base(), "code", code)})
}

// GrantBody is a pair of tokens of a program (RFC 6749, 5.1).
type GrantBody struct {
	Access  string `json:"access_token"`
	Kind    string `json:"token_type"`
	Expires int    `json:"expires_in"` // seconds
	Refresh string `json:"refresh_token"`
	Scope   string `json:"scope"`
}

// exchangeGrant serves POST /oauth/token. It gives a program tokens for a code, or for its
// refresh token. A code that is sent twice ends the session, as any refresh token does.
func (s *Handlers) exchangeGrant(c *fiber.Ctx) error {
	form, client, err := s.programForm(c)
	if err != nil {
		return err
	}
	renewal := postgres.Renewal{Expires: s.Now().Add(s.Lives.Refresh)}
	var sent string
	switch form.Get("grant_type") {
	case "authorization_code":
		sent, renewal.Grant = form.Get("code"), oauth.GrantOf(client, form.Get("redirect_uri"), oauth.Challenge(form.Get("code_verifier")))
	case "refresh_token":
		sent, renewal.Grant, renewal.Grace = form.Get("refresh_token"), oauth.GrantOf(client, "", ""), s.Lives.Grace
	default:
		return &oauth.Error{Code: oauth.UnknownGrant, Text: "Un code ou un jeton de renouvellement est attendu (grant_type : authorization_code ou refresh_token)."}
	}
	if r := form.Get("resource"); r != "" && strings.TrimRight(r, "/") != oauth.Resource(s.Base()) {
		return &oauth.Error{Code: oauth.InvalidTarget, Text: "Ce service n’est pas celui que le programme demande (resource)."}
	}
	next, hash := sealed.NewToken()
	renewal.Old, renewal.Fresh = sealed.HashToken(sent), hash
	user, _, err := s.DB.RotateRefreshToken(c.UserContext(), renewal)
	if errs.Is(err, errs.Unauthorized) {
		return &oauth.Error{Code: oauth.InvalidGrant, Text: "Ce code ou ce jeton n’est pas de ce programme, a servi, ou a expiré : une nouvelle autorisation est nécessaire."}
	}
	if err != nil {
		return err
	}
	transport.Note(c, slog.String("user_id", user.ID.String()))
	access, err := s.Programs.Tokens.Issue(bearerOf(user))
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderCacheControl, "no-store")
	return c.JSON(GrantBody{access, "Bearer", int(s.Programs.Tokens.Life / time.Second), next, oauth.Scope})
}

// revokeGrant serves POST /oauth/revoke (RFC 7009). It ends the session of a program's refresh
// token. An unknown token is no error; an access token lives on until it expires.
func (s *Handlers) revokeGrant(c *fiber.Ctx) error {
	form, client, err := s.programForm(c)
	if err != nil {
		return err
	}
	return s.DB.RevokeFamily(c.UserContext(), sealed.HashToken(form.Get("token")), oauth.GrantOf(client, "", "").Program)
}

// programForm reads the form of a registered program, with the program's id.
func (s *Handlers) programForm(c *fiber.Ctx) (form url.Values, client string, err error) {
	if form, err = formBody(c); err != nil {
		return nil, "", err
	}
	client = form.Get("client_id")
	_, err = s.Programs.Known.Read(client)
	return form, client, err
}

// formBody reads a body of a form's fields. The error is an *oauth.Error if there is none.
func formBody(c *fiber.Ctx) (url.Values, error) {
	kind, _, err := mime.ParseMediaType(c.Get(fiber.HeaderContentType))
	if err != nil || kind != fiber.MIMEApplicationForm || c.Request().Header.ContentLength() > transport.HeaderLimit {
		return nil, &oauth.Error{Code: oauth.InvalidRequest, Text: "Le corps attend les champs d’un formulaire (application/x-www-form-urlencoded), 16 Kio au plus."}
	}
	if err := transport.Gather(c); err != nil {
		return nil, err
	}
	body := c.Request().Body()
	form, err := url.ParseQuery(string(body))
	if err != nil || len(body) > transport.HeaderLimit {
		return nil, &oauth.Error{Code: oauth.InvalidRequest, Text: "Le corps n’est pas celui d’un formulaire, ou dépasse 16 Kio."}
	}
	for _, values := range form {
		if len(values) > 1 {
			return nil, &oauth.Error{Code: oauth.InvalidRequest, Text: "Un champ est donné deux fois."}
		}
	}
	return form, nil
}

// AsGrantError is an error of the authorization server in its form.
func AsGrantError(status int, err error, detail any) any {
	code := oauth.InvalidRequest
	var refused *oauth.Error
	switch {
	case errors.As(err, &refused):
		code = refused.Code
	case status == fiber.StatusTooManyRequests || status == fiber.StatusServiceUnavailable:
		code = "temporarily_unavailable"
	case status >= fiber.StatusInternalServerError:
		code = "server_error"
	}
	text, ok := detail.(string)
	if !ok {
		text = "La requête est illisible."
	}
	return struct {
		Code string `json:"error"`
		Text string `json:"error_description"`
	}{code, text}
}
