package pdftext

import "testing"

// A large initial, several lines high, is read as a word of its own.
// A word that continues in smaller, raised or lowered letters stays one word.
func TestInitialsAreWordsOfTheirOwn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, content, word string }{
		{"an initial", "BT /F1 27 Tf 50 700 Td (L) Tj ET\nBT /F1 10 Tf 67 712 Td (e ministre) Tj ET\nBT /F1 10 Tf 67 700 Td (des marais) Tj ET\n", "L"},
		{"over three lines", "BT /F1 44 Tf 50 700 Td (L) Tj ET\nBT /F1 10 Tf 78 724 Td (e ministre) Tj ET\nBT /F1 10 Tf 78 712 Td (des marais) Tj ET\n", "L"},
		{"small capitals", "BT /F1 10 Tf 50 700 Td (L) Tj /F1 7 Tf (OI) Tj ET\n", "LOI"},
		{"raised letters", "BT /F1 10 Tf 50 700 Td (M) Tj /F1 6 Tf 4 Ts (me) Tj ET\n", "Mme"},
		{"low letters", "BT /F1 12 Tf 50 700 Td (H) Tj /F1 6 Tf -2 Ts (2) Tj ET\n", "H2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			doc := opened(t, Reader{}, file(t, "a.pdf", made{pages: []madePage{{content: c.content}}}.bytes()))
			pages, err := doc.Read(t.Context(), 1, 1)
			if err != nil {
				t.Fatal(err)
			}
			if got := pages[0].Words[0]; got.Text != c.word {
				t.Errorf("got %+v, want %q", got, c.word)
			}
		})
	}
}
