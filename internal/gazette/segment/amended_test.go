package segment_test

import (
	"strings"
	"testing"

	"vigueur/internal/gazette"
)

// TestArticlesInQuotationMarks checks that a text printed as it stands after its amendments is doubted if it prints articles in
// quotation marks, which its numbering lacks, and that an amending text does not have those that it quotes.
func TestArticlesInQuotationMarks(t *testing.T) {
	t.Parallel()
	const amended = `                 DÉCRET N° 2019-12 DU 2 MARS 2019
            fixant le prix du sel, tel qu’il a été modifié.

  Art. 1er. — Le sel gris est vendu au poids.
  (Décret du 3 mai 2020)
  « Art. 2. — Les marchands tiennent un registre. »
  (Décret du 4 juin 2021)
  « Art. 2 bis. — Le registre est coté et paraphé.
  Art. 3. — Il est présenté aux agents qui le demandent. »
  Art. 4. — Le présent décret sera publié au Journal officiel.
`
	x := split(t, amended, gazette.Hints{})
	same(t, "as it stands", strings.Join(append(numbersOf(x), fields(x.Doubts)...), " "), "1er 3 4 articles")

	const amending = `                 DÉCRET N° 2020-15 DU 3 MAI 2020
       modifiant le décret n° 2019-12 fixant le prix du sel.

  Le ministre du commerce,
  Vu le décret n° 2019-12 du 2 mars 2019 fixant le prix du sel ;
  DÉCRÈTE :
  Art. 1er. — Les articles 2 et 3 du décret susvisé sont remplacés par les dispositions suivantes :
  « Art. 2. — Les marchands tiennent un registre. »
  « Art. 3. — Il est présenté aux agents qui le demandent. »
  Art. 2. — Le présent décret sera publié au Journal officiel.
`
	same(t, "amending", strings.Join(numbersOf(split(t, amending, gazette.Hints{})), " "), "1er 2")
}
