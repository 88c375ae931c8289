package ocr

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/law"
)

// Values of the column « level » in Tesseract's table.
const (
	levelLine = "4"
	levelWord = "5"
)

// dirt is the confidence (0 to 100) below which a word without a letter or digit is
// dropped as dirt on the page.
const dirt = 40

// parseTSV reads the words of Tesseract's table, scaled from pixels to points.
func parseTSV(table []byte, scale float64) []layout.Word {
	return slices.Concat(parseLines(table, scale)...)
}

// parseLines reads the words of Tesseract's table line by line, scaled from pixels to points.
// Each word gets the height of its line, because Tesseract's box of a word is only as
// high as the letters that happen to be in the word. Other text than rows of such a
// table is skipped.
func parseLines(table []byte, scale float64) [][]layout.Word {
	var lines [][]layout.Word
	var words []layout.Word
	var line law.Rect
	end := func() {
		if len(words) > 0 {
			raise(words, line)
			lines = append(lines, words)
		}
		words = nil
	}
	for row := range strings.Lines(string(table)) {
		f := strings.SplitN(strings.TrimRight(row, "\r\n"), "\t", 12)
		if len(f) < 12 || f[0] != levelLine && f[0] != levelWord {
			continue
		}
		r, ok := box(f[6:10], scale)
		if !ok {
			continue
		}
		if f[0] == levelLine {
			end()
			line = r
			continue
		}
		text := strings.TrimSpace(f[11])
		conf, err := strconv.ParseFloat(f[10], 64)
		if err != nil || conf < 0 || conf < dirt && !hasWord(text) || strings.Trim(text, "|¦") == "" {
			continue // « | » and « ¦ » alone are a rule between columns
		}
		words = append(words, layout.Word{Text: text, Rect: r})
	}
	end()
	return lines
}

// raise gives all words of a line the height of the line's box. It does nothing if that
// box is so high that Tesseract took two lines, or a line and a stain, for one line.
func raise(words []layout.Word, line law.Rect) {
	tall := 0.0
	for i := range words {
		tall = max(tall, words[i].Rect[3]-words[i].Rect[1])
	}
	if line[3]-line[1] > 1.8*tall {
		return
	}
	for i := range words {
		r := &words[i].Rect
		r[1], r[3] = min(r[1], line[1]), max(r[3], line[3])
	}
}

// box returns the rectangle of the fields left, top, width and height of a row.
func box(f []string, scale float64) (law.Rect, bool) {
	var v [4]float64
	for i := range v {
		n, err := strconv.Atoi(f[i])
		if err != nil || n < 0 || n > 1<<20 {
			return law.Rect{}, false
		}
		v[i] = float64(n) * scale
	}
	return law.Rect{hundredth(v[0]), hundredth(v[1]), hundredth(v[0] + v[2]), hundredth(v[1] + v[3])}, true
}

func hundredth(x float64) float64 { return math.Round(x*100) / 100 }

func hasWord(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}
