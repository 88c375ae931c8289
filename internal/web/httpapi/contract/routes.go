// Package contract makes routes from typed handlers, and the OpenAPI document from the routes. A handler declares what
// it reads and returns as structs whose tags hold the limits (see form.Read); the route that is registered, the faults
// of a request (422) and the document all come from them.
package contract

import (
	"errors"
	"reflect"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi/form"
	"vigueur/internal/web/httpapi/transport"
)

// Handler handles a request of an account, or of anybody.
type Handler struct {
	Serve   func(c *fiber.Ctx, user postgres.User) error
	In, Out reflect.Type
	Signed  bool   // an account is required
	Role    string // that is required; "": any
	ETag    bool   // clients may revalidate the response
	Export  bool   // the response takes away much at once
}

// None is the input of a handler that reads nothing, and the output of one whose response has no body.
type None struct{}

// errWritten says that the handler has written the response.
var errWritten = errors.New("written")

// Written is what a handler returns that has written a response other than its output, or failed to.
func Written(err error) error {
	if err == nil {
		return errWritten
	}
	return err
}

// Sent is the output of a handler that has written the response itself.
type Sent struct{}

// ByID is the input of a handler that reads the id in the path.
type ByID struct {
	ID uuid.UUID `path:"id" doc:"Identifiant."`
}

// Do returns the handler that calls f with what it reads and responds with what it returns.
func Do[In, Out any](f func(c *fiber.Ctx, user postgres.User, input In) (Out, error)) Handler {
	return Handler{In: reflect.TypeFor[In](), Out: reflect.TypeFor[Out](), Serve: func(c *fiber.Ctx, user postgres.User) error {
		var input In
		if err := Read(c, &input); err != nil {
			return err
		}
		output, err := f(c, user, input)
		if err != nil {
			if errors.Is(err, errWritten) {
				return nil
			}
			return err
		}
		switch any(output).(type) {
		case Sent:
			return nil
		case None:
			if c.Response().StatusCode() == fiber.StatusOK {
				c.Status(fiber.StatusNoContent)
			}
			return nil // SendStatus would add a body
		}
		return c.JSON(output)
	}}
}

// Reading returns the handler that calls f, which reads its input itself, by Read or in another way.
func Reading[In, Out any](f func(c *fiber.Ctx, user postgres.User) (Out, error)) Handler {
	h := Do(func(c *fiber.Ctx, user postgres.User, _ None) (Out, error) { return f(c, user) })
	h.In = reflect.TypeFor[In]()
	return h
}

// Open returns the handler of a route for everybody.
func Open[In, Out any](f func(c *fiber.Ctx, input In) (Out, error)) Handler {
	return Do(func(c *fiber.Ctx, _ postgres.User, input In) (Out, error) { return f(c, input) })
}

// Exports says that a handler's response takes away much at once: an ended session does not get it.
func Exports(h Handler) Handler {
	h.Export = true
	return h
}

// Read fills an input from a request.
func Read(c *fiber.Ctx, input any) (err error) {
	var body []byte
	if form.HasBody(reflect.TypeOf(input).Elem()) {
		if body, err = transport.ReadJSON(c); err != nil {
			return err
		}
	}
	return form.Read(c, body, input)
}

// Routes registers routes and keeps what the document says of them.
type Routes struct {
	router      fiber.Router
	prefix, tag string
	all         *[]*Operation
}

// New returns an empty list of routes of an application.
func New(app fiber.Router) Routes { return Routes{router: app, all: &[]*Operation{}} }

// Below returns routes whose paths follow a prefix.
func (r Routes) Below(prefix string) Routes {
	r.prefix = prefix
	return r
}

// Tag returns routes that the document lists under a heading.
func (r Routes) Tag(heading string) Routes {
	r.tag = heading
	return r
}

// All returns the operations registered so far.
func (r Routes) All() []*Operation { return *r.all }

// Operation is a route with what the document says of it.
type Operation struct {
	Handler
	Method, Path, ID, Tag, Summary string
	statuses                       []int // of success; the first one is that of a response which sets none
	failures                       []int // statuses that its types do not tell
	scope                          string
	media, headers                 []string
	others                         map[int]any // the bodies of statuses of success that have one of their own
	events                         map[string]any
	refusal                        any
	special                        map[int]any
	form                           any
	formKind                       string // media type of the form
	pieces                         string // media type of a body that is read piece by piece
	loose                          bool   // the body may be missing
	guests                         bool   // the operator may open it to who has no account
}

// Get registers a route for reading. id names the operation in the document and in the clients made from it.
func (r Routes) Get(path, id, summary string, h Handler) *Operation {
	return r.add(fiber.MethodGet, path, id, summary, h)
}

// Post registers a route; see Get.
func (r Routes) Post(path, id, summary string, h Handler) *Operation {
	return r.add(fiber.MethodPost, path, id, summary, h)
}

// Patch registers a route; see Get.
func (r Routes) Patch(path, id, summary string, h Handler) *Operation {
	return r.add(fiber.MethodPatch, path, id, summary, h)
}

// Delete registers a route; see Get.
func (r Routes) Delete(path, id, summary string, h Handler) *Operation {
	return r.add(fiber.MethodDelete, path, id, summary, h)
}

func (r Routes) add(method, path, id, summary string, h Handler) *Operation {
	o := &Operation{Handler: h, Method: method, Path: r.prefix + path, ID: id, Tag: r.tag, Summary: summary, statuses: []int{fiber.StatusOK}}
	*r.all = append(*r.all, o)
	serve := func(c *fiber.Ctx) error {
		c.Status(o.statuses[0])
		return h.Serve(c, postgres.User{})
	}
	switch method {
	case fiber.MethodGet:
		r.router.Get(o.Path, serve) // and HEAD
	default:
		r.router.Add(method, o.Path, serve)
	}
	return o
}

// Gives sets the statuses of success other than 200, or 204 if there is no output.
func (o *Operation) Gives(statuses ...int) *Operation { o.statuses = statuses; return o }

// Fails adds statuses that the types do not tell, such as 404 or 409.
func (o *Operation) Fails(statuses ...int) *Operation {
	o.failures = append(o.failures, statuses...)
	return o
}

// Scope admits API keys that have a scope.
func (o *Operation) Scope(scope string) *Operation { o.scope = scope; return o }

// Media names the types of a response that the handler writes itself.
func (o *Operation) Media(kinds ...string) *Operation { o.media = kinds; return o }

// Headers names the headers of the response that clients use.
func (o *Operation) Headers(names ...string) *Operation { o.headers = names; return o }

// TakesForm says that the request may also be a form (multipart/form-data) with the fields of a value's type.
func (o *Operation) TakesForm(form any) *Operation {
	o.form, o.formKind = form, fiber.MIMEMultipartForm
	return o
}

// TakesQuery says that the request is a form (application/x-www-form-urlencoded) with the fields of a value's type.
func (o *Operation) TakesQuery(form any) *Operation {
	o.form, o.formKind = form, fiber.MIMEApplicationForm
	return o
}

// Optional says that the body may be missing.
func (o *Operation) Optional() *Operation { o.loose = true; return o }

// Guests says that the operator may open the route to who has no account.
func (o *Operation) Guests() *Operation { o.guests = true; return o }

// Also adds a status of success whose body has the type of a value.
func (o *Operation) Also(status int, body any) *Operation {
	o.statuses, o.others = append(o.statuses, status), map[int]any{status: body}
	return o
}

// Refuses sets the form of the errors: that of a value's type.
func (o *Operation) Refuses(body any) *Operation { o.refusal = body; return o }

// Events says that the response is a stream of events: by name, a value of the type of their data. Events without a name
// are listed under "".
func (o *Operation) Events(events map[string]any) *Operation { o.events = events; return o }

// FailsAs adds a status whose response has another form than that of other errors: that of a value.
func (o *Operation) FailsAs(status int, form any) *Operation {
	if o.special == nil {
		o.special = map[int]any{}
	}
	o.special[status] = form
	return o.Fails(status)
}

// Takes names the type of a body that the handler reads piece by piece.
func (o *Operation) Takes(kind string) *Operation { o.pieces = kind; return o }

// Scopes returns the routes that API keys may call, such as « GET /models », with the scope that each requires.
func Scopes(operations []*Operation) map[string]string {
	scopes := map[string]string{}
	for _, o := range operations {
		if o.scope != "" {
			scopes[o.Method+" "+strings.TrimPrefix(o.Path, transport.Prefix)] = o.scope
		}
	}
	return scopes
}
