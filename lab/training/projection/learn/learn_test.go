package learn

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"vigueur/internal/search/transformer"
	"vigueur/lab/judged"
)

// made returns questions whose answer shares the signs of a few coordinates with them, among passages whose other coordinates
// are larger: the whole vectors hardly find it.
func made(n int) *Questions {
	const dimensions, telling, passages = 24, 4, 12
	r := rand.New(rand.NewPCG(7, 7))
	draw := func() []float32 {
		v := make([]float32, dimensions)
		for i := range v {
			if v[i] = float32(r.NormFloat64()); i >= telling {
				v[i] *= 2
			}
		}
		return v
	}
	q := new(Questions)
	for i := range n {
		x := Question{Vector: draw(), Part: i % judged.Parts}
		for k := range passages {
			p := draw()
			if k == i%passages {
				copy(p[:telling], x.Vector)
			}
			x.Passages, x.Right = append(x.Passages, p), append(x.Right, k == i%passages)
			q.Passages = append(q.Passages, p)
		}
		q.All = append(q.All, x)
	}
	return q
}

// firsts returns how many questions of a part have their answer first.
func (q *Questions) firsts(p *transformer.Projection, part int) (first, of int) {
	for i := range q.All {
		x := &q.All[i]
		if x.Part != part {
			continue
		}
		of++
		best, cosines := 0, p.Cosines(x.Vector, x.Passages)
		for k, c := range cosines {
			if c > cosines[best] {
				best = k
			}
		}
		if x.Right[best] {
			first++
		}
	}
	return first, of
}

// A projection learned without a part puts more of the part's answers first than one that has not learned.
func TestProjectionIsLearned(t *testing.T) {
	t.Parallel()
	q := made(300)
	o := Options{Out: 8, Passes: 20, Together: 16, Rate: 1e-2, Temperature: 0.1, Back: 1e-3, Seed: 1}
	learned, err := q.Learn(transformer.ProjectionHeader{Made: "test"}, 0, o)
	if err != nil {
		t.Fatal(err)
	}
	o.Passes = 0
	components, err := q.Learn(transformer.ProjectionHeader{Made: "test"}, 0, o)
	if err != nil {
		t.Fatal(err)
	}
	before, of := q.firsts(components, 0)
	after, _ := q.firsts(learned, 0)
	if of != 100 || after < before+30 {
		t.Errorf("of %d answers %d first before learning, %d after", of, before, after)
	}
}

// The same questions give the same bytes, and those of the part that is left out change nothing.
func TestLearningIsDeterministic(t *testing.T) {
	t.Parallel()
	o := Options{Out: 4, Passes: 1, Together: 8, Drawn: 3, Rate: 1e-2, Temperature: 0.1, Seed: 1}
	learn := func(q *Questions, without int) []byte {
		p, err := q.Learn(transformer.ProjectionHeader{}, without, o)
		if err != nil {
			t.Fatal(err)
		}
		data, err := p.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	q, other := made(60), made(60)
	for i := range q.All {
		q.All[i].Others, other.All[i].Others = q.Passages, other.Passages
		if other.All[i].Part == 1 {
			for k := range other.All[i].Right {
				other.All[i].Right[k] = k == 0
			}
		}
	}
	if !bytes.Equal(learn(q, 1), learn(other, 1)) {
		t.Error("the questions that are left out change the projection")
	}
	if bytes.Equal(learn(q, judged.NoPart), learn(other, judged.NoPart)) {
		t.Error("the answers of a part change nothing although it is learned from")
	}
	if q.Without(1) != 40 || q.Without(judged.NoPart) != 60 {
		t.Errorf("%d questions without a part, %d of all", q.Without(1), q.Without(judged.NoPart))
	}
	if _, err := new(Questions).Learn(transformer.ProjectionHeader{}, judged.NoPart, o); err == nil {
		t.Error("nothing to learn from: no error")
	}
}

// The loss falls along the gradient as the gradient says.
func TestGradient(t *testing.T) {
	t.Parallel()
	q := made(1)
	x := &q.All[0]
	o := Options{Out: 3, Temperature: 0.5}
	mean := meanOf(q.Passages)
	tr := &training{Options: o, mean: mean}
	tr.rows = components(q.Passages, mean, o.Out, 1)
	g := make([]float32, len(tr.rows))
	tr.add(&visit{Question: x}, g)
	for _, at := range []int{0, 5, 30, 71} {
		const by = 1e-2
		was := tr.rows[at]
		tr.rows[at] = was + by
		up := tr.loss(x)
		tr.rows[at] = was - by
		down := tr.loss(x)
		tr.rows[at] = was
		if want := (up - down) / (2 * by); want-float64(g[at]) > 0.01*(1+max(want, -want)) || float64(g[at])-want > 0.01*(1+max(want, -want)) {
			t.Errorf("slope %d: %.4f, want %.4f", at, g[at], want)
		}
	}
}

// loss is the loss that add has the gradient of.
func (t *training) loss(x *Question) float64 {
	q, all, right := t.project(x.Vector), 0.0, 0.0
	for i, p := range x.Passages {
		e := math.Exp(float64(dot(q.unit, t.project(p).unit)) / t.Temperature)
		if all += e; x.Right[i] {
			right += e
		}
	}
	return math.Log(all) - math.Log(right)
}
