package browser

import (
	"fmt"

	"github.com/chromedp/cdproto/page"
)

// recent are functions that Chromium, Firefox and Safari do not all have since the spring of 2024, as paths to them. Browsers of 2024
// and 2025 that are in use lack some of them, each other ones.
const recent = `[
	"Promise.try", "URL.parse", "Math.sumPrecise", "RegExp.escape", "Error.isError", "AbortSignal.any",
	"Uint8Array.fromBase64", "Uint8Array.fromHex", "Uint8Array.prototype.toBase64", "Uint8Array.prototype.toHex", "Uint8Array.prototype.setFromBase64", "Uint8Array.prototype.setFromHex",
	"Map.prototype.getOrInsert", "Map.prototype.getOrInsertComputed", "WeakMap.prototype.getOrInsert", "WeakMap.prototype.getOrInsertComputed",
	"Set.prototype.union", "Set.prototype.intersection", "Set.prototype.difference", "Set.prototype.symmetricDifference", "Set.prototype.isSubsetOf", "Set.prototype.isSupersetOf", "Set.prototype.isDisjointFrom",
	"Response.prototype.bytes", "Request.prototype.bytes", "Blob.prototype.bytes",
	"ReadableStream.prototype.values", "ReadableStream.from", "Iterator", "Float16Array", "Math.f16round", "DataView.prototype.getFloat16", "DataView.prototype.setFloat16",
	"DisposableStack", "AsyncDisposableStack", "SuppressedError", "Symbol.dispose", "Symbol.asyncDispose", "Atomics.pause", "Atomics.waitAsync", "Intl.DurationFormat", "requestIdleCallback", "cancelIdleCallback",
	"scheduler", "Temporal", "Element.prototype.moveBefore", "CSS.highlights", "Highlight",
]`

// takeAway removes them where it runs. The helpers of iterators and the iteration of streams have no path.
const takeAway = `(() => {
	for (const path of ` + recent + `) {
		const parts = path.split("."), last = parts.pop()
		const of = parts.reduce((o, p) => o?.[p], globalThis)
		if (of && last in of) try { if (!delete of[last]) of[last] = undefined } catch {}
	}
	const iterators = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()))
	for (const name of Object.getOwnPropertyNames(iterators)) if (name !== "constructor") delete iterators[name]
	if (globalThis.ReadableStream) delete ReadableStream.prototype[Symbol.asyncIterator]
})()`

// Older takes the functions that are recent away from the pages that the tab opens next, and from their workers, as if the browser were
// one of that spring. The workers' scripts are wrapped, which the page's policy would refuse: it does not hold for the tab from then on.
func (t *Tab) Older() error {
	return t.worked(takeAway)
}

// Failing lets every worker of the pages that the tab opens next end in an error when it starts.
func (t *Tab) Failing() error {
	return t.worked(`if (typeof window === "undefined") throw new Error("made to fail")`)
}

// worked runs a script in pages and workers before their own.
func (t *Tab) worked(script string) error {
	wrap := fmt.Sprintf(`(() => {
		const script = %s
		const Real = Worker
		window.Worker = class extends Real {
			constructor(url, options) {
				const module = (text) => URL.createObjectURL(new Blob([text], { type: "text/javascript" }))
				const both = [module(script), String(new URL(url, location.href))].map((m) => "import " + JSON.stringify(m)).join("\n") // in this order
				super(module(both), { ...options, type: "module" })
				this.addEventListener("error", (e) => console.error("a worker: " + e.message))
			}
		}
	})();%s`, quote(script), script)
	return t.do(call(page.Enable, page.EnableParams{}), call(page.SetBypassCSP, page.SetBypassCSPParams{Enabled: true}), call(page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: wrap}))
}
