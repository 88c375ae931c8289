package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf16"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Tab is a tab of the browser.
type Tab struct {
	ctx   context.Context
	close func()
	base  string

	lost bool // something did not become so in time

	mu      sync.Mutex
	faults  []string
	loading map[network.RequestID]string // addresses
}

// Close closes the tab.
func (t *Tab) Close() { t.close() }

// hear notes what a page must not do: an error on its console, an exception, a
// request to anybody but the service.
func (t *Tab) hear(event any) {
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		said := e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			said += " " + e.ExceptionDetails.Exception.Description
		}
		t.note("exception: " + said)
	case *runtime.EventConsoleAPICalled:
		if e.Type == "error" || e.Type == "warning" || e.Type == "assert" {
			var said []string
			for _, a := range e.Args {
				said = append(said, string(a.Value)+a.Description)
			}
			t.note("console: " + strings.Join(said, " "))
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == "error" || e.Entry.Level == "warning" {
			t.note(fmt.Sprintf("%s: %s %s", e.Entry.Source, e.Entry.Text, e.Entry.URL))
		}
	case *network.EventLoadingFinished:
		t.setLoading(e.RequestID, "")
	case *network.EventLoadingFailed:
		t.setLoading(e.RequestID, "")
	case *network.EventRequestWillBeSent:
		if e.Type == "Document" {
			t.leave()
		}
		t.setLoading(e.RequestID, e.Request.URL)
		u, err := url.Parse(e.Request.URL)
		own, parsed := url.Parse(t.base)
		if err != nil || parsed != nil || (u.Scheme == "http" || u.Scheme == "https" || u.Scheme == "ws") && u.Host != own.Host {
			t.note("request to another host: " + e.Request.URL)
		}
	}
}

func (t *Tab) note(fault string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.faults = append(t.faults, fault)
}

func (t *Tab) setLoading(id network.RequestID, address string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if delete(t.loading, id); address != "" {
		t.loading[id] = address
	}
}

// leave forgets what the page that is left was loading: the browser tells no end of it.
func (t *Tab) leave() {
	t.mu.Lock()
	defer t.mu.Unlock()
	clear(t.loading)
}

// Loading is how many requests to addresses that contain some words are not answered to their end.
func (t *Tab) Loading(words string) (n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, address := range t.loading {
		if strings.Contains(address, words) {
			n++
		}
	}
	return n
}

// Faults are what the tab did that a page must not, but for what contains one of
// the expected words.
func (t *Tab) Faults(expected ...string) (faults []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, f := range t.faults {
		if !slices.ContainsFunc(expected, func(e string) bool { return strings.Contains(f, e) }) {
			faults = append(faults, f)
		}
	}
	return faults
}

// Open goes to an address of the service, and waits for its load.
func (t *Tab) Open(path string) error { return t.do(chromedp.Navigate(t.base + path)) }

// do runs actions within the time that one step may take.
func (t *Tab) do(steps ...chromedp.Action[chromedp.Void]) error {
	ctx, cancel := context.WithTimeout(t.ctx, patience)
	defer cancel()
	return chromedp.Do(ctx, steps...)
}

// Eval returns the value of an expression, the value of its promise if it is one.
func Eval[T any](t *Tab, expression string) (value T, err error) {
	ctx, cancel := context.WithTimeout(t.ctx, patience)
	defer cancel()
	said, err := chromedp.Run(ctx, chromedp.Evaluate[string](`Promise.resolve(`+expression+`).then((v) => JSON.stringify(v ?? null))`, chromedp.EvalAwaitPromise))
	if err != nil {
		return value, fmt.Errorf("browser: %s: %w", expression, err)
	}
	err = json.Unmarshal([]byte(said), &value)
	return value, err
}

// glance is how long a page looks by itself before it answers that something is not so.
const glance = 2 * time.Second

// glimpse is whether something is so, and why it cannot be told.
type glimpse struct {
	So    bool   `json:"so"`
	Fault string `json:"fault"`
}

// Await waits until an expression is true, over reloads too. The page itself looks
// again and again: asking it from outside each time takes the processor longer than
// what is looked for. After something that did not become so in time, the tab waits
// no more than a glance: what a test looks for next is not there either.
func (t *Tab) Await(expression string) error {
	looking := fmt.Sprintf(`new Promise((resolve) => {
		const until = performance.now() + %d
		const look = () => {
			let so = false, fault = ""
			try { so = !!(%s) } catch (e) { fault = String(e) }
			if (so || performance.now() > until) resolve({so, fault})
			else setTimeout(look, 40)
		}
		look()
	})`, glance.Milliseconds(), expression)
	wait := patience
	if t.lost {
		wait = glance
	}
	var last error
	for until, tick := time.Now().Add(wait), time.NewTicker(40*time.Millisecond); ; <-tick.C {
		looked, err := Eval[glimpse](t, looking)
		if err == nil && looked.So {
			tick.Stop()
			return nil
		}
		last = err
		if time.Now().After(until) || t.ctx.Err() != nil {
			tick.Stop()
			t.lost = true
			shown, err := Eval[string](t, `location.pathname + "\n" + document.body.innerText`)
			return errors.Join(fmt.Errorf("browser: waited %v in vain for %s %s; the page shows %s", wait, expression, looked.Fault, shown), last, err, t.ctx.Err())
		}
	}
}

// See waits until the page shows some words.
func (t *Tab) See(words string) error {
	return t.Await(`document.body.innerText.replace(/[\s\u202f\u00a0]+/g, " ").includes(` + quote(words) + `)`)
}

// Has waits until there is an element.
func (t *Tab) Has(selector string) error {
	return t.Await(`document.querySelector(` + quote(selector) + `)`)
}

func quote(s string) string {
	data, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string has a spelling
	}
	return string(data)
}

// Click waits for an element and clicks it, as a mouse does, in its middle.
func (t *Tab) Click(selector string) error {
	return t.ClickOn(`document.querySelector(` + quote(selector) + `)`)
}

// Press waits for a button or link with a text or name and clicks it.
func (t *Tab) Press(name string) error { return t.ClickOn(Named(name)) }

// Named is an expression: the button or link with a text or name, in the dialog that is open if one is.
func Named(name string) string {
	return `[...([...document.querySelectorAll("dialog:modal")].at(-1) ?? document).querySelectorAll("button,a,summary,[role=tab]")].find((e) => (e.textContent.trim() === ` + quote(name) +
		` || e.getAttribute("aria-label") === ` + quote(name) + `) && e.checkVisibility() && !e.disabled)`
}

// ClickOn waits for the element that an expression gives and clicks it.
func (t *Tab) ClickOn(element string) error {
	if err := t.Await(element); err != nil {
		return err
	}
	_, err := Eval[any](t, `(() => { const e = `+element+`; e.scrollIntoView({block: "nearest"}); e.focus(); e.click() })()`)
	return err
}

// Type waits for a field, puts the focus into it and types.
func (t *Tab) Type(selector, text string) error {
	if err := t.Has(selector); err != nil {
		return err
	}
	if _, err := Eval[any](t, `(() => { const e = document.querySelector(`+quote(selector)+`); e.focus(); e.select?.() })()`); err != nil {
		return err
	}
	return t.Write(text)
}

// Write types into whatever has the focus.
func (t *Tab) Write(text string) error {
	return t.do(call(input.InsertText, input.InsertTextParams{Text: text}))
}

// Compose types as the keyboard of a telephone does, which leaves the words open to be changed.
func (t *Tab) Compose(text string) error {
	end := int64(len(utf16.Encode([]rune(text))))
	return t.do(call(input.ImeSetComposition, input.ImeSetCompositionParams{Text: text, SelectionStart: end, SelectionEnd: end}))
}

// Choose waits for a list of choices and takes the one with a value.
func (t *Tab) Choose(selector, value string) error {
	if err := t.Has(selector); err != nil {
		return err
	}
	_, err := Eval[any](t, `(() => { const e = document.querySelector(`+quote(selector)+`); e.value = `+quote(value)+
		`; e.dispatchEvent(new Event("change", {bubbles: true})) })()`)
	return err
}

// Fill waits for the field that an expression gives and gives it a value, as a person
// does with a calendar: what is typed into a date depends on the browser's language.
func (t *Tab) Fill(field, value string) error {
	if err := t.Await(field); err != nil {
		return err
	}
	_, err := Eval[any](t, `(() => { const e = `+field+`; e.focus(); e.value = `+quote(value)+
		`; for (const kind of ["input", "change"]) e.dispatchEvent(new Event(kind, {bubbles: true})) })()`)
	return err
}

// Key presses keys, one after the other; see chromedp's kb for those that have no letter.
// A key and its letter are one event, as with a keyboard: where the page has taken the
// key for something else, or has put the focus elsewhere, chromedp's own letter, which
// is an event by itself, would still be typed.
func (t *Tab) Key(keys string) error {
	for _, r := range keys {
		events := kb.Encode(r)
		down, up := *events[0], *events[len(events)-1]
		if len(events) > 2 {
			down.Text, down.UnmodifiedText = events[1].Text, events[1].UnmodifiedText
		}
		if err := t.do(call(input.DispatchKeyEvent, down), call(input.DispatchKeyEvent, up)); err != nil {
			return err
		}
	}
	return nil
}

// Upload puts files into a field.
func (t *Tab) Upload(selector string, paths ...string) error {
	return t.do(chromedp.SetUploadFiles(chromedp.CSS(selector), paths))
}

// Reload loads the page anew.
func (t *Tab) Reload() error { return t.do(chromedp.Reload()) }

// Size sets the width and height of the window, in CSS pixels.
func (t *Tab) Size(width, height int64) error { return t.do(chromedp.EmulateViewport(width, height)) }

// Zoom sets the size of the window of a person who has enlarged everything by a
// factor: so many pixels of the screen hold that much less of the page.
func (t *Tab) Zoom(width, height int64, factor float64) error {
	return t.do(call(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: int64(float64(width) / factor), Height: int64(float64(height) / factor), DeviceScaleFactor: factor}))
}

// Printed asks the page for what it looks like on paper, or on the screen again.
func (t *Tab) Printed(paper bool) error {
	medium := "screen"
	if paper {
		medium = "print"
	}
	return t.do(call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: medium}))
}

// PDF is the page as the browser prints it.
func (t *Tab) PDF() ([]byte, error) {
	ctx, cancel := context.WithTimeout(t.ctx, patience)
	defer cancel()
	var printed []byte
	err := chromedp.Do(ctx, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		made, err := cdp.Call(ctx, target, page.PrintToPDF, page.PrintToPDFParams{})
		if err == nil {
			printed = made.Data
		}
		return err
	}))
	return printed, err
}

// conditions are those of a network; a throughput of -1 is not bounded.
type conditions struct {
	Offline  bool    `json:"offline"`
	Latency  float64 `json:"latency"`
	Download float64 `json:"downloadThroughput"`
	Upload   float64 `json:"uploadThroughput"`
}

// Offline takes the tab's network away, or gives it back. (The protocol's newer
// command for it is not known to Debian's Chromium.)
func (t *Tab) Offline(away bool) error {
	emulate := cdp.Command[conditions, cdp.Empty]{Method: "Network.emulateNetworkConditions"}
	return t.do(call(emulate, conditions{Offline: away, Download: -1, Upload: -1}))
}

// SlowNetwork has the tab's network be that of a phone where it is bad: 400 ms for an answer
// to begin, 400 kbit a second.
func (t *Tab) SlowNetwork() error {
	emulate := cdp.Command[conditions, cdp.Empty]{Method: "Network.emulateNetworkConditions"}
	return t.do(call(emulate, conditions{Latency: 400, Download: 400_000 / 8, Upload: 400_000 / 8}))
}

// Back goes back in the tab's history, as its button does. It does so after the reply to the call, which a page that is
// left at once would not send.
func (t *Tab) Back() error {
	_, err := Eval[any](t, `setTimeout(() => history.back())`)
	return err
}

// Dark asks the page for its dark colors, or its light ones.
func (t *Tab) Dark(dark bool) error {
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	features := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}}
	return t.do(call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features}))
}

// Slow slows the processor by a factor.
func (t *Tab) Slow(factor float64) error {
	return t.do(call(emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: factor}))
}

// Forget clears the cookies of the tab's person: the session is lost.
func (t *Tab) Forget() error { return t.do(call(network.ClearBrowserCookies, cdp.Empty{})) }

// Violation is a rule of accessibility that a screen breaks.
type Violation struct {
	ID     string   `json:"id"`
	Impact string   `json:"impact"`
	Help   string   `json:"help"`
	Nodes  []string `json:"nodes"`
}

// Check holds the screen against the rules of axe-core, whose source is given, and
// tells what is serious or critical; against some of the rules, if these are named.
func (t *Tab) Check(axe string, rules ...string) ([]Violation, error) {
	if _, err := Eval[any](t, `(() => { if (!window.axe) { `+axe+` } })()`); err != nil {
		return nil, err
	}
	only := ""
	if len(rules) > 0 {
		named, err := json.Marshal(rules)
		if err != nil {
			return nil, err
		}
		only = `runOnly: {type: "rule", values: ` + string(named) + `},`
	}
	// Paths to what is found are not told, and nothing is loaded for rules that are not asked.
	return Eval[[]Violation](t, `axe.run(document, {`+only+` resultTypes: ["violations"], selectors: false, preload: false}).then((r) => r.violations
		.filter((v) => v.impact === "serious" || v.impact === "critical")
		.map((v) => ({id: v.id, impact: v.impact, help: v.help, nodes: v.nodes.slice(0, 4).map((n) => n.html.slice(0, 200) + " — " + (n.any[0]?.message ?? ""))})))`)
}

// Cold forgets what the browser keeps of the files it has loaded.
func (t *Tab) Cold() error { return t.do(call(network.ClearBrowserCache, cdp.Empty{})) }
