package browser

// Highlighted is an expression: whether the words that lie under the marked
// regions of the PDF that is shown are, letter by letter, the excerpt beside it,
// and both. A word lies under a region when at least half of it does: one that is
// printed across the page, as a watermark is, does not. Breaks of lines, hyphens,
// blanks and accents do not count.
const Highlighted = `(() => {
	const letters = (s) => s.normalize("NFKD").replace(/[^\p{L}\p{N}]+/gu, "").toLowerCase()
	let marked = ""
	const pages = []
	for (const sheet of document.querySelectorAll(".sheet[data-drawn]")) {
		const regions = [...sheet.querySelectorAll(".region")].map((r) => r.getBoundingClientRect())
		if (regions.length === 0) continue
		pages.push(Number(sheet.dataset.page))
		for (const span of sheet.querySelectorAll(".textLayer span")) {
			const node = span.firstChild
			if (!node || node.nodeType !== Node.TEXT_NODE) continue
			for (const m of node.data.matchAll(/\S+/g)) {
				const range = document.createRange()
				range.setStart(node, m.index)
				range.setEnd(node, m.index + m[0].length)
				const at = range.getBoundingClientRect()
				const common = (r) => Math.max(0, Math.min(r.right, at.right) - Math.max(r.left, at.left)) * Math.max(0, Math.min(r.bottom, at.bottom) - Math.max(r.top, at.top))
				if (regions.some((r) => 2 * common(r) >= at.width * at.height && at.width > 0)) marked += m[0] + " "
			}
		}
	}
	const excerpt = (document.querySelector(".source blockquote mark") ?? document.querySelector(".source blockquote"))?.textContent ?? ""
	const text = document.querySelector(".source a[href^='/textes/']")?.pathname.split("/").at(-1) ?? ""
	return {same: letters(marked) !== "" && letters(marked) === letters(excerpt), marked, excerpt, text, pages}
})()`

// Drawn is an expression: whether every page with a marked region is drawn.
const Drawn = `document.querySelectorAll(".region").length > 0 &&
	[...document.querySelectorAll(".region")].every((r) => r.closest(".sheet").hasAttribute("data-drawn"))`

// Inked is an expression: whether every marked region is drawn and has print in it. The
// text layer, which Highlighted reads, has the words of a page whose picture lacks them too,
// for instance where a font of the PDF could not be had. Lines of text cover some tenth of
// their boxes; a hundredth tells them from paper.
const Inked = Drawn + ` && [...document.querySelectorAll(".region")].every((r) => {
	let page = r.closest(".sheet").querySelector("canvas")
	if (!page) { // the server has drawn it
		const image = r.closest(".sheet").querySelector("img")
		page = document.createElement("canvas")
		page.width = image.naturalWidth
		page.height = image.naturalHeight
		page.getContext("2d").drawImage(image, 0, 0)
		Object.defineProperty(page, "clientWidth", { value: image.clientWidth })
	}
	const dense = page.width / page.clientWidth
	const print = page.getContext("2d").getImageData(r.offsetLeft * dense, r.offsetTop * dense, Math.max(1, r.offsetWidth * dense), Math.max(1, r.offsetHeight * dense)).data
	let dark = 0
	for (let i = 0; i < print.length; i += 4) if (print[i + 3] > 0 && print[i] + print[i + 1] + print[i + 2] < 384) dark++
	return dark > print.length / 400
})`

// Words are those under the regions, and those of the excerpt; Text is the id of the
// text that is cited, Pages are those of its file that have regions.
type Words struct {
	Same    bool   `json:"same"`
	Marked  string `json:"marked"`
	Excerpt string `json:"excerpt"`
	Text    string `json:"text"`
	Pages   []int  `json:"pages"`
}
