package transformer

// A tile is the products of tileRows rows of activations with tileColumns columns of a
// matrix.
const (
	tileRows    = 8
	tileColumns = 32
	step        = 4 // coordinates that one step of a tile multiplies
)

// products are those of a tile, row by row.
type products [tileRows * tileColumns]int32

// tilePlain writes the products of rows of activations, stride bytes apart, with a block
// of a matrix: n steps of tileColumns columns of 4 coordinates. It is what the kernels
// of processors compute, to the same bits.
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
