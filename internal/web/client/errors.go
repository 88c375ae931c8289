package client

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/terminal"
	"vigueur/internal/web/httpapi"
	"vigueur/internal/web/httpapi/transport"
)

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
	case json.Unmarshal(body.Detail, &faults) == nil && len(faults) > 0:
		lines := make([]string, len(faults))
		for i, f := range faults {
			lines[i] = f.Msg
			if len(f.Loc) > 1 { // behind « body », « query » or « path », perhaps within an object
				field := fmt.Sprint(f.Loc[1])
				if f.Loc[1] == "filters" {
					field = fmt.Sprint(f.Loc[len(f.Loc)-1])
				}
				if c.Name != nil {
					field = c.Name(field)
				}
				lines[i] = fmt.Sprintf("%s : %s", field, f.Msg)
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
