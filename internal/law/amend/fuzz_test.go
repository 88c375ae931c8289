package amend_test

import (
	"testing"
	"unicode/utf8"

	"vigueur/internal/law/amend"
)

// FuzzAmend checks that no act makes Read panic or name bytes that the act does not have, and
// that Apply leaves a text as it was unless it applies all operations.
func FuzzAmend(f *testing.F) {
	for _, act := range []string{
		"À l'article 5, les mots : « le signe » sont remplacés par les mots : « le scelle ».",
		"I. - L'article 5 du code des registres est ainsi modifié :\n1° Au a du 2° du II, après le mot : « juge », sont insérés les mots : « ou le maire » ;\n2° Il est ajouté un III ainsi rédigé :\n« III. - Rien. »",
		"Les articles 4 et 5 sont modifiés ainsi qu'il suit :\nArticle 4 (nouveau)\nUn.\nArticle 5 Abrogé",
		"Après le mot : \"maire\", la fin de l'article 5 est ainsi rédigée : \"rien.",
		"L'article 5, alinéa 2, du même code devient l'article 6.",
		"« « » ” \" 1° a) I. -",
	} {
		f.Add(act, list)
	}
	f.Fuzz(func(t *testing.T, act, left string) {
		ops := amend.Read(act, amend.Options{Home: amend.Named("Code des registres")})
		var all []amend.Operation
		for _, op := range ops {
			for _, at := range []amend.Span{op.Evidence, op.Wording} {
				if at.Start < 0 || at.End > len(act) || at.Start > at.End {
					t.Fatalf("%+v of %d bytes", at, len(act))
				}
			}
			if op.Concerns("5", nil) {
				all = append(all, op)
			}
		}
		r := amend.Apply(left, true, all)
		if !r.Complete && r.Text != left {
			t.Fatalf("not all is applied, and the text is %q", r.Text)
		}
		if utf8.ValidString(act) && utf8.ValidString(left) && !utf8.ValidString(r.Text) {
			t.Fatalf("the text is no longer valid: %q", r.Text)
		}
		for i, o := range r.Outcomes {
			for _, at := range o.Before {
				if at.Start < 0 || at.End > len(left) || at.Start > at.End {
					t.Fatalf("operation %d changes %+v of %d bytes", i, at, len(left))
				}
			}
			for _, at := range o.After {
				if r.Complete && (at.Start < 0 || at.End > len(r.Text) || at.Start > at.End) {
					t.Fatalf("operation %d makes %+v of %d bytes", i, at, len(r.Text))
				}
			}
		}
	})
}
