package browser

import (
	"context"
	"os"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// Before has a script run in each page that the tab opens from now on, before the page's own.
func (t *Tab) Before(script string) error {
	return t.do(call(page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script}))
}

// Whole writes a picture of the page, with what lies below what is seen, as far as a height in pixels.
func (t *Tab) Whole(path string, width, height int64) error {
	tall, err := Eval[int64](t, `Math.ceil(document.documentElement.scrollHeight)`)
	if err != nil {
		return err
	}
	beyond := true
	return t.picture(path, page.CaptureScreenshotParams{CaptureBeyondViewport: &beyond,
		Clip: &page.Viewport{Width: float64(width), Height: float64(min(tall, height)), Scale: 1}})
}

// Seen writes a picture of the part of the page that is seen.
func (t *Tab) Seen(path string) error { return t.picture(path, page.CaptureScreenshotParams{}) }

func (t *Tab) picture(path string, params page.CaptureScreenshotParams) error {
	ctx, cancel := context.WithTimeout(t.ctx, patience)
	defer cancel()
	var picture []byte
	err := chromedp.Do(ctx, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		taken, err := cdp.Call(ctx, target, page.CaptureScreenshot, params)
		if err == nil {
			picture = taken.Data
		}
		return err
	}))
	if err != nil {
		return err
	}
	return os.WriteFile(path, picture, 0o644)
}
