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
	"vigueur/internal/web/httpapi/contract"
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

// codeLife is the lifetime of an authorization code: a program exchanges it at once.
const codeLife = time.Minute

// OauthPrefix is the prefix of the addresses whose errors have the form of RFC 6749.
const OauthPrefix = "/oauth/"

// describeServer serves GET /.well-known/oauth-authorization-server.
func (s *Handlers) describeServer(*fiber.Ctx, contract.None) (oauth.Server, error) {
	return oauth.DescribeServer(s.Base()), nil
}

// describeTools serves GET /.well-known/oauth-protected-resource, also with the suffix /mcp.
func (s *Handlers) describeTools(*fiber.Ctx, contract.None) (oauth.Tools, error) {
	return oauth.DescribeTools(s.Base()), nil
}

// registrationInput describes what package oauth reads of the registration of a program.
type registrationInput struct {
	Name      *string  `json:"client_name,omitempty" doc:"Au-delà de 64 caractères, il est abrégé."`
	Redirects []string `json:"redirect_uris" minItems:"1" maxItems:"10"`
	Method    *string  `json:"token_endpoint_auth_method,omitempty" doc:"« none » est accordé, quel que soit le choix demandé : un programme n’a pas de secret."`
}

// registerProgram serves POST /oauth/register. It registers a program (RFC 7591). Nothing is stored.
func (s *Handlers) registerProgram(c *fiber.Ctx, _ postgres.User) (reply oauth.Registered, _ error) {
	body, err := transport.ReadJSON(c)
	if err != nil {
		return reply, err
	}
	c.Set(fiber.HeaderCacheControl, "no-store")
	return s.Programs.Known.Register(body)
}

type programInput struct {
	Request string `json:"request" format:"password" minLength:"1" maxLength:"16384" doc:"Les paramètres de l’adresse de la page, tels que le programme les a envoyés (RFC 6749, 4.1.1)."`
}

// programBody is a program that asks for authorization.
type programBody struct {
	Name    string `json:"name" doc:"Le nom que le programme se donne."`
	Address string `json:"address" doc:"L’adresse à laquelle le navigateur revient, sans son chemin."`
	Refused string `json:"refused" doc:"Où aller si la personne refuse."`
}

// checkRequest checks a request for authorization: the query of the page's address.
func (s *Handlers) checkRequest(input programInput) (r oauth.Request, program oauth.Program, err error) {
	q, err := url.ParseQuery(input.Request)
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
func (s *Handlers) showProgram(_ *fiber.Ctx, _ postgres.User, input programInput) (reply programBody, _ error) {
	r, program, err := s.checkRequest(input)
	if err != nil {
		return reply, err
	}
	u, err := url.Parse(r.Redirect)
	if err != nil {
		return reply, err
	}
	address := u.Scheme + ":"
	if u.Host != "" {
		address = u.Scheme + "://" + u.Host
	}
	return programBody{program.Name, address, r.Return(s.Base(), "error", oauth.AccessDenied)}, nil
}

type programAddress struct {
	Address string `json:"address"`
}

// authorizeProgram serves POST /auth/programs. It begins a session for a program, at the request
// of who is signed in. Its first refresh token is the authorization code.
func (s *Handlers) authorizeProgram(c *fiber.Ctx, user postgres.User, input programInput) (reply programAddress, _ error) {
	r, program, err := s.checkRequest(input)
	if err != nil {
		return reply, err
	}
	code, signIn := s.newSignIn(c, user)
	signIn.Expires, signIn.Client, signIn.Grant = s.Now().Add(codeLife), program.Name, oauth.GrantOf(r.Client, r.Redirect, r.Challenge)
	if err := s.signIn(c.UserContext(), user.Email, signIn); err != nil {
		return reply, err
	}
	return programAddress{r.Return(s.Base(), "code", code)}, nil
}

// grantForm describes the form of a request for tokens.
type grantForm struct {
	Kind     string `json:"grant_type" enum:"authorization_code,refresh_token"`
	Client   string `json:"client_id"`
	Code     string `json:"code,omitempty"`
	Redirect string `json:"redirect_uri,omitempty"`
	Verifier string `json:"code_verifier,omitempty"`
	Refresh  string `json:"refresh_token,omitempty"`
	Resource string `json:"resource,omitempty"`
}

// revocationForm describes the form of a request to end a program's session.
type revocationForm struct {
	Token  string `json:"token"`
	Client string `json:"client_id"`
}

// GrantBody is a pair of tokens of a program (RFC 6749, 5.1).
type GrantBody struct {
	Access  string `json:"access_token"`
	Kind    string `json:"token_type"`
	Expires int    `json:"expires_in" doc:"Secondes."`
	Refresh string `json:"refresh_token"`
	Scope   string `json:"scope"`
}

// exchangeGrant serves POST /oauth/token. It gives a program tokens for a code, or for its
// refresh token. A code that is sent twice ends the session, as any refresh token does.
func (s *Handlers) exchangeGrant(c *fiber.Ctx, _ contract.None) (reply GrantBody, _ error) {
	form, client, err := s.programForm(c)
	if err != nil {
		return reply, err
	}
	renewal := postgres.Renewal{Expires: s.Now().Add(s.Lives.Refresh)}
	var sent string
	switch form.Get("grant_type") {
	case "authorization_code":
		sent, renewal.Grant = form.Get("code"), oauth.GrantOf(client, form.Get("redirect_uri"), oauth.Challenge(form.Get("code_verifier")))
	case "refresh_token":
		sent, renewal.Grant, renewal.Grace = form.Get("refresh_token"), oauth.GrantOf(client, "", ""), s.Lives.Grace
	default:
		return reply, &oauth.Error{Code: oauth.UnknownGrant, Text: "Un code ou un jeton de renouvellement est attendu (grant_type : authorization_code ou refresh_token)."}
	}
	if r := form.Get("resource"); r != "" && strings.TrimRight(r, "/") != oauth.Resource(s.Base()) {
		return reply, &oauth.Error{Code: oauth.InvalidTarget, Text: "Ce service n’est pas celui que le programme demande (resource)."}
	}
	next, hash := sealed.NewToken()
	renewal.Old, renewal.Fresh = sealed.HashToken(sent), hash
	session, err := s.DB.RotateRefreshToken(c.UserContext(), renewal)
	if errs.Is(err, errs.Unauthorized) {
		return reply, &oauth.Error{Code: oauth.InvalidGrant, Text: "Ce code ou ce jeton n’est pas de ce programme, a servi, ou a expiré : une nouvelle autorisation est nécessaire."}
	}
	if err != nil {
		return reply, err
	}
	transport.Note(c, slog.String("user_id", session.User.ID.String()))
	access, err := s.Programs.Tokens.Issue(bearerOf(session.User, session.ID))
	if err != nil {
		return reply, err
	}
	c.Set(fiber.HeaderCacheControl, "no-store")
	return GrantBody{access, "Bearer", int(s.Programs.Tokens.Life / time.Second), next, oauth.Scope}, nil
}

// revokeGrant serves POST /oauth/revoke (RFC 7009). It ends the session of a program's refresh
// token. An unknown token is no error.
func (s *Handlers) revokeGrant(c *fiber.Ctx, _ contract.None) (reply contract.Sent, _ error) {
	form, client, err := s.programForm(c)
	if err != nil {
		return reply, err
	}
	return reply, s.DB.RevokeFamily(c.UserContext(), sealed.HashToken(form.Get("token")), oauth.GrantOf(client, "", "").Program)
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

// grantError is an error in the form of RFC 6749, 5.2.
type grantError struct {
	Code string `json:"error"`
	Text string `json:"error_description"`
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
	return grantError{code, text}
}
