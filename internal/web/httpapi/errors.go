package httpapi

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
	"vigueur/internal/web/oauth"
)

// retryAfter is the value of Retry-After while a store is down, in seconds.
const retryAfter = 5

// statusText are the messages for errors of Fiber and of this package, by status.
var statusText = map[int]string{
	fiber.StatusBadRequest:                   "La requête est illisible.",
	fiber.StatusNotFound:                     "Cette adresse n’existe pas.",
	fiber.StatusMethodNotAllowed:             "Cette méthode n’est pas admise à cette adresse.",
	fiber.StatusRequestTimeout:               "La requête n’est pas arrivée à temps.",
	fiber.StatusRequestEntityTooLarge:        "Le corps de la requête dépasse la taille admise (1 Mio).",
	fiber.StatusRequestedRangeNotSatisfiable: "La plage demandée est hors du fichier.",
	fiber.StatusRequestHeaderFieldsTooLarge:  "Les en-têtes de la requête sont trop longs.",
}

// respond writes err in the format of the contract. Nothing else writes errors.
func (s *Server) respond(c *fiber.Ctx, err error) {
	status, detail := describe(err)
	c.Response().ResetBody()
	switch status {
	case fiber.StatusUnauthorized:
		c.Set(fiber.HeaderWWWAuthenticate, "Bearer")
		if c.Path() == toolsRoute { // RFC 9728, 5.1: programs find out from it how to ask for authorization
			c.Set(fiber.HeaderWWWAuthenticate, `Bearer resource_metadata="`+s.base()+oauth.ResourceMetadata+`/mcp", scope="`+oauth.Scope+`"`)
		}
	case fiber.StatusServiceUnavailable:
		c.Set(fiber.HeaderRetryAfter, strconv.Itoa(retryAfter))
	}
	var busy *retryLater
	if errors.As(err, &busy) {
		c.Set(fiber.HeaderRetryAfter, seconds(busy.after))
	}
	var refused *ratelimit.Refused
	if errors.As(err, &refused) {
		setQuota(c, refused.Quota)
		c.Set(fiber.HeaderRetryAfter, seconds(refused.Quota.Reset))
	}
	reply := map[string]any{"detail": detail}
	var known *knownFile
	if errors.As(err, &known) {
		reply["document_id"] = known.document
	}
	body, failed := json.Marshal(reply)
	switch {
	case strings.HasPrefix(c.Path(), completionsPrefix):
		body, failed = json.Marshal(asCompletionError(status, detail))
	case strings.HasPrefix(c.Path(), oauthPrefix):
		body, failed = json.Marshal(asGrantError(status, err, detail))
	}
	if failed != nil { // cannot happen: faults contain only strings and JSON that was parsed before
		status, body = fiber.StatusInternalServerError, []byte(`{"detail":"Une erreur interne est survenue."}`)
	}
	c.Set(fiber.HeaderContentType, fiber.MIMEApplicationJSON)
	c.Status(status).Response().SetBody(body)
	if e := eventOf(c); e != nil && e.page {
		errorPage(c, detail, s.Now())
	}
}

// describe returns the status and the detail of err.
func describe(err error) (status int, detail any) {
	var f faults
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
	var f faults
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

// setQuota writes the headers of a limited route.
func setQuota(c *fiber.Ctx, q ratelimit.Quota) {
	c.Set("RateLimit-Limit", strconv.Itoa(q.Limit))
	c.Set("RateLimit-Remaining", strconv.Itoa(q.Remaining))
	c.Set("RateLimit-Reset", seconds(q.Reset))
}

// seconds formats a duration in whole seconds, rounded up, at least one.
func seconds(d time.Duration) string {
	return strconv.Itoa(max(1, int(math.Ceil(d.Seconds()))))
}
