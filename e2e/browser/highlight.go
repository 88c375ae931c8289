package browser

// Highlighted is an expression: whether the words that lie under the marked
// regions of the PDF that is shown are, letter by letter, the excerpt beside it,
// and both. Breaks of lines, hyphens, blanks and accents do not count.
const Highlighted = `(() => {
	const letters = (s) => s.normalize("NFKD").replace(/[^\p{L}\p{N}]+/gu, "").toLowerCase()
	let marked = ""
	for (const sheet of document.querySelectorAll(".sheet[data-drawn]")) {
		const regions = [...sheet.querySelectorAll(".region")].map((r) => r.getBoundingClientRect())
		if (regions.length === 0) continue
		for (const span of sheet.querySelectorAll(".textLayer span")) {
			const node = span.firstChild
			if (!node || node.nodeType !== Node.TEXT_NODE) continue
			for (const m of node.data.matchAll(/\S+/g)) {
				const range = document.createRange()
				range.setStart(node, m.index)
				range.setEnd(node, m.index + m[0].length)
				const at = range.getBoundingClientRect()
				const x = (at.left + at.right) / 2, y = (at.top + at.bottom) / 2
				if (regions.some((r) => x >= r.left && x <= r.right && y >= r.top && y <= r.bottom)) marked += m[0] + " "
			}
		}
	}
	const excerpt = document.querySelector(".source blockquote")?.textContent ?? ""
	return {same: letters(marked) !== "" && letters(marked) === letters(excerpt), marked, excerpt}
})()`

// Drawn is an expression: whether every page with a marked region is drawn.
const Drawn = `document.querySelectorAll(".region").length > 0 &&
	[...document.querySelectorAll(".region")].every((r) => r.closest(".sheet").hasAttribute("data-drawn"))`

// Words are those under the regions, and those of the excerpt.
type Words struct {
	Same    bool   `json:"same"`
	Marked  string `json:"marked"`
	Excerpt string `json:"excerpt"`
}
