package transport

import (
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/ratelimit"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/oauth"
)

// RetryAfter is the value of Retry-After while a store is down, in seconds.
const RetryAfter = 5

// UnknownAddress is the message of a request to an address that the service does not have.
const UnknownAddress = "Cette adresse n’existe pas."

// statusText are the messages for errors of Fiber and of this package, by status.
var statusText = map[int]string{
	fiber.StatusBadRequest:                   "La requête est illisible.",
	fiber.StatusNotFound:                     UnknownAddress,
	fiber.StatusMethodNotAllowed:             "Cette méthode n’est pas admise à cette adresse.",
	fiber.StatusPreconditionFailed:           "La version 1.0.0 du protocole tus est attendue (Tus-Resumable).",
	fiber.StatusRequestTimeout:               "La requête n’est pas arrivée à temps.",
	fiber.StatusRequestEntityTooLarge:        "Le corps de la requête dépasse la taille admise (1 Mio).",
	fiber.StatusRequestedRangeNotSatisfiable: "La plage demandée est hors du fichier.",
	fiber.StatusRequestHeaderFieldsTooLarge:  "Les en-têtes de la requête sont trop longs.",
}

// respond writes err in the format of the contract. Nothing else writes errors.
func (s *Transport) respond(c *fiber.Ctx, err error) {
	status, detail := Describe(err)
	if s.Plain && errs.Is(err, errs.Unavailable) {
		detail = errs.Public(err)
	}
	c.Response().ResetBody()
	switch status {
	case fiber.StatusUnauthorized:
		c.Set(fiber.HeaderWWWAuthenticate, "Bearer")
		if c.Path() == ToolsRoute { // RFC 9728, 5.1: programs find out from it how to ask for authorization
			c.Set(fiber.HeaderWWWAuthenticate, `Bearer resource_metadata="`+s.Base()+oauth.ResourceMetadata+`/mcp", scope="`+oauth.Scope+`"`)
		}
	case fiber.StatusServiceUnavailable:
		c.Set(fiber.HeaderRetryAfter, strconv.Itoa(RetryAfter))
	}
	var busy *retryLater
	if errors.As(err, &busy) {
		c.Set(fiber.HeaderRetryAfter, seconds(busy.after))
	}
	var refused *ratelimit.Refused
	if errors.As(err, &refused) {
		SetQuota(c, refused.Quota)
		c.Set(fiber.HeaderRetryAfter, seconds(refused.Quota.Reset))
	}
	reply := map[string]any{"detail": detail}
	var more *detailed
	if errors.As(err, &more) {
		reply[more.name] = more.value
	}
	body, failed := json.Marshal(reply)
	for _, one := range s.ErrorForms {
		if strings.HasPrefix(c.Path(), one.Prefix) {
			body, failed = json.Marshal(one.Encode(status, err, detail))
		}
	}
	if failed != nil { // cannot happen: faults contain only strings and JSON that was parsed before
		status, body = fiber.StatusInternalServerError, []byte(`{"detail":"Une erreur interne est survenue."}`)
	}
	c.Set(fiber.HeaderContentType, fiber.MIMEApplicationJSON)
	c.Status(status).Response().SetBody(body)
	if e := eventOf(c); e != nil && e.page != nil {
		e.page(detail)
	}
}

// ErrorForm is the form of errors at addresses with a prefix. Encode returns the value to be written
// as JSON; detail is the detail in the service's own form.
type ErrorForm struct {
	Prefix string
	Encode func(status int, err error, detail any) any
}

// detailed is an error with one more field in its response.
type detailed struct {
	error
	name  string
	value any
}

// Unwrap returns the error that has the kind.
func (d *detailed) Unwrap() error { return d.error }

// WithField returns err with one more field in its response.
func WithField(err error, name string, value any) error { return &detailed{err, name, value} }

// retryLater is an error with its own message and its own Retry-After.
type retryLater struct {
	after time.Duration
	cause error
}

// Error returns the text for logs.
func (r *retryLater) Error() string { return r.cause.Error() }

// Unwrap returns the cause, which has the kind of the error.
func (r *retryLater) Unwrap() error { return r.cause }

// errBusy returns an error of the kind Unavailable that asks the client to try again soon.
func errBusy(sentence string) error {
	return &retryLater{after: RetryAfter * time.Second, cause: errs.New(errs.Unavailable, sentence)}
}

// ErrLater returns err with a Retry-After of its own.
func ErrLater(err error, delay time.Duration) error { return &retryLater{after: delay, cause: err} }

// Describe returns the status and the detail of err.
func Describe(err error) (status int, detail any) {
	var f form.Faults
	if errors.As(err, &f) {
		return fiber.StatusUnprocessableEntity, f
	}
	var http *fiber.Error
	if errors.As(err, &http) {
		if text, known := statusText[http.Code]; known {
			return http.Code, text
		}
		return fiber.StatusBadRequest, statusText[fiber.StatusBadRequest]
	}
	var refused *oauth.Error
	if errors.As(err, &refused) {
		return fiber.StatusBadRequest, refused.Text
	}
	row := errs.Describe(kindOf(err))
	var busy *retryLater
	if errors.As(err, &busy) {
		return row.Status, errs.Public(busy.cause)
	}
	if row.Status >= fiber.StatusInternalServerError {
		return row.Status, row.Public // the text of the error itself is for operators
	}
	return row.Status, errs.Public(err)
}

// kindOf returns the kind of err; it also knows the errors of this package.
func kindOf(err error) errs.Kind {
	var f form.Faults
	var http *fiber.Error
	var refused *oauth.Error
	if errors.As(err, &f) || errors.As(err, &http) || errors.As(err, &refused) {
		return errs.Unprocessable
	}
	return errs.KindOf(err)
}

// kindName returns the name of the error's kind for the log.
func kindName(err error) string {
	var http *fiber.Error
	if errors.As(err, &http) {
		return "http_" + strconv.Itoa(http.Code)
	}
	return kindOf(err).String()
}

// SetQuota writes the headers of a limited route.
func SetQuota(c *fiber.Ctx, q ratelimit.Quota) {
	c.Set("RateLimit-Limit", strconv.Itoa(q.Limit))
	c.Set("RateLimit-Remaining", strconv.Itoa(q.Remaining))
	c.Set("RateLimit-Reset", seconds(q.Reset))
}

// seconds formats a duration in whole seconds, rounded up, at least one.
func seconds(d time.Duration) string {
	return strconv.Itoa(max(1, int(math.Ceil(d.Seconds()))))
}
