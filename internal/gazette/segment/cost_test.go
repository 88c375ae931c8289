package segment_test

import (
	"strings"
	"testing"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/segment"
)

// TestHostilePagesCostLittle cuts texts that are made to be searched again and again. The test binary's
// timeout is the limit.
func TestHostilePagesCostLittle(t *testing.T) {
	t.Parallel()
	for name, line := range map[string]string{
		"the same head":      "  Article 1er : Le sel est gris.\n",
		"heads out of count": "  Article 9 : Le sel est gris.\n  Article R. 3 : Non.\n",
		"blurred heads":      "  Artic1e j; - Le sel est gris.\n",
		"open quotations":    "  « Le sel\n  Art. 3 - « gris :\n",
		"annexes":            "          ANNEXE I\n  Le sel est gris.\n",
		"heads of texts":     "          LOI N° 2019-3 DU 2 MARS 2019\n  relative au sel.\n  Vu la loi n° 3 ;\n",
		"foot notes":         "  (1) Le sel.\n__________\n",
		"references":         "  Sont abrogés les articles 1er (2e alinéa), 3 (alinéa 2), 4 à 9 de la loi n° 99-4 du 2 mai 1999, des articles 3 et 4\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pages := typed(decree + strings.Repeat(line, 1500))
			if got := segment.Split(pages, gazette.Hints{}); len(got.Texts) == 0 {
				t.Error("no text")
			}
		})
	}
}
