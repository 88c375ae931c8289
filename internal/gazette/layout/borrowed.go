package layout

// columnsReach is how many pages before and after a page may provide its columns: the facing page, and the page
// on the same side of the next sheet.
const columnsReach = 2

// nearbyColumns returns the columns of the pages near page i, the nearest first.
func nearbyColumns(sheets []*sheet, i int) []gutters {
	var out []gutters
	for d := 1; d <= columnsReach; d++ {
		for _, k := range []int{i - d, i + d} {
			if k >= 0 && k < len(sheets) && sheets[k].parted && sheets[k].width == sheets[i].width {
				out = append(out, sheets[k].columns)
			}
		}
	}
	return out
}

// flowBands puts the chunks of a page without columns into reading order, if the page contains a band with
// running text on both sides of the gutter g of a nearby page. Such a band is, for example, the end of a text above
// an annex over the whole page: the band is too short to show a gutter. All other bands are read across. If there
// is no band with running text on both sides, flowBands returns false and does not call give.
func flowBands(g gutters, chunks []chunk, give func(cells []cell, column int)) bool {
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
	chunks = g.cutChunks(chunks)
	all := bands(chunks, g)
	set := make([]bool, len(all))
	some := false
	for i, b := range all {
		set[i] = b.columns && running(b.chunks, g.at, region, 0.5) && !marginNumbers(b.chunks, g.at)
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
