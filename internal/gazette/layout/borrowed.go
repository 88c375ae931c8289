package layout

// columnsReach is how many pages before and behind one its columns may be learned from: that
// facing it and the one that is bound as it is.
const columnsReach = 2

// near are the columns of the pages near page i, the nearest first.
func near(sheets []*sheet, i int) []parting {
	var out []parting
	for d := 1; d <= columnsReach; d++ {
		for _, k := range []int{i - d, i + d} {
			if k >= 0 && k < len(sheets) && sheets[k].parted && sheets[k].width == sheets[i].width {
				out = append(out, sheets[k].columns)
			}
		}
	}
	return out
}

// flowBands gives the lines of a page that shows no columns by itself in reading order, where
// a band of it is running text on both sides of the gutter that pages near by have: the end of
// a text above an annex over the whole page is too short to show its gutter. All else is read
// across. It gives nothing where no band is such.
func flowBands(g parting, chunks []chunk, give func(cells []cell, column int)) bool {
	if len(chunks) == 0 {
		return false
	}
	region := chunks[0].r
	for _, c := range chunks[1:] {
		region = union(region, c.r)
	}
	if g.at <= region[0] || g.at >= region[2] {
		return false
	}
	chunks = g.cut(chunks)
	all := bands(chunks, g)
	set := make([]bool, len(all))
	some := false
	for i, b := range all {
		set[i] = b.columns && running(b.chunks, g.at, region, 0.5) && !labels(b.chunks, g.at)
		some = some || set[i]
	}
	if !some {
		return false
	}
	for i, b := range all {
		if !set[i] {
			flow(b.chunks, -1, maxDepth, give)
			continue
		}
		left, right := sides(b.chunks, g.at)
		flow(left, 0, maxDepth, give)
		flow(right, 1, maxDepth, give)
	}
	return true
}
