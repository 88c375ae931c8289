// Package browser drives Debian's Chromium as a person would, for tests and
// benchmarks of the page: it opens addresses, types, clicks, waits until
// something is so, and notes whatever a page must not do.
package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// ErrAbsent says that there is no Chromium here.
var ErrAbsent = errors.New("browser: no chromium here (as root: apt-get install chromium)")

// patience is how long a step may take, and something may take to become so, on a machine that is busy; startTimeout is
// how long the browser may take to start.
const patience, startTimeout = time.Minute, 3 * time.Minute

// Browser is a running Chromium.
type Browser struct {
	ctx  context.Context
	stop func()
	dir  string
}

// Open starts a browser. It ends with Close, and with its parent process.
func Open(ctx context.Context) (*Browser, error) {
	path, err := exec.LookPath("chromium")
	if err != nil {
		return nil, ErrAbsent
	}
	dir, err := os.MkdirTemp("", "vigueur-browser-")
	if err != nil {
		return nil, err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.UserDataDir(dir), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-gpu", true), chromedp.Flag("no-proxy-server", true), chromedp.Flag("lang", "fr"),
		chromedp.Flag("disable-domain-reliability", true), chromedp.Flag("no-pings", true),
		chromedp.WSURLReadTimeout(startTimeout))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	// The browser lives as long as Close says, whatever becomes of the test's own context.
	allocated, free := chromedp.NewExecAllocator(context.WithoutCancel(ctx), options...)
	root, cancel := chromedp.NewContext(allocated, chromedp.WithLogf(func(string, ...any) {}))
	b := &Browser{ctx: root, dir: dir, stop: func() { cancel(); free() }}
	if err := chromedp.Do(root); err != nil {
		return nil, errors.Join(fmt.Errorf("browser: chromium does not start: %w", err), b.Close())
	}
	return b, nil
}

// Close ends the browser and waits until it is gone.
func (b *Browser) Close() error {
	ctx, cancel := context.WithTimeout(b.ctx, 20*time.Second)
	_ = chromedp.Cancel(ctx) // one that does not end by itself is killed
	cancel()
	b.stop()
	return os.RemoveAll(b.dir)
}

// Tab opens a tab with cookies and storage of its own on the service at an
// address; all that the tab does is watched.
func (b *Browser) Tab(base string) (*Tab, error) {
	ctx, cancel := chromedp.NewContext(b.ctx, chromedp.WithNewBrowserContext())
	return begin(ctx, cancel, base)
}

// Beside opens another tab of the same person.
func (t *Tab) Beside() (*Tab, error) {
	ctx, cancel := chromedp.NewContext(t.ctx)
	return begin(ctx, cancel, t.base)
}

func begin(ctx context.Context, cancel func(), base string) (*Tab, error) {
	t := &Tab{ctx: ctx, close: cancel, base: base, loading: map[network.RequestID]string{}}
	if err := chromedp.Do(ctx); err != nil {
		cancel()
		return nil, fmt.Errorf("browser: no tab: %w", err)
	}
	err := errors.Join(chromedp.Listen(ctx, t.hear), chromedp.Do(ctx, call(network.Enable, network.EnableParams{}),
		call(log.Enable, cdp.Empty{}), call(runtime.Enable, cdp.Empty{}),
		call(emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: "Europe/Paris"}),
		// Each tab has the focus, as if it were the only one: tests use two at the same time.
		call(emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})))
	if err != nil {
		cancel()
		return nil, fmt.Errorf("browser: no tab: %w", err)
	}
	err = t.Size(1440, 900)
	return t, err
}

// call is a command of the browser's protocol as an action.
func call[P, R any](method cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, method, params)
		return err
	})
}
