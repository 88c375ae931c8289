package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/terminal"
	"vigueur/internal/ops/config"
	"vigueur/internal/store/postgres"
	"vigueur/internal/web/httpapi"
	"vigueur/internal/web/httpapi/admin"
	"vigueur/internal/web/httpapi/transport"
	"vigueur/internal/work/queue"
)

// server is the API that commands call: that of the profile in use, or one within this process for the
// operator of the machine, whose every request is admitted.
type server struct {
	base string // without a slash at the end
	http *http.Client
	// bearer returns the token for a request. Within this process none is needed, and it is nil.
	bearer func(ctx context.Context) (string, error)
	// ready returns why workers would not hear of new work, nil for another machine.
	ready func(ctx context.Context) error
	// of is the command that runs: messages name fields by its options, unless plain is set.
	of    *declaration
	plain bool
	// atOnce is how many files are sent at once, and patience how long a file waits for a line that was cut off.
	atOnce   int
	patience time.Duration
	// fault returns what this process logged of its last failure, nil for another machine.
	fault func() string
}

// answerMost is the maximum size of a response that is not a file, in bytes.
const answerMost = 64 << 20

// withServer calls f with the API of the profile in use or, without one, of this machine.
func (a *app) withServer(ctx context.Context, f func(s *server) error) error {
	return a.within(ctx, f, func(*httpapi.Server, config.Ingest) (postgres.User, error) { return postgres.User{}, nil })
}

// within calls f with the API of the profile in use or, without one, of this machine. There, add completes the server
// and returns the account that asks.
func (a *app) within(ctx context.Context, f func(s *server) error, add func(api *httpapi.Server, c config.Ingest) (postgres.User, error)) error {
	p, err := a.profile()
	if err != nil {
		return err
	}
	if p != nil {
		s, err := a.remote(p)
		if err != nil {
			return err
		}
		return s.explainVersion(ctx, f(s))
	}
	return a.withDB(ctx, func(db *postgres.DB) (err error) {
		settings, err := a.settings()
		if err != nil {
			return err
		}
		files, err := openFiles(settings)
		if err != nil {
			return err
		}
		jobs, err := queue.NewClient(settings.RedisURL)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, jobs.Close()) }()
		var lines bytes.Buffer
		api := &httpapi.Server{DB: db, Queue: &hints{Client: jobs}, Workers: jobs.Workers, Blobs: files, Now: time.Now, Milvus: settings.MilvusURL != "", Meili: settings.MeiliURL != "",
			Log: slog.New(slog.NewTextHandler(&lines, &slog.HandlerOptions{Level: slog.LevelError}))}
		as, err := add(api, settings)
		if err != nil {
			return err
		}
		dial, stop, err := api.ServeOperator(as)
		if err != nil {
			return err
		}
		client := &http.Client{Transport: &http.Transport{DialContext: dial}}
		defer func() {
			client.CloseIdleConnections()
			err = errors.Join(err, stop())
		}()
		return f(&server{of: a.running, base: "http://operator.invalid", http: client, fault: lines.String, ready: jobs.Ping})
	})
}

// hints gives up after the first hint that cannot be given: the workers' sweep finds the rows of all.
type hints struct {
	*queue.Client
	look sync.Once
	err  error
}

// Enqueue implements httpapi.Queue.
func (h *hints) Enqueue(ctx context.Context, kind queue.Kind, id uuid.UUID) error {
	h.look.Do(func() {
		ctx, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		h.err = h.Ping(ctx)
	})
	if h.err != nil {
		return h.err
	}
	return h.Client.Enqueue(ctx, kind, id)
}

// call sends a request of the API, with in as JSON unless it is nil, and decodes the response into out
// unless that is nil. A refusal is an error of its kind with the sentence of the API.
func (s *server) call(ctx context.Context, method, path string, query url.Values, in, out any) error {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	r, err := s.request(ctx, method, path, query, in)
	if err != nil {
		return err
	}
	return s.receive(r, out)
}

// receive sends a request and decodes the response into out unless that is nil.
func (s *server) receive(r *http.Request, out any) error {
	r.Header.Set("Accept", "application/json")
	response, err := s.send(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(response.Body, answerMost+1))
	switch {
	case err != nil:
		return s.away(r.Context(), err)
	case len(raw) > answerMost:
		return errs.Newf(errs.Unavailable, "La réponse de %s dépasse %d Mo.", s.base, answerMost>>20)
	case out == nil || response.StatusCode == http.StatusNoContent || len(raw) == 0 && response.StatusCode == http.StatusAccepted:
		return nil
	}
	if err := json.Unmarshal(raw, out); err != nil {
		return s.foreign(response, raw)
	}
	return nil
}

// request returns a request of the API, with in as JSON unless it is nil.
func (s *server) request(ctx context.Context, method, path string, query url.Values, in any) (*http.Request, error) {
	return s.requestTo(ctx, method, transport.Prefix+path, query, in)
}

// requestTo returns a request of any route, with in as JSON unless it is nil.
func (s *server) requestTo(ctx context.Context, method, path string, query url.Values, in any) (*http.Request, error) {
	var body io.Reader = http.NoBody
	if in != nil {
		raw, err := json.Marshal(in)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(raw)
	}
	address := s.base + path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	r, err := http.NewRequestWithContext(ctx, method, address, body)
	if err == nil && in != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	return r, err
}

// send sends a request with the token. A response with another status than 2xx is an error.
func (s *server) send(r *http.Request) (*http.Response, error) {
	if s.bearer != nil {
		token, err := s.bearer(r.Context())
		if err != nil {
			return nil, err
		}
		r.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := s.http.Do(r)
	if err != nil {
		return nil, s.away(r.Context(), err)
	}
	if response.StatusCode < 300 {
		return response, nil
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(response.Body, answerMost))
	if err != nil {
		return nil, s.away(r.Context(), err)
	}
	return nil, s.refused(response, raw)
}

// bytes returns the file that a route of the API responds with.
func (s *server) bytes(ctx context.Context, path string, query url.Values) ([]byte, error) {
	r, err := s.request(ctx, http.MethodGet, path, query, nil)
	if err != nil {
		return nil, err
	}
	response, err := s.send(r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	all, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, s.away(ctx, err)
	}
	return all, nil
}

// silence is how long a stream may be silent. The server sends a comment every transport.KeepAlive, so that a line that
// was cut off without a word is noticed.
const silence = 4 * transport.KeepAlive

// callTime is how long a request that is no file and no stream may take.
const callTime = 2 * time.Minute

// event is an event of a stream.
type event struct {
	id, kind string
	data     []byte
}

// events sends a request and calls f with each event of the stream until f returns an error or the stream ends.
// begun is called with the headers of the response; it may be nil.
func (s *server) events(ctx context.Context, r *http.Request, begun func(http.Header), f func(e event) error) error {
	silent, cancel := context.WithCancel(ctx)
	defer cancel()
	r = r.WithContext(silent)
	r.Header.Set("Accept", "text/event-stream")
	response, err := s.send(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	alarm := time.AfterFunc(silence, cancel)
	defer alarm.Stop()
	if begun != nil {
		begun(response.Header)
	}
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, answerMost)
	var e event
	for lines.Scan() {
		alarm.Reset(silence)
		name, value, _ := strings.Cut(lines.Text(), ": ")
		switch name {
		case "id":
			e.id = value
		case "event":
			e.kind = value
		case "data":
			e.data = []byte(value)
			if err := f(e); err != nil {
				return err
			}
		}
	}
	if ctx.Err() == nil && silent.Err() != nil {
		return errs.Newf(errs.Unavailable, "Plus rien ne vient de %s.", s.base)
	}
	return s.away(ctx, cmp.Or(lines.Err(), io.ErrUnexpectedEOF))
}

// refused returns the error that the API responded with.
func (s *server) refused(response *http.Response, raw []byte) error {
	var body struct {
		Detail json.RawMessage `json:"detail"`
	}
	if json.Unmarshal(raw, &body) != nil || len(body.Detail) == 0 {
		return s.foreign(response, raw)
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
				if !s.plain {
					field = s.of.optionOf(field)
				}
				lines[i] = fmt.Sprintf("%s : %s", field, f.Msg)
			}
		}
		kind, said = errs.Invalid, strings.Join(lines, "\n")
	default:
		return s.foreign(response, raw)
	}
	if said == transport.UnknownAddress || response.StatusCode == http.StatusMethodNotAllowed {
		return unknownAddress{errs.New(kind, said)}
	}
	if kind == errs.Internal && s.fault != nil {
		return errors.New(strings.TrimSpace(s.fault()))
	}
	return errs.New(kind, said)
}

// unknownAddress is the error of a server that does not have what a command asks for.
type unknownAddress struct{ error }

// Unwrap returns the error that has the kind.
func (u unknownAddress) Unwrap() error { return u.error }

// explainVersion returns err, or which of command and server is older if that is why a command cannot be served.
func (s *server) explainVersion(ctx context.Context, err error) error {
	if !errors.As(err, new(unknownAddress)) {
		return err
	}
	var their struct {
		Info struct {
			Version string `json:"version"`
		} `json:"info"`
	}
	r, failed := s.requestTo(ctx, http.MethodGet, "/openapi.json", nil, nil)
	if failed == nil {
		failed = s.receive(r, &their)
	}
	if failed != nil {
		return err // it says what is wrong, if not why
	}
	switch older := compareVersions(their.Info.Version, httpapi.Version()); {
	case older < 0:
		return errs.Newf(errs.NotFound, "%s (API %s) est plus ancien que cette commande (API %s) et ne connaît pas encore ce qu’elle lui demande. "+
			"Ce qu’il connaît marche ; mettez-le à jour, ou prenez la commande de sa version.", s.base, terminal.Line(their.Info.Version), httpapi.Version())
	case older > 0:
		return errs.Newf(errs.NotFound, "%s (API %s) est plus récent que cette commande (API %s) et n’a plus ce qu’elle lui demande. "+
			"Le reste marche ; mettez la commande à jour.", s.base, terminal.Line(their.Info.Version), httpapi.Version())
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
func (s *server) foreign(response *http.Response, raw []byte) error {
	form, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	if form == "" {
		form = "sans type"
	}
	return errs.Newf(errs.Unavailable, "Ce qui répond à %s n’est pas l’API de Vigueur (%d, %s) : « %s ». Un serveur mandataire répond peut-être à sa place ; vérifiez l’adresse.",
		s.base, response.StatusCode, form, terminal.Cut(terminal.Line(string(raw)), 80))
}

// pageMost is the largest page of a list that the API gives.
const pageMost = 200

// numberedMost is the largest numbered page that every such list of the API gives.
const numberedMost = 100

// listAll returns every item of a list of the API.
func listAll[T any](ctx context.Context, s *server, path string, query url.Values) ([]T, error) {
	all, _, err := listUpTo[T](ctx, s, path, query, math.MaxInt)
	return all, err
}

// listUpTo returns the first items of a list of the API, at most most, and whether there may be more.
func listUpTo[T any](ctx context.Context, s *server, path string, query url.Values, most int) (all []T, more bool, err error) {
	q := url.Values{}
	maps.Copy(q, query)
	for all = []T{}; len(all) < most; {
		var page struct {
			Items []T     `json:"items"`
			Next  *string `json:"next_before"`
		}
		q.Set("limit", strconv.Itoa(min(pageMost, most-len(all))))
		if err := s.call(ctx, http.MethodGet, path, q, nil, &page); err != nil {
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

// numbered returns the first items of a list of the API that has numbered pages, at most most, and the number of all.
func numbered[T any](ctx context.Context, s *server, path string, query url.Values, most int) (all []T, total int, err error) {
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
		if err := s.call(ctx, http.MethodGet, path, q, nil, &page); err != nil {
			return nil, 0, err
		}
		all, total = append(all, page.Items...), page.Total
		if len(page.Items) < size {
			break
		}
	}
	return all[:min(len(all), most)], total, nil
}

// idle reports whether no process reads a queue. It returns false if this is unknown.
func (s *server) idle(ctx context.Context, kind queue.Kind) bool {
	var list struct {
		Items []admin.QueueBody `json:"items"`
	}
	if s.call(ctx, http.MethodGet, "/admin/queues", nil, nil, &list) != nil {
		return false
	}
	return slices.ContainsFunc(list.Items, func(q admin.QueueBody) bool { return q.Name == kind.Queue && q.Workers != nil && *q.Workers == 0 })
}

// find returns the only existing id with the typed prefix. A complete id is returned
// unchanged, whether or not its row exists.
func (s *server) find(ctx context.Context, t thing, word string) (uuid.UUID, error) {
	id, err := typedID(t, word)
	if err != nil || id.from == id.to {
		return id.from, err
	}
	found, err := s.ids(ctx, t, "", id.digits)
	if err != nil {
		return uuid.Nil, err
	}
	return id.one(found)
}

// ids returns the objects of a kind, or of a subset of them, whose ids begin with some digits.
func (s *server) ids(ctx context.Context, t thing, which, digits string) ([]postgres.Label, error) {
	query := url.Values{"of": {t.kind}, "prefix": {digits}}
	if which != "" {
		query.Set("which", which)
	}
	var found struct {
		Items []postgres.Label `json:"items"`
	}
	err := s.call(ctx, http.MethodGet, "/admin/ids", query, nil, &found)
	return found.Items, err
}
