// Package oauth reads and writes what programs send to the service's authorization server,
// and needs no store: descriptions of the server, registrations of programs, and requests for
// authorization. It follows OAuth 2.1 as the Model Context Protocol requires: public clients
// that register themselves, authorization codes, and PKCE.
package oauth

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"vigueur/internal/kit/sealed"
	"vigueur/internal/law"
	"vigueur/internal/store/postgres"
)

// Scope is the one scope of programs: to use the tools of the service on behalf of an account.
const Scope = "mcp"

// Addresses of the authorization server, below the service's own. Page is the page on which a
// person decides.
const (
	Page         = "/autoriser"
	RegisterPath = "/oauth/register"
	TokenPath    = "/oauth/token" //nolint:gosec // an address
	RevokePath   = "/oauth/revoke"

	ServerMetadata   = "/.well-known/oauth-authorization-server"
	ResourceMetadata = "/.well-known/oauth-protected-resource"
)

// Error is the refusal of a request in the words of RFC 6749, 5.2 and RFC 7591, 3.2.2. Text is
// for people.
type Error struct{ Code, Text string }

func (e *Error) Error() string { return "oauth: " + e.Code + ": " + e.Text }

// Codes of errors.
const (
	InvalidRequest  = "invalid_request"
	InvalidClient   = "invalid_client"
	InvalidGrant    = "invalid_grant"
	UnknownGrant    = "unsupported_grant_type"
	InvalidRedirect = "invalid_redirect_uri"
	InvalidMetadata = "invalid_client_metadata"
	InvalidTarget   = "invalid_target"
	AccessDenied    = "access_denied"
)

// Server is the metadata of the authorization server.
type Server = oauthex.AuthServerMeta

// Tools is the metadata of its one protected resource.
type Tools = oauthex.ProtectedResourceMetadata

// DescribeServer returns the metadata of the authorization server at base, an address without
// a slash at its end (RFC 8414).
func DescribeServer(base string) Server {
	none := []string{"none"}
	return Server{
		Issuer: base, AuthorizationEndpoint: base + Page, TokenEndpoint: base + TokenPath, RegistrationEndpoint: base + RegisterPath, RevocationEndpoint: base + RevokePath,
		ScopesSupported: []string{Scope}, ResponseTypesSupported: []string{"code"}, GrantTypesSupported: []string{"authorization_code", "refresh_token"},
		TokenEndpointAuthMethodsSupported: none, RevocationEndpointAuthMethodsSupported: none, CodeChallengeMethodsSupported: []string{"S256"},
		UILocalesSupported: []string{"fr"}, AuthorizationResponseIssParameterSupported: true,
	}
}

// DescribeTools returns the metadata of the server's one protected resource (RFC 9728).
func DescribeTools(base string) Tools {
	return Tools{
		Resource: Resource(base), AuthorizationServers: []string{base}, ScopesSupported: []string{Scope}, BearerMethodsSupported: []string{"header"}, ResourceName: "Vigueur",
	}
}

// Resource returns the address of the protected resource of the service at base: the audience
// of its tokens.
func Resource(base string) string { return base + "/mcp" }

// Program is a program that has registered.
type Program struct {
	Name      string   `json:"n"`
	Redirects []string `json:"r"`
}

// Bounds of a registration, so that an id fits into an address.
const (
	nameLimit     = 64   // characters
	redirectLimit = 10   // addresses
	addressLimit  = 1000 // bytes of all addresses
)

// Programs registers programs without storing them: the id of a program is its registration,
// sealed.
type Programs struct{ box *sealed.Box }

// NewPrograms returns Programs with a key derived from a secret of the settings.
func NewPrograms(secret []byte) (*Programs, error) {
	box, err := sealed.NewBox(secret, "vigueur registered program")
	if err != nil {
		return nil, err
	}
	return &Programs{box}, nil
}

// Registered is the response to a registration (RFC 7591, 3.2.1).
type Registered struct {
	ID string `json:"client_id"`
	oauthex.ClientRegistrationMetadata
}

// Register registers the program that a JSON object describes (RFC 7591, 2). The response says what
// was granted, which may be less than was asked for (3.2.1): no program gets a secret, whatever way
// to authenticate it names. The error is an *Error.
func (p *Programs) Register(description []byte) (out Registered, err error) {
	var asked oauthex.ClientRegistrationMetadata
	if err := json.Unmarshal(description, &asked); err != nil {
		return out, &Error{InvalidMetadata, "Le corps attend un objet JSON : la description du programme."}
	}
	program := Program{Name: strings.Join(strings.Fields(asked.ClientName), " "), Redirects: asked.RedirectURIs}
	if program.Name == "" {
		program.Name = "Programme sans nom"
	}
	if strings.ContainsFunc(program.Name, isHidden) {
		return out, &Error{InvalidMetadata, "Le nom du programme (client_name) a des caractères invisibles."}
	}
	if letters := []rune(program.Name); len(letters) > nameLimit {
		program.Name = string(letters[:nameLimit-1]) + "…"
	}
	if n := len(program.Redirects); n == 0 || n > redirectLimit || len(strings.Join(program.Redirects, "")) > addressLimit {
		return out, &Error{InvalidRedirect, "Une à dix adresses de retour (redirect_uris) sont attendues, de mille octets en tout."}
	}
	for _, address := range program.Redirects {
		if !mayReturnTo(address) {
			return out, &Error{InvalidRedirect, "Une adresse de retour doit être en https, sur la machine elle-même (http://127.0.0.1/…), ou d’un programme installé (com.exemple.programme:/…), sans fragment."}
		}
	}
	data, err := json.Marshal(program)
	if err != nil {
		return out, err
	}
	return Registered{base64.RawURLEncoding.EncodeToString(p.box.Seal(data, nil)), oauthex.ClientRegistrationMetadata{
		ClientName: program.Name, RedirectURIs: program.Redirects, TokenEndpointAuthMethod: "none", Scope: Scope,
		GrantTypes: []string{"authorization_code", "refresh_token"}, ResponseTypes: []string{"code"},
	}}, nil
}

// isHidden reports whether a rune of a name is not seen, or turns the direction of writing.
func isHidden(r rune) bool {
	return r == utf8.RuneError || unicode.IsControl(r) || law.Invisible(r) || r == '\u2028' || r == '\u2029'
}

// mayReturnTo reports whether a code may be sent to an address: over TLS, to this machine, or
// to a program installed on it, whose scheme is the name of a domain reversed (RFC 8252, 7).
func mayReturnTo(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.User != nil || u.Fragment != "" || strings.HasSuffix(address, "#") || strings.ContainsFunc(address, isHidden) {
		return false
	}
	switch u.Scheme {
	case "https":
		return u.Host != "" && isASCII(u.Host)
	case "http":
		return isOwnMachine(u.Hostname())
	}
	return strings.Contains(u.Scheme, ".") && u.Opaque == ""
}

// isASCII reports whether a person sees the name of a host as it is: letters of other scripts
// look like others (« vigueur » with a Cyrillic « е »).
func isASCII(host string) bool {
	return !strings.ContainsFunc(host, func(r rune) bool { return r > unicode.MaxASCII })
}

func isOwnMachine(host string) bool {
	a, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && a.IsLoopback()
}

// Read returns the program of an id. The error is an *Error.
func (p *Programs) Read(id string) (program Program, err error) {
	data, err := base64.RawURLEncoding.DecodeString(id)
	if err == nil {
		data, err = p.box.Open(data, nil)
	}
	if err == nil {
		err = json.Unmarshal(data, &program)
	}
	if err != nil {
		return Program{}, &Error{InvalidClient, "Ce programme (client_id) n’est pas enregistré ici : il doit s’enregistrer de nouveau."}
	}
	return program, nil
}

// admits reports whether the program registered an address. The port of an address on one's
// own machine is not compared: programs take one that is free (RFC 8252, 7.3).
func (p Program) admits(address string) bool {
	if slices.Contains(p.Redirects, address) {
		return true
	}
	port := func(address string) string {
		u, err := url.Parse(address)
		if err != nil || u.Scheme != "http" || !isOwnMachine(u.Hostname()) {
			return ""
		}
		u.Host = u.Hostname()
		return u.String()
	}
	rest := port(address)
	return rest != "" && mayReturnTo(address) && slices.ContainsFunc(p.Redirects, func(own string) bool { return port(own) == rest })
}

// Request is a request for authorization (RFC 6749, 4.1.1, RFC 7636, 4.3, RFC 8707, 2).
type Request struct {
	Client, Redirect, Kind, Challenge, Method, State, Scope, Resource string
}

// stateLimit is the maximum length of a state in bytes.
const stateLimit = 2048

// Check returns the program that sends a request to the server at base, of which it may be
// told the outcome. Whatever scope it asks for, Scope is granted, and the response to it says so
// (RFC 6749, 3.3). The error is an *Error.
func (p *Programs) Check(r Request, base string) (Program, error) {
	program, err := p.Read(r.Client)
	if err != nil {
		return program, err
	}
	challenge, err := base64.RawURLEncoding.DecodeString(r.Challenge)
	switch {
	case !program.admits(r.Redirect):
		return program, &Error{InvalidRequest, "Ce programme n’a pas enregistré l’adresse à laquelle il veut revenir (redirect_uri)."}
	case r.Kind != "code":
		return program, &Error{InvalidRequest, "Seul un code peut être demandé (response_type : code)."}
	case r.Method != "S256" || err != nil || len(challenge) != sha256.Size:
		return program, &Error{InvalidRequest, "Il manque la preuve PKCE (code_challenge, code_challenge_method : S256)."}
	case r.Resource != "" && strings.TrimRight(r.Resource, "/") != Resource(base):
		return program, &Error{InvalidTarget, "Ce service n’est pas celui que le programme demande (resource)."}
	case len(r.State) > stateLimit:
		return program, &Error{InvalidRequest, "L’état (state) est trop long."}
	}
	return program, nil
}

// Return is the address to which the browser returns with the outcome of a request that was
// checked: a code, or the code of an error.
func (r Request) Return(base, name, value string) string {
	u, err := url.Parse(r.Redirect)
	if err != nil {
		return ""
	}
	q := u.Query()
	q.Set(name, value)
	q.Set("iss", base)
	if r.State != "" {
		q.Set("state", r.State)
	}
	u.RawQuery = q.Encode()
	return u.String()
}

// GrantOf returns what identifies a grant to a program: the program, and for a code, which has
// a challenge, the address that it goes to with the challenge that its verifier answers.
func GrantOf(client, redirect, challenge string) postgres.Grant {
	program := sha256.Sum256([]byte(client))
	if challenge == "" {
		return postgres.Grant{Program: program[:]}
	}
	proof := sha256.Sum256([]byte(challenge + " " + redirect))
	return postgres.Grant{Program: program[:], Proof: proof[:]}
}

// Challenge returns the challenge of a verifier (S256, RFC 7636, 4.2), which is never "".
func Challenge(verifier string) string {
	sum := sha256.Sum256([]byte(verifier))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}
