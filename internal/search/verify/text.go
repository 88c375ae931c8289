package verify

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"vigueur/internal/gazette/layout"
	"vigueur/internal/gazette/pdftext"
	"vigueur/internal/kit/errs"
	"vigueur/internal/kit/lazyre"
	"vigueur/internal/kit/officetext"
	"vigueur/internal/law"
	"vigueur/internal/law/french"
	"vigueur/internal/law/quote"
	"vigueur/internal/law/read"
	"vigueur/internal/search/question"
)

// span is a range of bytes in a text.
type span struct{ start, end int }

const (
	// longestQuotation is the maximum length of a quotation in bytes. An opening mark without a
	// closing mark within that length is ignored.
	longestQuotation = 16 << 10
	// longestSentence is the length in bytes at which a long sentence is split.
	longestSentence = 4 << 10
)

// closing maps the marks that open a quotation to those that close it.
var closing = map[rune]rune{'«': '»', '“': '”', '"': '"', '„': '“'}

// quotations returns the quotations of a text that contain words, without their marks and the
// white space next to the marks.
func quotations(text string) (out []span) {
	ends := closings(text)
	for pos := 0; pos < len(text); {
		open, size := utf8.DecodeRuneInString(text[pos:])
		last, opens := closing[open]
		end, closed := ends[pos]
		if pos += size; !opens || !closed || open == '"' && !opensStraight(text, pos) {
			continue
		}
		if quote.Words(text[pos:end]) >= quote.FewestWords {
			inner := strings.TrimSpace(text[pos:end])
			start := pos + strings.Index(text[pos:end], inner)
			out = append(out, span{start, start + len(inner)})
		}
		pos = end + utf8.RuneLen(last)
	}
	return out
}

// opensStraight reports whether the straight mark before a place opens a quotation: a word follows
// the mark, and no word precedes it.
func opensStraight(text string, pos int) bool {
	left, _ := utf8.DecodeLastRuneInString(text[:pos-1])
	right, _ := utf8.DecodeRuneInString(text[pos:])
	return !unicode.IsLetter(left) && !unicode.IsDigit(left) && !unicode.IsSpace(right)
}

// closings maps the place of each opening mark to the place of its closing mark. A quotation may
// contain others in the same marks. Each mark is looked at once, so that a text full of unclosed
// marks takes linear time.
func closings(text string) map[int]int {
	type mark struct {
		at, behind, level int // level: number of quotations that are open after it
		opens             bool
	}
	ends := map[int]int{}
	for open, last := range closing {
		var marks []mark
		level, begins := 0, false // begins: only white space precedes the mark on its line
		for i, r := range text {
			switch {
			case r == open:
				if !begins && open != last { // at the beginning of a line, a mark repeats the opening one
					level++
				}
				marks = append(marks, mark{i, i + utf8.RuneLen(r), level, true})
			case r == last:
				level--
				marks = append(marks, mark{i, i, level, false})
			}
			begins = r == '\n' || begins && unicode.IsSpace(r)
		}
		next := map[int]int{} // by level: the nearest closing mark to the right
		for _, m := range slices.Backward(marks) {
			if m.opens {
				lower := m.level - 1
				if open == last {
					lower = m.level
				}
				if end, closed := next[lower]; closed && end-m.behind < longestQuotation {
					ends[m.at] = end
				}
			}
			if !m.opens || open == last {
				next[m.level] = m.at
			}
		}
	}
	return ends
}

// sentence is a sentence of a text; the words of quotations are blanked out.
type sentence struct {
	words string
	start int // byte of the text
}

// sentences splits a text into sentences. It replaces the words of quotations by blanks, which
// keeps all places, and line breaks within a paragraph by blanks.
func sentences(text string, quoted []span) (out []sentence) {
	plain := []byte(text)
	for _, q := range quoted {
		for i := q.start; i < q.end; i++ {
			plain[i] = ' '
		}
	}
	mendBreaks(plain)
	for i := 0; i < len(plain); i++ {
		if plain[i] != '\n' {
			continue
		}
		end := i + 1
		for end < len(plain) && (plain[end] == ' ' || plain[end] == '\t') {
			end++
		}
		if end < len(plain) && plain[end] == '\n' {
			i = end // a blank line ends the paragraph
		} else {
			plain[i] = ' '
		}
	}
	words := string(plain)
	for _, s := range french.Sentences(words) {
		for start := s.Start; start < s.End; {
			end := s.End
			if end-start > longestSentence {
				end = start + longestSentence
				if blank := strings.LastIndexByte(words[start:end], ' '); blank > 0 {
					end = start + blank
				}
				for !utf8.RuneStart(words[end]) {
					end--
				}
			}
			out = append(out, sentence{words[start:end], start})
			start = end
		}
	}
	return out
}

// broken matches a hyphen at the end of a line with a letter or a digit on both sides: « préa-⏎vis », « n° 2023-⏎07 ». The groups are
// the hyphen and the rest of the word.
var broken = lazyre.New(`[\pL\d]([-‐])[ \t]*\n[ \t]*(\p{Ll}[\pL\pM]*|\d+)`)

// mendBreaks joins words that are broken at the end of a line. It moves the freed blanks after the
// word, so that the following words keep their places. A number keeps its hyphen.
func mendBreaks(text []byte) {
	for _, m := range broken.FindAllStringSubmatchIndex(string(text), -1) {
		start := m[2]
		if text[m[4]] >= '0' && text[m[4]] <= '9' {
			start = m[3]
		}
		n := copy(text[start:], text[m[4]:m[5]])
		for i := start + n; i < m[5]; i++ {
			text[i] = ' '
		}
	}
}

// wordEnd returns the end of the word or number that contains or ends at a place.
func wordEnd(text string, pos int) int {
	inWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }
	if left, _ := utf8.DecodeLastRuneInString(text[:pos]); !inWord(left) {
		return pos
	}
	for pos < len(text) {
		r, size := utf8.DecodeRuneInString(text[pos:])
		if !inWord(r) {
			break
		}
		pos += size
	}
	return pos
}

// reference is a reference within a sentence.
type reference struct {
	question.Reference
	own bool // an article of the document itself
}

// ownArticle matches articles of the document itself: « l'article 5 ci-dessous », « l'article
// 3 du contrat ».
var ownArticle = law.Pattern(`(?i)\b(art(?:icle)?s?\.? +\d[\d.~]*(?:er)?(?:(?: *, *| +et +| +à +| +ou +)\d[\d.~]*)*),?(?: +ci~(?:dessous|dessus|après|avant)| +(?:supra|infra)| +(?:du +présent|de +la +présente|des +présentes)(?:$|[^\p{L}])| +(?:du +(?:contrat|bail|mémoire|pacte|protocole)|des +statuts|du +cahier +des +charges)(?:$|[^\p{L}]))`)

// references returns the references of a sentence, in order and without overlap; on request those
// to articles of the document itself are marked as its own.
func references(words string, own bool) (out []reference) {
	plain := []byte(words)
	for _, m := range ownArticle.FindAllStringSubmatchIndex(words, -1) {
		if !own {
			break
		}
		out = append(out, reference{own: true, Reference: read.Reference{Start: m[2], End: m[3]}})
		for i := m[0]; i < m[3]; i++ {
			plain[i] = ' '
		}
	}
	for _, r := range question.References(string(plain)) {
		out = append(out, reference{Reference: r})
	}
	slices.SortStableFunc(out, func(a, b reference) int { return a.Start - b.Start })
	for i := 1; i < len(out); i++ {
		out[i].Start = max(out[i].Start, out[i-1].End)
		out[i].End = max(out[i].End, out[i].Start)
	}
	return out
}

// nameEnd returns the end of a text's name: the end of the last word after the reference that is
// in the title.
func nameEnd(words string, r question.Reference, title string) int {
	end := r.End
	for _, t := range french.Analyze(words[r.End:]) {
		switch {
		case t.Stop:
		case slices.Contains(french.Terms(title), t.Term):
			end = r.End + t.End
		default:
			return end
		}
	}
	return end
}

// behind matches the words or bracket that tie a quotation to the reference after it. Behind a full stop words begin the next
// sentence: « … ». Selon l'article 75, …
var behind = law.Pattern(`(?i)^(?:[»”“"\s.,;]*[(\[–—]\s*(?:(?:cf|voir|v)\.? +)?|[»”“"\s,;]*(?:selon|aux +termes +de|d'après|dispose|prévoit|énonce|précise|indique|stipule|édicte) +)(?:de +)?(?:l'|les +|la +|le +)?$`)

// ownerOf returns the index of the reference of a quotation, -1 if there is none. It is the next
// reference if behind matches; else the last one before the quotation that names an article; else
// the last one before it. It must be in the same paragraph, or in the one before if the quotation
// is a paragraph of its own.
func ownerOf(text string, q span, all []found) int {
	next, _ := slices.BinarySearchFunc(all, q.end, func(f found, pos int) int { return f.Start - pos })
	if next < len(all) && all[next].Start-q.end <= longestSentence && behind.MatchString(text[q.end:all[next].Start]) {
		return next
	}
	begin := paragraphStart(text, q.start)
	if strings.Trim(text[begin:q.start], " \t\n«“\"„\u00a0\u202f") == "" {
		begin = paragraphStart(text, begin)
	}
	owner := -1
	for i := next - 1; i >= 0 && all[i].End > begin; i-- {
		if all[i].End > q.start {
			continue
		}
		if len(all[i].read.Articles) > 0 && all[i].State != Own {
			return i
		}
		if owner < 0 {
			owner = i
		}
	}
	return owner
}

// paragraphStart returns the beginning of the paragraph that contains the byte before a place.
func paragraphStart(text string, pos int) int {
	return max(0, strings.LastIndex(strings.TrimRight(text[:pos], " \t\n«“\"„\u00a0\u202f"), "\n\n"))
}

const (
	// MostBytes is the maximum size of a file.
	MostBytes = 20 << 20
	// mostPages is the maximum number of pages of a PDF.
	mostPages = 400
	// pagesAtOnce is the number of pages that are read together.
	pagesAtOnce = 20
)

// Files reads files. Its zero value is ready to use.
type Files struct{ PDF pdftext.Reader }

// TooLarge returns the error for a file that is larger than MostBytes.
func TooLarge() error {
	return errs.Newf(errs.TooLarge, "Le fichier est trop grand : %d Mio au plus.", MostBytes>>20)
}

// Read returns the text of a file: .txt or .md (UTF-8, UTF-16 or Windows-1252), .docx, .odt or
// .pdf, which it recognizes by its bytes. Errors have French sentences: Unprocessable and
// Unsupported if the file cannot be read, TooLarge if the text is too long.
func (f Files) Read(ctx context.Context, path string) (text string, err error) {
	file, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("verify: %w", err)
	}
	defer file.Close() // nothing was written
	info, err := file.Stat()
	if err != nil {
		return "", fmt.Errorf("verify: %w", err)
	}
	if info.IsDir() {
		return "", errs.New(errs.Unprocessable, "C’est un dossier, non un fichier.")
	}
	head := make([]byte, min(info.Size(), 1024))
	if _, err := io.ReadFull(file, head); err != nil {
		return "", fmt.Errorf("verify: %w", err)
	}
	switch {
	case info.Size() == 0:
		return "", errs.New(errs.Unprocessable, "Le fichier est vide.")
	case info.Size() > MostBytes:
		return "", TooLarge()
	case bytes.Contains(head, []byte("%PDF-")):
		text, err = f.pdf(ctx, path)
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		text, err = officetext.Read(ctx, file)
	case bytes.HasPrefix(head, []byte("\xd0\xcf\x11\xe0")), bytes.HasPrefix(head, []byte(`{\rtf`)):
		return "", errs.New(errs.Unsupported, "Les fichiers .doc et .rtf, et les documents protégés, ne sont pas lus : enregistrez une copie en .docx, .odt ou .pdf.")
	default:
		var data []byte
		if data, err = os.ReadFile(path); err == nil {
			text, err = decode(data)
		}
	}
	if err == nil && strings.TrimSpace(text) == "" {
		err = errs.New(errs.Unprocessable, "Le fichier ne contient pas de texte.")
	}
	return text, err
}

// decode returns the text of bytes in UTF-8, UTF-16 with its mark, or Windows-1252.
func decode(data []byte) (string, error) {
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		order = binary.LittleEndian
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		order = binary.BigEndian
	case bytes.IndexByte(data, 0) >= 0:
		return "", errs.New(errs.Unsupported, "Ce fichier n’est pas un texte : .txt, .md, .docx, .odt et .pdf sont lus.")
	case utf8.Valid(data):
		return string(bytes.TrimPrefix(data, []byte("\ufeff"))), nil
	default:
		text, err := charmap.Windows1252.NewDecoder().Bytes(data)
		return string(text), err
	}
	units := make([]uint16, (len(data)-2)/2)
	for i := range units {
		units[i] = order.Uint16(data[2+2*i:])
	}
	return string(utf16.Decode(units)), nil
}

func (f Files) pdf(ctx context.Context, path string) (text string, err error) {
	d, err := f.PDF.Open(ctx, path)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	if d.Pages() > mostPages {
		return "", errs.Newf(errs.TooLarge, "Le PDF a %d pages ; %d au plus.", d.Pages(), mostPages)
	}
	var lines []layout.Line
	fault := ""
	for start := 1; start <= d.Pages(); start += pagesAtOnce {
		pages, err := d.Read(ctx, start, min(start+pagesAtOnce-1, d.Pages()))
		if err != nil {
			return "", err
		}
		for i := range pages {
			if fault == "" {
				fault = pages[i].Fault
			}
			pages[i].Words = pdftext.MendCodes(pages[i].Words)
		}
		layout.Arrange(pages)
		for _, p := range pages {
			lines = append(lines, p.Lines...)
		}
	}
	if len(lines) == 0 && fault != "" {
		return "", errs.New(errs.Unprocessable, fault)
	}
	if len(lines) == 0 {
		return "", errs.New(errs.Unprocessable, "Ce PDF n’a que des images de pages (un scan) : il n’a pas de texte à vérifier.")
	}
	return paragraphs(lines), nil
}

// paragraphs joins lines to paragraphs. A gap higher than the line separates paragraphs: it is a
// blank line.
func paragraphs(lines []layout.Line) string {
	var out strings.Builder
	start := 0
	for i := 1; i <= len(lines); i++ {
		if i < len(lines) && lines[i].Gap <= lines[i].Rect[3]-lines[i].Rect[1] {
			continue
		}
		words, _ := layout.Join(lines[start:i])
		if start > 0 {
			out.WriteString("\n\n")
		}
		out.WriteString(words)
		start = i
	}
	return out.String()
}
