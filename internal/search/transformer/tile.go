package transformer

// A tile holds the products of tileRows rows of activations and tileColumns columns of a
// matrix.
const (
	tileRows    = 8
	tileColumns = 32
	step        = 4 // number of coordinates of a column that are stored together
)

// products holds the products of a tile, row by row.
type products [tileRows * tileColumns]int32

// tilePlain computes a tile from rows of activations, which are stride bytes apart, and a
// block of a matrix, which has n steps of 4 coordinates for each of tileColumns columns.
// The assembly kernels compute the same bits.
func tilePlain(c *products, w []uint8, a []int8, stride, n int) {
	clear(c[:])
	for t := range tileRows {
		row, out := a[t*stride:][:n*step], c[t*tileColumns:][:tileColumns]
		for k := range n {
			x, block := row[k*step:][:step], w[k*tileColumns*step:][:tileColumns*step]
			a0, a1, a2, a3 := int32(x[0]), int32(x[1]), int32(x[2]), int32(x[3])
			for o := range out {
				v := block[o*step:][:step]
				out[o] += a0*int32(v[0]) + a1*int32(v[1]) + a2*int32(v[2]) + a3*int32(v[3])
			}
		}
	}
}
