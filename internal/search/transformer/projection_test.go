package transformer

import (
	"math"
	"math/rand/v2"
	"testing"
)

// someProjection returns a projection of 384 to 64 coordinates, with random rows: the sizes of the embedded one, because rounding matters less with more coordinates.
func someProjection(t *testing.T) *Projection {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	draw := func() []float32 {
		v := make([]float32, 384)
		for i := range v {
			v[i] = float32(r.NormFloat64())
		}
		return v
	}
	rows := make([][]float32, 64)
	for o := range rows {
		rows[o] = draw()
	}
	p, err := NewProjection(ProjectionHeader{Made: "test", Model: "some"}, draw(), rows)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// exactCosine is Projection.Cosines without rounding.
func exactCosine(p *Projection, x, y []float32) float64 {
	of := func(v []float32) []float64 {
		out := make([]float64, p.Out)
		for o, row := range p.rows {
			for i, w := range row {
				out[o] += float64(w) * float64(v[i]-p.mean[i])
			}
		}
		return out
	}
	var xy, xx, yy float64
	a, b := of(x), of(y)
	for i := range a {
		xy, xx, yy = xy+a[i]*b[i], xx+a[i]*a[i], yy+b[i]*b[i]
	}
	return xy / math.Sqrt(xx*yy)
}

func TestProjectionCosines(t *testing.T) {
	t.Parallel()
	p := someProjection(t)
	r := rand.New(rand.NewPCG(3, 4))
	vectors := make([][]float32, 40)
	for i := range vectors {
		vectors[i] = make([]float32, p.In)
		for k := range vectors[i] {
			vectors[i][k] = float32(r.NormFloat64())
		}
	}
	question := vectors[0]
	for i, got := range p.Cosines(question, vectors) {
		if want := exactCosine(p, question, vectors[i]); math.Abs(float64(got)-want) > 0.02 {
			t.Errorf("vector %d: cosine %.4f, want %.4f", i, got, want)
		}
	}
	if got := p.Cosines(p.mean, vectors[:1])[0]; got != 0 {
		t.Errorf("the cosine of the mean is %v, want 0, because it is projected to 0", got)
	}
}

func TestProjectionIsWrittenAndRead(t *testing.T) {
	t.Parallel()
	p := someProjection(t)
	data, err := p.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	again, err := ReadProjection(data)
	if err != nil || again.Made != "test" || again.Model != "some" || again.In != 384 || again.Out != 64 {
		t.Fatalf("%+v, %v", again, err)
	}
	if a, b := p.Cosines(p.rows[0], p.rows), again.Cosines(p.rows[0], p.rows); a[1] != b[1] || a[4] != b[4] {
		t.Errorf("cosines %v became %v", a, b)
	}
	for name, bad := range map[string][]byte{
		"nothing": nil, "other magic": []byte("VIGTRF1\n\x00\x00\x00\x00"), "no header": data[:10], "a short file": data[:len(data)-1], "a long file": append(data[:len(data):len(data)], 0),
		"no JSON":        []byte(ProjectionMagic + "\x01\x00\x00\x00{"),
		"no coordinates": []byte(ProjectionMagic + "\x02\x00\x00\x00{}"),
	} {
		if _, err := ReadProjection(bad); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := NewProjection(ProjectionHeader{}, make([]float32, 3), [][]float32{{1}}); err == nil {
		t.Error("a row that is too short: no error")
	}
}

// The embedded projection maps the vectors of the embedded model, and says what it was learned from.
func TestBuiltinProjection(t *testing.T) {
	t.Parallel()
	p, err := BuiltinProjection()
	if err != nil {
		t.Fatal(err)
	}
	m, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	if p.Model != m.Name() || p.In != m.Hidden || len(p.Sources) == 0 || p.Made == "" {
		t.Errorf("a projection of %d coordinates of %s, from %d sources; the model is %s with %d", p.In, p.Model, len(p.Sources), m.Name(), m.Hidden)
	}
	for _, s := range p.Sources {
		if s.File == "" || s.Holds == "" || s.Licence == "" || len(s.SHA256) != 64 {
			t.Errorf("source %+v", s)
		}
	}
}
