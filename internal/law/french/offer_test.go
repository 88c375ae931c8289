package french

import "testing"

func TestOffers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		question, text string
		asks, offers   Offers
	}{
		{"Qui nomme le directeur ?", "Le directeur est nommé par arrêté du ministre.", Authority, Authority},
		{"Peut-on pêcher la nuit ?", "Nul ne pêche la nuit.", Permission, Permission},
		{"Combien de temps dure le bail ?", "Le bail dure neuf ans", Period, Period},
		{"À quelles conditions est-il agréé ?", "Il est agréé si ses comptes sont tenus.", Condition, Condition | Permission},
		{"Où est le siège de la cour ?", "Le siège est à Thiès.", Place, Place},
		{"Quel est le capital ?", "Le capital est libre.", 0, 0},
		{"Définition du meunier", "Est meunier celui qui moud ; la sieste n’y change rien.", 0, 0},
	} {
		if got := AsksFor(c.question); got != c.asks {
			t.Errorf("%q asks for %05b, want %05b", c.question, got, c.asks)
		}
		if got := OffersOf(c.text); got != c.offers {
			t.Errorf("%q offers %05b, want %05b", c.text, got, c.offers)
		}
	}
}
