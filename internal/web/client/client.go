// Package client calls the API of a server: requests, lists, event streams, and files that go by parts. Its errors have the
// API's sentences, or say in French why a server could not be asked.
package client

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"mime"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/terminal"
	"vigueur/internal/kit/version"
	"vigueur/internal/web/httpapi"
	"vigueur/internal/web/httpapi/gazettes"
	"vigueur/internal/web/httpapi/transport"
)

// Client calls the API of a server.
type Client struct {
	Base string // without a slash at the end
	HTTP *http.Client
	// Bearer returns the token for a request; nil: none is needed.
	Bearer func(ctx context.Context) (string, error)
	// Name returns what messages call a field of the API; nil: its name.
	Name func(field string) string
	// Fault returns what the server logged of its last failure; nil for another machine.
	Fault func() string
}

// answerMost is the maximum size of a response that is not a file, in bytes.
const answerMost = 64 << 20

// Call sends a request of the API, with in as JSON unless it is nil, and decodes the response into out
// unless that is nil. A refusal is an error of its kind with the sentence of the API.
func (c *Client) Call(ctx context.Context, method, path string, query url.Values, input, out any) error {
	if c.Bearer != nil { // a person may sign in meanwhile, which takes longer than a request
		if _, err := c.Bearer(ctx); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	r, err := c.Request(ctx, method, path, query, input)
	if err != nil {
		return err
	}
	return c.Receive(r, out)
}

// Receive sends a request and decodes the response into out unless that is nil.
func (c *Client) Receive(r *http.Request, out any) error {
	r.Header.Set("Accept", "application/json")
	response, err := c.Send(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(response.Body, answerMost+1))
	switch {
	case err != nil:
		return c.Away(r.Context(), err)
	case len(raw) > answerMost:
		return errs.Newf(errs.Unavailable, "La réponse de %s dépasse %d Mo.", c.Base, answerMost>>20)
	case out == nil || response.StatusCode == http.StatusNoContent || len(raw) == 0 && response.StatusCode == http.StatusAccepted:
		return nil
	}
	if err := json.Unmarshal(raw, out); err != nil {
		return c.foreign(response, raw)
	}
	return nil
}

// Request returns a request of the API, with in as JSON unless it is nil.
func (c *Client) Request(ctx context.Context, method, path string, query url.Values, input any) (*http.Request, error) {
	return c.RequestTo(ctx, method, transport.Prefix+path, query, input)
}

// RequestTo returns a request of any route, with in as JSON unless it is nil.
func (c *Client) RequestTo(ctx context.Context, method, path string, query url.Values, input any) (*http.Request, error) {
	var body io.Reader = http.NoBody
	if input != nil {
		raw, err := json.Marshal(input)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(raw)
	}
	address := c.Base + path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	r, err := http.NewRequestWithContext(ctx, method, address, body)
	if err == nil && input != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	return r, err
}

// Send sends a request with the token. A response with another status than 2xx is an error.
func (c *Client) Send(r *http.Request) (*http.Response, error) {
	if c.Bearer != nil {
		token, err := c.Bearer(r.Context())
		if err != nil {
			return nil, err
		}
		r.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := c.HTTP.Do(r) //nolint:gosec // the operator names the server
	if err != nil {
		return nil, c.Away(r.Context(), err)
	}
	if response.StatusCode < 300 {
		return response, nil
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(response.Body, answerMost))
	if err != nil {
		return nil, c.Away(r.Context(), err)
	}
	return nil, c.refused(response, raw)
}

// Bytes returns the file that a route of the API responds with.
func (c *Client) Bytes(ctx context.Context, path string, query url.Values) ([]byte, error) {
	r, err := c.Request(ctx, http.MethodGet, path, query, nil)
	if err != nil {
		return nil, err
	}
	response, err := c.Send(r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	all, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, c.Away(ctx, err)
	}
	return all, nil
}

// At returns the API at an address, without a token. It follows no redirect, which could take the token elsewhere. next
// sends requests; nil: the default.
func At(address string, next http.RoundTripper) *Client {
	return &Client{Base: address, HTTP: &http.Client{Transport: agent{next}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// agent names this program and this machine to servers, which show them in the list of sessions.
type agent struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (g agent) RoundTrip(r *http.Request) (*http.Response, error) {
	r.Header.Set("User-Agent", fmt.Sprintf("ingest/%s (%s)", version.Read().Version, HostName()))
	return cmp.Or[http.RoundTripper](g.next, http.DefaultTransport).RoundTrip(r)
}

// HostName returns the name of this machine, as far as it may stand in a header.
func HostName() string {
	name, err := os.Hostname()
	if err != nil || name == "" || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r > '~' || r == '(' || r == ')' }) {
		return "machine sans nom"
	}
	return name
}

// pageMost is the largest page of a list that the API gives.
const pageMost = 200

// numberedMost is the largest numbered page that every such list of the API gives.
const numberedMost = 100

// ListAll returns every item of a list of the API.
func ListAll[T any](ctx context.Context, c *Client, path string, query url.Values) ([]T, error) {
	all, _, err := ListUpTo[T](ctx, c, path, query, math.MaxInt)
	return all, err
}

// ListUpTo returns the first items of a list of the API, at most most, and whether there may be more.
func ListUpTo[T any](ctx context.Context, c *Client, path string, query url.Values, most int) (all []T, more bool, err error) {
	q := url.Values{}
	maps.Copy(q, query)
	for all = []T{}; len(all) < most; {
		var page struct {
			Items []T     `json:"items"`
			Next  *string `json:"next_before"`
		}
		q.Set("limit", strconv.Itoa(min(pageMost, most-len(all))))
		if err := c.Call(ctx, http.MethodGet, path, q, nil, &page); err != nil {
			return nil, false, err
		}
		all = append(all, page.Items...)
		if page.Next == nil {
			return all, false, nil
		}
		q.Set("before", *page.Next)
	}
	return all[:min(len(all), most)], true, nil // items of one moment come together
}

// Numbered returns the first items of a list of the API that has numbered pages, at most most, and the number of all.
func Numbered[T any](ctx context.Context, c *Client, path string, query url.Values, most int) (all []T, total int, err error) {
	size := min(numberedMost, most)
	for all = []T{}; len(all) < most; {
		var page struct {
			Items []T `json:"items"`
			Total int `json:"total"`
		}
		q := url.Values{}
		maps.Copy(q, query)
		q.Set("page", strconv.Itoa(len(all)/size+1))
		q.Set("page_size", strconv.Itoa(size))
		if err := c.Call(ctx, http.MethodGet, path, q, nil, &page); err != nil {
			return nil, 0, err
		}
		all, total = append(all, page.Items...), page.Total
		if len(page.Items) < size {
			break
		}
	}
	return all[:min(len(all), most)], total, nil
}

// Whole returns a list of the API that comes whole.
func Whole[T any](ctx context.Context, c *Client, path string) ([]T, error) {
	var list struct {
		Items []T `json:"items"`
	}
	err := c.Call(ctx, http.MethodGet, path, nil, nil, &list)
	return list.Items, err
}

// FileOf returns the file with these bytes, nil if there is none.
func (c *Client) FileOf(ctx context.Context, sha string) (*gazettes.IngestionBody, error) {
	list, err := ListAll[gazettes.IngestionBody](ctx, c, "/admin/ingestions", url.Values{"sha256": {sha}})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

// refused returns the error that the API responded with.
func (c *Client) refused(response *http.Response, raw []byte) error {
	var body struct {
		Detail json.RawMessage `json:"detail"`
	}
	if json.Unmarshal(raw, &body) != nil || len(body.Detail) == 0 {
		return c.foreign(response, raw)
	}
	kind := kindOf(response.StatusCode)
	var said string
	var faults []struct {
		Loc []any  `json:"loc"`
		Msg string `json:"msg"`
	}
	switch {
	case json.Unmarshal(body.Detail, &said) == nil:
		said = terminal.Line(said)
	case json.Unmarshal(body.Detail, &faults) == nil && len(faults) > 0:
		lines := make([]string, len(faults))
		for i, f := range faults {
			lines[i] = terminal.Line(f.Msg)
			if len(f.Loc) > 1 { // behind « body », « query » or « path », perhaps within an object
				field := fmt.Sprint(f.Loc[1])
				if f.Loc[1] == "filters" {
					field = fmt.Sprint(f.Loc[len(f.Loc)-1])
				}
				if c.Name != nil {
					field = c.Name(field)
				}
				lines[i] = terminal.Line(fmt.Sprintf("%s : %s", field, f.Msg))
			}
		}
		kind, said = errs.Invalid, strings.Join(lines, "\n")
	default:
		return c.foreign(response, raw)
	}
	if said == transport.UnknownAddress || response.StatusCode == http.StatusMethodNotAllowed {
		return unknownAddress{errs.New(kind, said)}
	}
	if kind == errs.Internal && c.Fault != nil {
		return errors.New(strings.TrimSpace(c.Fault()))
	}
	return errs.New(kind, said)
}

// unknownAddress is the error of a server that does not have what a command asks for.
type unknownAddress struct{ error }

// Unwrap returns the error that has the kind.
func (u unknownAddress) Unwrap() error { return u.error }

// ExplainVersion returns err, or which of command and server is older if that is why a command cannot be served.
func (c *Client) ExplainVersion(ctx context.Context, err error) error {
	if !errors.As(err, new(unknownAddress)) {
		return err
	}
	var their struct {
		Info struct {
			Version string `json:"version"`
		} `json:"info"`
	}
	r, failed := c.RequestTo(ctx, http.MethodGet, "/openapi.json", nil, nil)
	if failed == nil {
		failed = c.Receive(r, &their)
	}
	if failed != nil {
		return err // it says what is wrong, if not why
	}
	switch older := compareVersions(their.Info.Version, httpapi.Version()); {
	case older < 0:
		return errs.Newf(errs.NotFound, "%s (API %s) est plus ancien que cette commande (API %s) et ne connaît pas encore ce qu’elle lui demande. "+
			"Ce qu’il connaît marche ; mettez-le à jour, ou prenez la commande de sa version.", c.Base, terminal.Line(their.Info.Version), httpapi.Version())
	case older > 0:
		return errs.Newf(errs.NotFound, "%s (API %s) est plus récent que cette commande (API %s) et n’a plus ce qu’elle lui demande. "+
			"Le reste marche ; mettez la commande à jour.", c.Base, terminal.Line(their.Info.Version), httpapi.Version())
	}
	return err
}

// compareVersions compares versions such as 1.10.0; what is no number counts as 0.
func compareVersions(a, b string) int {
	numbers := func(version string) (list []int) {
		for part := range strings.SplitSeq(version, ".") {
			n, _ := strconv.Atoi(part)
			list = append(list, n)
		}
		return list
	}
	return slices.Compare(numbers(a), numbers(b))
}

// kindOf returns the kind of error that has a status.
func kindOf(status int) errs.Kind {
	if status == http.StatusMethodNotAllowed {
		return errs.NotFound
	}
	for k := errs.Invalid; k < errs.Cancelled; k++ {
		if errs.Describe(k).Status == status {
			return k
		}
	}
	if status >= http.StatusInternalServerError && status != http.StatusInternalServerError {
		return errs.Unavailable
	}
	return errs.Internal
}

// foreign returns the error for a response that is not of the API, for instance of a proxy before it.
func (c *Client) foreign(response *http.Response, raw []byte) error {
	switch response.StatusCode {
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return errs.Newf(errs.Unavailable, "Le service derrière %s ne répond pas (%d).", c.Base, response.StatusCode)
	case http.StatusRequestEntityTooLarge:
		return Foreign{errs.Newf(errs.Unavailable, "Le serveur mandataire devant %s refuse un envoi de cette taille (413) : il doit laisser passer %d Mio "+
			"(client_max_body_size de nginx, par exemple ; voir les réglages que le service fournit).", c.Base, 2*partMost>>20)}
	}
	form, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	if form == "" {
		form = "sans type"
	}
	return Foreign{errs.Newf(errs.Unavailable, "Ce qui répond à %s n’est pas l’API de Vigueur (%d, %s) : « %s ». Un serveur mandataire répond peut-être à sa place ; vérifiez l’adresse.",
		c.Base, response.StatusCode, form, terminal.Cut(terminal.Line(string(raw)), 80))}
}

// Foreign is the error of a response that is not the API's, and would not be if the request were made again.
type Foreign struct{ error }

// Unwrap returns the error that has the kind.
func (f Foreign) Unwrap() error { return f.error }

// MayPass reports whether a request that failed may succeed later.
func MayPass(err error) bool { return errs.Is(err, errs.Unavailable) && !errors.As(err, new(Foreign)) }

// Away returns the error for a server that could not be asked, with what its user can do.
func (c *Client) Away(ctx context.Context, err error) error {
	var unknown x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	var other x509.HostnameError
	var record tls.RecordHeaderError
	var name *net.DNSError
	say := func(format string, args ...any) error {
		return errs.Wrap(errs.Unavailable, fmt.Sprintf(format, args...), err)
	}
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return ctx.Err()
	case ctx.Err() != nil:
		return say("%s ne répond pas à temps.", c.Base)
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return say("Le certificat de %s a expiré ou n’est pas encore valable. L’horloge de cette machine dit %s : si elle se trompe, corrigez-la.", c.Base, time.Now().Format(time.DateTime))
	case errors.As(err, &unknown):
		return say("Le certificat de %s n’est signé par aucune autorité que cette machine connaît. Ajoutez son autorité aux certificats du système (SSL_CERT_FILE en nomme d’autres).", c.Base)
	case errors.As(err, &other):
		return say("Le certificat de %s est celui d’une autre adresse.", c.Base)
	case errors.As(err, &invalid):
		return say("Le certificat de %s n’est pas valable.", c.Base)
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		return say("%s ne parle pas TLS. Vérifiez l’adresse et le port.", c.Base)
	case errors.As(err, &name):
		return say("Le nom de %s est introuvable. Vérifiez l’adresse et votre réseau.", c.Base)
	}
	return say("%s ne répond pas : %s.", c.Base, causeOf(err))
}

// causes are frequent causes in French.
var causes = []struct {
	of   error
	said string
}{
	{syscall.ECONNREFUSED, "la connexion est refusée"}, {syscall.EHOSTUNREACH, "aucune route n’y mène"}, {syscall.ENETUNREACH, "aucun réseau n’y mène"},
	{syscall.ECONNRESET, "la connexion a été coupée"}, {syscall.EPIPE, "la connexion a été coupée"}, {io.EOF, "la connexion a été coupée"},
	{io.ErrUnexpectedEOF, "la connexion a été coupée"}, {os.ErrDeadlineExceeded, "le délai est dépassé"},
}

// causeOf describes the cause of an error in French, or returns the text of the innermost error.
func causeOf(err error) string {
	for _, c := range causes {
		if errors.Is(err, c.of) {
			return c.said
		}
	}
	for next := errors.Unwrap(err); next != nil; next = errors.Unwrap(err) {
		err = next
	}
	return err.Error()
}
