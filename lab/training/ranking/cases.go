package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"vigueur/internal/law/french"
	"vigueur/internal/search/encode"
	"vigueur/internal/search/rank"
	"vigueur/internal/search/retrieve"
	"vigueur/internal/search/transformer"
	"vigueur/lab/judged"
	encoder "vigueur/lab/training/encoder/learn"
	projection "vigueur/lab/training/projection/learn"
	"vigueur/lab/training/ranking/learn"
)

// field is a set with how its questions are parted.
type field struct {
	*judged.Set
	parting   judged.Parting
	vectors   [judged.Parts]*judged.Vectors             // that the questions of a part are asked by
	tables    [judged.Parts]*encode.Table               // that made them; nil: the program's own
	encode    func() error                              // makes them, once
	sentences func(part int) (*judged.Sentences, error) // of the transformer, which has learned nothing of any question, with a projection that has learned nothing of the part
	size      map[string]float64                        // of groups
}

// fields are the sets. Their vectors are made when they are first needed.
func (t *training) fields(ctx context.Context) (err error) {
	corpus, err := encoder.Read(t.Path("retrieval"))
	if err != nil {
		return err
	}
	if !t.alone {
		codes, err := judged.Codes(t.Path("retrieval"), corpus)
		if err != nil {
			return err
		}
		labor, err := judged.Labor(t.Path("retrieval"))
		if err != nil {
			return err
		}
		t.sets = []*field{{Set: codes, parting: partings[t.by](codes, judged.Parts)}, {Set: labor, parting: judged.ByGroup(labor, judged.Parts)}}
	}
	gazettes, err := judged.OpenGazettes(ctx, t.Path("pdfs"), t.gazettes)
	if err != nil {
		return err
	}
	if err := gazettes.AskAll(t.Data); err != nil {
		return err
	}
	t.sets = append(t.sets, &field{Set: gazettes, parting: judged.OfGazettes[t.gazettesBy](gazettes, judged.Parts)})
	for _, f := range t.sets {
		f.Indexes = t.indexes
		if t.plain {
			f.Lexicon = new(french.Lexicon)
		}
		f.measure()
		whole := sync.OnceValues(func() (*judged.Sentences, error) { return t.transformed(ctx, f.Set) })
		f.sentences = func(int) (*judged.Sentences, error) { return whole() }
		f.encode = sync.OnceValue(f.carried)
	}
	t.encoders(corpus)
	t.project(ctx, t.onGazettes())
	return nil
}

// project has the questions on gazettes compared by projections that learned nothing of their
// part. Codes are compared without: no weight for them is learned from it.
func (t *training) project(ctx context.Context, f *field) {
	whole := f.sentences
	t.projections = sync.OnceValues(func() (out [judged.Parts]*transformer.Projection, err error) {
		reads, err := whole(judged.NoPart)
		if err != nil {
			return out, err
		}
		questions := sync.OnceValues(func() (*projection.Questions, error) {
			return projection.Gather(ctx, t.Data, f.Set, reads, f.parting, t.keptVectors)
		})
		for part := range out {
			name := strings.ReplaceAll(fmt.Sprintf("projection-%s-%s-%d.bin", f.Name, f.parting.Name, part+1), " ", "-")
			out[part], err = t.keptProjection(name, func() (*transformer.Projection, error) {
				q, err := questions()
				if err != nil {
					return nil, err
				}
				t.Printf("a projection without part %d is learned from %d questions", part+1, q.Without(part))
				return q.Learn(transformer.ProjectionHeader{Made: "scripts/train ranking", Model: reads.Model()}, part, projection.Defaults())
			})
			if err != nil {
				return out, err
			}
		}
		return out, nil
	})
	f.sentences = func(part int) (*judged.Sentences, error) {
		reads, err := whole(part)
		if err != nil {
			return nil, err
		}
		p, err := t.projections()
		return reads.With(p[part]), err
	}
}

// transformed reads the passages of a set by the transformer that the program carries.
func (t *training) transformed(ctx context.Context, set *judged.Set) (*judged.Sentences, error) {
	return set.Sentences(ctx, t.keptVectors(set))
}

// keptVectors names the file that keeps what the transformer made of a set; "": it is not kept.
func (t *training) keptVectors(set *judged.Set) string {
	if t.vectors == "" {
		return ""
	}
	return filepath.Join(t.vectors, strings.ReplaceAll(set.Name, " ", "-")+".kept")
}

// carried makes the vectors by the encoder that the program carries, which has
// learned nothing of the questions.
func (f *field) carried() error {
	e, err := encode.New()
	if err != nil {
		return err
	}
	v := f.Encode(e)
	f.vectors = [judged.Parts]*judged.Vectors{v, v, v}
	return nil
}

// leftOut makes the vectors of a set by encoders that did not learn from what belongs to its part; learned makes the encoder of a
// part.
func (t *training) leftOut(f *field, learned func(part int) (*encoder.Learner, error)) error {
	for part := range judged.Parts {
		name := strings.ReplaceAll(fmt.Sprintf("encoder-%s-%s-%d.bin", f.Name, f.parting.Name, part+1), " ", "-")
		table, err := t.keptTable(name, func() (*encode.Table, error) {
			l, err := learned(part)
			if err != nil {
				return nil, err
			}
			return l.Table(encode.Provenance{}), nil
		})
		if err != nil {
			return err
		}
		f.tables[part] = table
		f.vectors[part] = f.Encode(encode.Of(table))
		t.Printf("%s: the encoder without part %d has read %d passages", f.Name, part+1, f.Passages())
	}
	return nil
}

// encoders has the codes asked of encoders without the sheets of a part, and the gazettes of such without the questions and texts of
// a part. All learn from the other set as a whole.
func (t *training) encoders(corpus *encoder.Corpus) {
	law := sync.OnceValues(func() (*encoder.Learner, error) {
		l, err := encoder.AfterLaw(corpus, encoder.Defaults(), t.law, func(stage string, step, of int, loss float64) {
			t.Printf("%s: step %d of %d, loss %.3f", stage, step, of, loss)
		})
		if err == nil {
			l.Tell = nil
		}
		return l, err
	})
	gazettes := t.onGazettes()
	if codes := t.sets[0]; !t.alone {
		codes.encode = t.encoderOfCodes(codes, gazettes, law)
	}
	gazettes.encode = sync.OnceValue(func() error {
		return t.leftOut(gazettes, func(part int) (*encoder.Learner, error) {
			l, err := law()
			if err != nil {
				return nil, err
			}
			l = l.With(gazettes.Lay(gazettes.parting, part))
			l.Lay(func(*encoder.Sheet) bool { return true })
			return l, nil
		})
	})
}

// encoderOfCodes makes the encoders that the codes are asked of.
func (t *training) encoderOfCodes(codes, gazettes *field, law func() (*encoder.Learner, error)) func() error {
	return sync.OnceValue(func() error {
		return t.leftOut(codes, func(part int) (*encoder.Learner, error) {
			l, err := law()
			if err != nil {
				return nil, err
			}
			l = l.With(gazettes.Lay(gazettes.parting, judged.NoPart))
			l.Lay(func(s *encoder.Sheet) bool { return s.Beside || codes.parting.Learned(s, part) })
			return l, nil
		})
	})
}

// measure counts the questions of each group.
func (f *field) measure() {
	f.size = make(map[string]float64)
	for i := range f.Questions {
		f.size[f.Questions[i].Group]++
	}
}

func (f *field) list(q *judged.Question) *learn.List {
	return &learn.List{ID: q.ID, Set: f.Name, Group: q.Group, Part: f.parting.Part(q), Weight: 1 / f.size[q.Group], Right: len(q.Right)}
}

// ask has the questions of a part asked.
func (f *field) ask(ctx context.Context, set *judged.Set, questions []judged.Question, part int, by rank.Vectors, model *rank.Model, take func(q *judged.Question, looked *retrieve.Examined)) (err error) {
	if err := f.encode(); err != nil {
		return err
	}
	var v *judged.Vectors
	if by != rank.NoVectors {
		v = f.vectors[part]
	}
	searcher, err := set.Open(ctx, v, model)
	if err != nil {
		return err
	}
	searcher.Words = f.vectors[part].Encoder
	if by == rank.SentenceVectors {
		if searcher.Sentences, err = f.sentences(part); err != nil {
			return err
		}
	}
	var otherwise error
	err = judged.Look(ctx, searcher, judged.Asked(questions), func(i int, looked *retrieve.Examined) {
		if looked.Vectors != by && len(looked.Hits) > 0 {
			otherwise = fmt.Errorf("%s: by %v, not %v", questions[i].ID, looked.Vectors, by)
		}
		take(&questions[i], looked)
	})
	return errors.Join(err, otherwise)
}

// found are the lists of passages that the index looks at.
func (t *training) found(ctx context.Context, by rank.Vectors) (lists []*learn.List, err error) {
	for _, f := range t.sets {
		for part := range judged.Parts {
			err := f.ask(ctx, f.Set, f.parting.Those(f.Questions, part), part, by, new(rank.Model), func(q *judged.Question, looked *retrieve.Examined) {
				l := f.list(q)
				l.Items = learn.Found(looked, f.ArticleName, q.Right)
				lists = append(lists, l)
			})
			if err != nil {
				return nil, err
			}
		}
		t.Printf("%s: passages found, by %v", f.Name, by)
	}
	return lists, nil
}

// read are the lists of articles that were read, each part found by weights that
// were learned from the others.
func (t *training) read(ctx context.Context, by rank.Vectors, find [judged.Parts]rank.Weights) (lists []*learn.List, err error) {
	for _, f := range t.sets {
		perText := f.PerText()
		for part := range judged.Parts {
			err := f.ask(ctx, f.Set, f.parting.Those(f.Questions, part), part, by, finding(find[part]), func(q *judged.Question, looked *retrieve.Examined) {
				l := f.list(q)
				l.PerText = perText
				l.Read(looked, f.ArticleName, q.Right)
				lists = append(lists, l)
			})
			if err != nil {
				return nil, err
			}
		}
		t.Printf("%s: articles read, by %v", f.Name, by)
	}
	return lists, nil
}

// finding is a model whose first step has the given weights.
func finding(w rank.Weights) *rank.Model {
	return &rank.Model{Find: rank.Step{Sentences: w, Semantic: w, Words: w}}
}
