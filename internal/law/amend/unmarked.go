package amend

import (
	"slices"
	"strconv"
	"strings"

	"vigueur/internal/law"
)

// unmarked returns the paragraphs after an instruction that are new wordings without
// quotation marks: it names articles and ends with a colon, and they begin with the head of
// such an article, or of one that is marked as new.
func (r *reader) unmarked(b block, at int, next []block) (wording []string, n int) {
	if len(b.wording) > 0 || len(next) == 0 || !strings.HasSuffix(strings.TrimRight(b.text, afterWording), "uit") && !strings.HasSuffix(strings.TrimRight(b.text, " "), ":") {
		return nil, 0
	}
	named := map[string]bool{}
	for _, ref := range law.References(b.text[at:]) {
		for _, a := range ref.Articles {
			named[law.ArticleKey(a)] = true
		}
	}
	if r.o.Parts != nil {
		return nil, 0
	}
	if len(named) == 0 || !headFollows(next[0]) && divisionLine.MatchString(next[0].text) {
		return r.division(b, next)
	}
	if headAt(next[0].text).n == 0 {
		return r.counted(b, next)
	}
	marked := false
	for n < len(next) {
		line := next[n].text
		if h := headAt(line); h.n > 0 {
			if n == 0 && !h.fresh && !named[law.ArticleKey(h.number)] {
				return nil, 0
			}
			if n > 0 && !h.fresh && (marked || !named[law.ArticleKey(h.number)]) && !strings.HasPrefix(law.Fold(strings.TrimSpace(line[h.n:])), "abrog") {
				break
			}
			marked = marked || h.fresh
		} else if n == 0 {
			return nil, 0
		}
		wording = append(wording, next[n].text)
		wording = append(wording, next[n].wording...)
		n++
	}
	return wording, n
}

func headFollows(b block) bool { return headAt(b.text).n > 0 }

// division returns the paragraphs after an instruction that are the wording of a new division
// or of articles that it does not name, without quotation marks: up to the next article of
// the act, whose number follows that of the last one.
func (r *reader) division(b block, next []block) (wording []string, n int) {
	own, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSuffix(law.ArticleNumber(r.own), "er"), "unique"))
	if err != nil || !addedDivision.MatchString(law.Fold(b.text)) || !headFollows(next[0]) && !divisionLine.MatchString(next[0].text) {
		return nil, 0
	}
	for n < len(next) {
		if h := headAt(next[n].text); h.n > 0 && law.ArticleKey(h.number) == strconv.Itoa(own+1) {
			break
		}
		wording = append(append(wording, next[n].text), next[n].wording...)
		n++
	}
	return wording, n
}

// addedDivision matches an instruction that adds or rewrites a division or articles, in
// folded words.
var addedDivision = law.Pattern(`\b(?:ajoute|insere|cree|intercale|remplace|redige|retabli|modifie)e?s?\b.*\b(?:chapitre|titre|section|sous-section|livre|articles?|dispositions)\b`)

// counted returns the paragraphs after an instruction that adds a number of alineas without
// quotation marks (« un alinéa ainsi libellé : »): as many as it says, if the head of an
// article or a label follows them, or nothing.
func (r *reader) counted(b block, next []block) (wording []string, n int) {
	m := addedAlineas.FindStringSubmatch(law.Fold(b.text))
	if m == nil || len(b.quotes) > 0 {
		return nil, 0
	}
	n = numberWords[m[1]]
	if n == 0 || len(next) < n {
		return nil, 0
	}
	for _, line := range next[:n] {
		if headAt(line.text).n > 0 || len(line.wording) > 0 {
			return nil, 0
		}
		wording = append(wording, line.text)
	}
	if len(next) > n {
		kind, _, _ := labelOf(next[n].text, r.lastLabel)
		if headAt(next[n].text).n == 0 && (kind == noLabel || r.lastLabel(kind) == "") {
			return nil, 0
		}
	}
	return wording, n
}

// addedAlineas matches the end of an instruction that adds alineas, in folded words.
var addedAlineas = law.Pattern(`\b([a-z]+) alineas? (?:nouveaux? )?(?:ainsi )?(?:redige|libelle|concu)s?(?: comme suit| ainsi qu'il suit)? *:$`)

// inlineHead returns the byte at which a wording without marks begins in the paragraph of
// its instruction (« … est remplacé comme suit : Art. L. 5. Le … »), 0 if there is none.
func inlineHead(b block, at int) int {
	if len(b.wording) > 0 || len(b.quotes) > 0 {
		return 0
	}
	colon := strings.IndexByte(b.text[at:], ':')
	if colon < 0 {
		return 0
	}
	head := at + colon + 1
	rest := strings.TrimLeftFunc(b.text[head:], blankOrInvisible)
	head = len(b.text) - len(rest)
	if headAt(rest).n > 0 {
		return head
	}
	if m := bareHead.FindStringSubmatch(rest); m != nil { // « … par les dispositions suivantes : 971. - Le … »
		for _, ref := range law.References(b.text[at:head]) {
			if slices.ContainsFunc(ref.Articles, func(n string) bool { return law.ArticleKey(n) == law.ArticleKey(m[1]) }) {
				return head
			}
		}
	}
	return 0
}
