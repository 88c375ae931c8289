package amend_test

import (
	"testing"
	"time"

	"vigueur/internal/law/amend"
)

func TestEntryIntoForce(t *testing.T) {
	t.Parallel()
	const act = `Article 1er
I. - Le code des registres est ainsi modifié :
1° À l'article 1er, le mot : « maire » est supprimé ;
2° À l'article 2, le mot : « maire » est supprimé.
II. - L'article 3 du même code est abrogé à compter du 1er mars 2013.
III. - L'article 4 du même code est abrogé.
IV. - Le 2° du I entre en vigueur le 1er janvier 2011. 
Le III entre en vigueur à une date fixée par décret.
Article 2
L'article 5 du même code est abrogé.
Le présent article entre en vigueur le 1er juillet 2012.
Article 3
L'article 6 du même code est abrogé.
Article 4
L'article 3 de la présente loi entre en vigueur le 1er avril 2014.
La présente loi entre en vigueur le lendemain de sa publication.`
	want := map[string]struct {
		day   time.Time
		waits bool
	}{
		"1er": {}, "2": {day: day(2011, 1, 1)}, "3": {day: day(2013, 3, 1)}, "4": {waits: true}, "5": {day: day(2012, 7, 1)}, "6": {day: day(2014, 4, 1)},
	}
	ops := amend.Read(act, amend.Options{})
	if len(ops) != len(want) {
		t.Errorf("%d operations, want %d: %+v", len(ops), len(want), ops)
	}
	for _, op := range ops {
		if w := want[op.Article]; !op.Effective.Equal(w.day) || op.Waits != w.waits {
			t.Errorf("article %s: from %v, waits %v; want %+v", op.Article, op.Effective, op.Waits, w)
		}
	}
}
