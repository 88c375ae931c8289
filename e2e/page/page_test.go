package page

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"vigueur/e2e/browser"
	"vigueur/e2e/stage"
)

// Accounts beside the stage's own, which may only read.
const (
	editor = "editrice@exemple.org"
	admin  = "admin@exemple.org"
)

// signupDomain is that of addresses that may open accounts at the service that answers at once.
const signupDomain = "inscrits.example"

// world is what the tests share: a browser, and two services with the sample, one
// of which writes its answers slowly, by a model. Each has one visit at a time: what
// waits for an answer leaves the processor to a visit of the other.
var world struct {
	sync.Mutex  // of what is made when the first visit needs it
	chrome      *browser.Browser
	base        *stage.Stage
	quick, slow place
}

// place is a service, or none yet, and who is there.
type place struct {
	visited sync.Mutex
	*service
}

// service is a stage with its processes.
type service struct {
	*stage.Stage
	api, worker *stage.Process
}

// slowly is how the model writes: an answer takes it about six seconds, and longer where a test holds it.
var slowly = stage.Pace{First: 200 * time.Millisecond, Each: 20 * time.Millisecond, Tokens: 300}

// midway is a token before which tests hold the model: enough has been written by then for the page to show.
const midway = 100

func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "100"); err != nil { // who waits for a place must not keep another from a free one
		panic(err) // the flag is go test's own
	}
	code := m.Run()
	for _, s := range []*service{world.quick.service, world.slow.service, {Stage: world.base}} {
		if s == nil || s.Stage == nil {
			continue
		}
		if err := s.Close(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	if world.chrome != nil {
		if err := world.chrome.Close(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

// guestQuestions is how many questions may be asked without an account.
const guestQuestions = 12

// visit is a person at the page.
type visit struct {
	*browser.Tab
	t       *testing.T
	service *service
}

// atPage opens a tab at the service that answers at once, by quotations.
func atPage(t *testing.T) *visit {
	t.Helper()
	return world.quick.visit(t, func(s *stage.Stage) {
		s.Set("VIGUEUR_SIGNUP_DOMAINS", signupDomain)
		s.Set("VIGUEUR_PUBLIC_CATALOGUE", "true")
		s.Set("VIGUEUR_GUEST_QUESTIONS", strconv.Itoa(guestQuestions))
	})
}

// atSlowPage opens a tab at the service whose answers take their time.
func atSlowPage(t *testing.T) *visit {
	t.Helper()
	return world.slow.visit(t, func(s *stage.Stage) {
		s.Model(slowly)
		s.Set("VIGUEUR_PUBLIC_CATALOGUE", "true") // guests read, and ask nothing
	})
}

// visit opens a tab at a place when nobody else is there, beside tests of the other one.
func (p *place) visit(t *testing.T, change func(*stage.Stage)) *visit {
	t.Helper()
	t.Parallel()
	p.visited.Lock()
	t.Cleanup(p.visited.Unlock)
	if p.service == nil {
		p.service = serve(t, change)
	}
	return visitOf(t, p.service)
}

// prepare makes what every service needs, or skips.
func prepare(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(stage.Root(), "api", "web", "dist", "index.html")); err != nil {
		t.Skip("the programs were built without the page: npm or the package registry could not be had")
	}
	ctx := context.WithoutCancel(t.Context())
	var err error
	if world.chrome == nil {
		if world.chrome, err = browser.Open(ctx); errors.Is(err, browser.ErrAbsent) {
			t.Skip(err)
		}
		must(t, err)
	}
	if world.base == nil {
		s, err := stage.Open(ctx)
		if errors.Is(err, stage.ErrAbsent) {
			t.Skip(err)
		}
		must(t, err)
		world.base = s
		s.Set("VIGUEUR_SENTENCES", "false")
		must(t, s.AddUser(ctx, editor, "editor"), s.AddUser(ctx, admin, "admin"), s.IngestSample(ctx))
	}
}

// serve starts a service with the sample.
func serve(t *testing.T, change func(*stage.Stage)) *service {
	t.Helper()
	world.Lock()
	defer world.Unlock()
	prepare(t)
	ctx := context.WithoutCancel(t.Context())
	copied, err := world.base.Copy(ctx)
	must(t, err)
	s := &service{Stage: copied}
	s.Set("VIGUEUR_WORKER_POLL", "25ms") // at the default an idle worker takes a twentieth of a core
	s.Set("VIGUEUR_SENTENCES", "false")  // nor do vectors change the order of answers while the tests run
	if change != nil {
		change(s.Stage)
	}
	s.worker, err = s.Worker(ctx, nil)
	must(t, err)
	s.api, err = s.API(ctx)
	must(t, err)
	return s
}

// slower has what the page says in passing, and what can be undone for a while, last ten
// times as long: on a busy machine a test may come seconds later than a person would.
const slower = `(() => { const real = window.setTimeout; window.setTimeout = (f, ms, ...a) => real(f, ms >= 5000 && ms <= 6000 ? 10 * ms : ms, ...a) })()`

func visitOf(t *testing.T, s *service) *visit {
	t.Helper()
	tab, err := world.chrome.Tab(s.api.URL)
	must(t, err)
	v := &visit{Tab: tab, t: t, service: s}
	must(t, v.Before(slower))
	must(t, v.Dark(false)) // and nothing moves: sixty pictures a second of a waiting line take half a core
	t.Cleanup(func() {
		if t.Failed() {
			if shown, err := browser.Eval[string](tab, `location.href + "\n" + document.body.innerText`); err == nil {
				t.Logf("the page shows: %s\nfaults: %q", shown, tab.Faults())
			}
		}
		tab.Close()
	})
	return v
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// blameless fails when the tab did what a page must not.
func (v *visit) blameless(expected ...string) {
	v.t.Helper()
	for _, fault := range v.Faults(expected...) {
		v.t.Errorf("the page: %s", fault)
	}
}

// signIn signs the tab's person in at an address.
func (v *visit) signIn(path, email string) {
	v.t.Helper()
	_, password := v.service.Account()
	must(v.t, v.Open(path), v.Type(`input[name=email]`, email), v.Type(`input[name=password]`, password), v.Key("\r"),
		v.Await(`document.querySelector(".top nav button") && !document.querySelector("form [href='/mot-de-passe']")`))
}

// quote is a string as an expression has it.
func quote(s string) string {
	data, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string has a spelling
	}
	return string(data)
}

func (v *visit) reader() string {
	email, _ := v.service.Account()
	return email
}

// ask asks a question, and waits until its answer has begun to be made.
func (v *visit) ask(question string) {
	v.t.Helper()
	n, err := browser.Eval[int](v.Tab, `document.querySelectorAll(".answer").length`)
	must(v.t, err, v.Type("#question", question), v.Key("\r"),
		v.Await(fmt.Sprintf(`document.querySelectorAll(".answer").length > %d && %s.dataset.message !== ""`, n, lastAnswer)))
}

const (
	lastAnswer = `[...document.querySelectorAll(".answer")].at(-1)`
	answered   = lastAnswer + `?.dataset.phase === "done"`
)
