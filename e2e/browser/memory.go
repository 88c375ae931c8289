package browser

import (
	"context"
	"errors"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/cdproto/memory"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Held is what a tab holds when the garbage is gone: the bytes of its heap, its nodes, how
// many of these are in no document (something remembers them), and its listeners.
type Held struct {
	Bytes                      float64
	Nodes, Detached, Listeners int64
}

// everyNode is an expression: how many nodes the document has, itself among them.
const everyNode = `(() => { let n = 1; for (const w = document.createTreeWalker(document); w.nextNode();) n++; return n })()`

// Held collects the garbage and tells what is left. The page's own performance.memory says
// it in steps, and for minutes the same.
func (t *Tab) Held() (h Held, err error) {
	ctx, cancel := context.WithTimeout(t.ctx, patience)
	defer cancel()
	var attached int64
	err = chromedp.Do(ctx, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		// What one collection frees may have held what the next one does.
		for range 3 {
			if _, err := cdp.Call(ctx, target, heapprofiler.CollectGarbage, cdp.Empty{}); err != nil {
				return err
			}
		}
		used, err := cdp.Call(ctx, target, runtime.GetHeapUsage, cdp.Empty{})
		counted, failed := cdp.Call(ctx, target, memory.GetDOMCounters, cdp.Empty{})
		if err := errors.Join(err, failed); err != nil {
			return err
		}
		h.Bytes, h.Nodes, h.Listeners = used.UsedSize, counted.Nodes, counted.JsEventListeners
		return nil
	}))
	if err == nil {
		attached, err = Eval[int64](t, everyNode)
		h.Detached = max(0, h.Nodes-attached)
	}
	return h, err
}
