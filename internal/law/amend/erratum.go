package amend

import (
	"strings"

	"vigueur/internal/law"
)

// An erratum names words as they are printed and as they are to be read, on one line or each in paragraphs of its own:
// « Au lieu de : … Lire : … ».
var (
	insteadOf = law.Pattern(`(?i)^(?:au lieu de|à la place de)\b *:? *`)
	readAs    = law.Pattern(`(?i)^(?:il faut )?(?:lire|lisez)\b *:? *`)
	readBelow = law.Pattern(`(?i)[;,.]? +(?:lire|lisez) *: *`)
)

// erratum reads words and what they are to be read as, without quotation marks. It returns how many further blocks it took.
func (r *reader) erratum(b block, next []block) (taken int, ok bool) {
	m := insteadOf.FindString(b.text)
	printed, ok := wordsAfter(b, len(m))
	if m == "" || !ok {
		return 0, false
	}
	read := []string(nil)
	if at := readBelow.FindStringIndex(b.text); at != nil && len(b.quotes) == 0 {
		printed, read = []string{b.text[len(m):at[0]]}, []string{b.text[at[1]:]}
	}
	end := b.End
	for ; taken < len(next); taken++ {
		text := next[taken].text
		if insteadOf.MatchString(text) || rest.MatchString(text) || closes.MatchString(text) || headFollows(next[taken]) || read != nil && saysChange(law.Fold(text)) {
			break
		}
		switch m := readAs.FindString(text); {
		case m != "" && read == nil:
			if read, ok = wordsAfter(next[taken], len(m)); !ok {
				return 0, false
			}
		case read == nil:
			printed = append(printed, text)
		default:
			read = append(read, text)
		}
		end = next[taken].last()
		if read != nil && (len(next[taken].quotes) > 0 || len(next[taken].wording) > 0) {
			taken++
			break // the words are in quotation marks
		}
	}
	words := func(lines []string) string { return strings.TrimFunc(strings.Join(lines, "\n"), blankOrInvisible) }
	if read == nil || words(printed) == "" || words(read) == "" {
		return 0, false
	}
	spots := r.above().spots
	if len(spots) == 0 {
		spots = []spot{{}}
	}
	b.End, b.quoted = end, Span{}
	make := maker{r: r, b: b, p: &parser{mem: &r.mem}, noticed: true, likely: true}
	if make.withText(spots[0]).text.Zero() {
		return 0, false
	}
	make.add(ReplaceWords, spots, func(op *Operation) {
		op.Words, op.New, op.Times = words(printed), []string{words(read)}, 1
	})
	return taken, true
}

// wordsAfter returns what follows byte at of a block: words without marks, or those of one quotation, on the same line or
// in the paragraphs below.
func wordsAfter(b block, at int) (lines []string, ok bool) {
	line := strings.TrimFunc(b.text[at:], blankOrInvisible)
	switch {
	case len(b.quotes) == 0 && len(b.wording) == 0:
		return []string{b.text[at:]}, true
	case len(b.quotes) == 0 && line == "":
		return b.wording, !b.open
	case len(b.quotes) == 1 && len(b.wording) == 0 && !b.quotes[0].open && strings.Trim(b.text[at:b.quotes[0].start]+b.text[b.quotes[0].end:], afterWording) == "":
		return []string{b.quotes[0].words}, true
	}
	return nil, false
}

// corrects reports whether folded words may be an erratum of one line, or say how an article is to be read.
func corrects(plain string) bool {
	return strings.Contains(plain, "se lit ") || strings.Contains(plain, "se lisent ") || strings.Contains(plain, "au lieu de") && (strings.Contains(plain, "lire") || strings.Contains(plain, "lisez"))
}

// corrected reads the words of an erratum in an instruction: « il y a lieu de lire : « a » au lieu de « b » ».
func (p *parser) corrected(i int) int {
	switch w := p.word(i + 1); {
	case (p.word(i) == "au" || p.word(i) == "dans") && (strings.HasPrefix(w, "memorial") || w == "journal" || w == "bulletin" || w == "moniteur"): // « Au Mémorial A – n° 38 du 16 août, page 522, il y a lieu de lire »
		for k := i + 2; k < len(p.toks) && k < i+40 && p.toks[k].quote < 0; k++ {
			if p.word(k) == "il" && p.word(k+1) == "y" || p.word(k) == "lire" {
				return k
			}
		}
	case p.word(i) == "il" && p.word(i+1) == "y" && p.word(i+2) == "a" && p.word(i+3) == "lieu" && p.word(i+4) == "de":
		return i + 5
	case p.word(i) == "au" && p.word(i+1) == "lieu" && p.word(i+2) == "de":
		at := i + 3
		if p.word(at) == ":" {
			at++
		}
		if at < len(p.toks) && p.toks[at].quote >= 0 {
			p.c.words, p.c.times = append(p.c.words, p.quotes[p.toks[at].quote].words), 1
			return at + 1
		}
	case (p.word(i) == "lire" || p.word(i) == "lisez") && (p.c.verb == noVerb || p.c.verb == replaces || p.c.verb == modifies):
		if p.c.verb = replaces; len(p.c.in) == 0 {
			p.c.in, p.c.subject = p.c.subject, nil
		}
		at := i + 1
		for ; p.word(at) == ":" || p.word(at) == ","; at++ {
		}
		if at < len(p.toks) && p.toks[at].quote >= 0 {
			p.c.new = append(p.c.new, p.quotes[p.toks[at].quote].words)
			return at + 1
		}
		return i + 1
	}
	return i
}
