package segment

import (
	"slices"
	"strings"

	"vigueur/internal/law"
)

var (
	repealed = plain(`(?i)\b(?:est|sont|demeurent?|soit|soient) +(?:et +demeurent? +)?(?:expressément +)?abrogée?s?(?:$|\P{L})`)
	repeals  = plain(`(?i)\b(?:abroge|abrogent)\b`)
	amended  = plain(`(?i)\b(?:est|sont) +(?:et +demeurent? +)?(?:ainsi +)?(?:modifi|remplac|complét|rédig|rectifi|substitu)(?:é|ée|és|ées)(?:$|\P{L})`)
	inserted = plain(`(?i)\b(?:est|sont) +(?:inséré|ajouté|créé|introduit|intercalé)(?:e|s|es)?(?:$|\P{L})`)
	amends   = plain(`(?i)\b(?:modifie|modifient|complète|complètent|remplace|remplacent)\b`)
	// Words that make of a reference before the verb a mere circumstance.
	aside = plain(`(?i)\b(?:lorsque|lorsqu'|si|quand|prévue?s?|visée?s?|conformément|en application|en vertu|au sens|dans les conditions|jusqu'à|sous réserve|nonobstant|dont)(?:$|\P{L})`)
	// « … portant Code du travail », behind the number of the law that did so.
	bornAs = plain(`(?i)^[^.;]{0,80}\b(?:portant|formant|instituant|relative? au|relatif aux|promulguant|promulgation du|approuvant)\b[^.;]{0,60}$`)
	// « Toutes dispositions antérieures contraires » names nothing.
	named    = plain(`(?i)\b(?:notamment|en particulier)\b`)
	contrary = plain(`(?i)\btoutes? +(?:les +)?(?:autres +)?dispositions?\b.{0,60}\bcontraires?\b`)
)

// relationsOf finds what a text does to others. Sentences in quotation marks are
// the new wording and say nothing.
func relationsOf(d *draft) []Relation {
	r := reader{own: d.Document.OfficialNumber}
	r.remember(law.References(d.head.object))
	var out []Relation
	for i, a := range d.Articles {
		if a.Number == "" && (a.Heading == preambleHeading || a.Heading == signaturesHeading) || strings.HasPrefix(a.Number, "Annexe") {
			continue
		}
		for _, s := range sentences(unquoted(ownWords(a.Text))) {
			for _, rel := range r.sentence(s) {
				out = appendNew(out, Relation{Article: i, Relation: rel})
			}
		}
	}
	return out
}

// ownWords leaves out the wording for another text that follows « par les
// dispositions suivantes : » without quotation marks.
func ownWords(text string) string {
	at := 0
	for {
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			return text
		}
		alinea := text[at : at+i]
		at += i + 1
		if rewords.MatchString(alinea) && changing.MatchString(alinea) && isHead(text[at:]) {
			return text[:at]
		}
	}
}

// appendNew adds a relation that the article has not said already.
func appendNew(all []Relation, r Relation) []Relation {
	for _, o := range all {
		if o.Article == r.Article && o.Kind == r.Kind && o.TargetNumber == r.TargetNumber && o.TargetTitle == r.TargetTitle &&
			slices.Equal(o.TargetArticles, r.TargetArticles) {
			return all
		}
	}
	return append(all, r)
}

// reader reads sentences in order; « la même loi » is the text named last.
type reader struct {
	own  string
	last law.Reference
}

// remember keeps the last text named, for « la même loi ».
func (r *reader) remember(refs []law.Reference) {
	for _, ref := range refs {
		if ref.Number != "" && ref.Number != r.own || ref.Number == "" && ref.Title != "" && ref.Type == law.Code {
			r.last = ref
		}
	}
}

// sentence gives the changes that one sentence makes.
func (r *reader) sentence(s string) []law.Relation {
	refs := withoutBirths(s, law.References(s))
	if at := named.FindStringIndex(s); contrary.MatchString(s) {
		if at == nil {
			return nil
		}
		return r.changes(law.Repeals, s, behind(refs, at[1]))
	}
	if at := repealed.FindStringIndex(s); at != nil {
		kind := law.Repeals
		if replaced := amended.FindStringIndex(s); replaced != nil && len(wholeTexts(refs)) == 0 {
			kind = law.Amends // « sont abrogés et remplacés par ce qui suit »
		} else if strings.Contains(law.Fold(s[at[1]:]), "remplace") {
			kind = law.Amends
		}
		return r.changes(kind, s, subjects(s, refs, at))
	}
	if at := repeals.FindStringIndex(s); at != nil {
		return r.changes(law.Repeals, s, behind(refs, at[1]))
	}
	if at := inserted.FindStringIndex(s); at != nil {
		return r.insertion(s, refs)
	}
	if at := amended.FindStringIndex(s); at != nil {
		return adding(s, at, r.changes(law.Amends, s, subjects(s, refs, at)))
	}
	if at := amends.FindStringIndex(s); at != nil && strings.HasPrefix(law.Fold(s), "l") && strings.Contains(law.Fold(s[:at[0]]), "present") {
		return adding(s, at, r.changes(law.Amends, s, behind(refs, at[1])))
	}
	return nil
}

// rewriting are the verbs that leave nothing of the old wording.
var rewriting = law.Pattern(`(?i)\b(?:modifi|remplac|rectifi|substitu|abrog)`)

// adding marks the changes of a sentence whose verb, at [a,b), completes and
// which says nothing of rewriting: « l'article 5 est complété par un alinéa ainsi
// rédigé » leaves the wording of article 5 as it is.
func adding(s string, at []int, relations []law.Relation) []law.Relation {
	if !strings.Contains(law.Fold(s[at[0]:at[1]]), "complet") || rewriting.MatchString(s) {
		return relations
	}
	for i := range relations {
		relations[i].Adds = true
	}
	return relations
}

// withoutBirths drops the name that a law gives its code: « la loi n° 2023-07
// portant Code du travail » is one text.
func withoutBirths(s string, refs []law.Reference) []law.Reference {
	var out []law.Reference
	for _, ref := range refs {
		if n := len(out); n > 0 && ref.Number == "" && len(ref.Articles) == 0 && out[n-1].Number != "" && bornAs.MatchString(s[out[n-1].End:ref.Start]) {
			continue
		}
		out = append(out, ref)
	}
	return out
}

// impersonal is what may stand before « est abrogé » when the subject comes behind.
var impersonal = law.Pattern(`(?i)^(?:~ *|il *|à compter .*|à la même date,? *|en conséquence,? *)$`)

// subjects are the references that the verb at [a,b) speaks of: those before it,
// or, in « sont abrogés : … », those behind it.
func subjects(s string, refs []law.Reference, at []int) []law.Reference {
	var before []law.Reference
	for _, ref := range refs {
		if ref.Start < at[0] {
			before = append(before, ref)
		}
	}
	if len(before) == 0 {
		if at[0] > 30 || at[0] > 0 && !impersonal.MatchString(s[:at[0]]) {
			return nil // the subject is no reference: « le tribunal est complété »
		}
		return behind(refs, at[1])
	}
	if aside.MatchString(s[:before[0].Start]) || aside.MatchString(s[before[len(before)-1].End:at[0]]) {
		return nil
	}
	return before
}

func behind(refs []law.Reference, at int) []law.Reference {
	var out []law.Reference
	for _, ref := range refs {
		if ref.Start >= at {
			out = append(out, ref)
		}
	}
	return out
}

func wholeTexts(refs []law.Reference) []law.Reference {
	var out []law.Reference
	for _, ref := range refs {
		if len(ref.Articles) == 0 && (ref.Number != "" || ref.Title != "") {
			out = append(out, ref)
		}
	}
	return out
}

// changes makes a relation of each reference; articles without a text of their
// own belong to the text named with « la même loi », or before.
func (r *reader) changes(kind law.RelationKind, s string, refs []law.Reference) []law.Relation {
	var out []law.Relation
	for i, ref := range refs {
		if ref.Self {
			continue
		}
		if ref.Number == "" && ref.Title == "" {
			ref = r.owner(ref, refs[i+1:])
		}
		if rel, ok := r.relation(kind, s, ref); ok {
			out = append(out, rel)
			r.remember([]law.Reference{ref})
		}
	}
	return out
}

// owner finds the text that articles without one belong to: the next one named
// with articles (« l'article 3 et l'article 5 de la loi … »), or the last.
func (r *reader) owner(ref law.Reference, next []law.Reference) law.Reference {
	articles := ref.Articles
	if !ref.Same && len(next) > 0 && len(next[0].Articles) > 0 {
		ref = next[0]
	} else {
		ref = r.last
	}
	ref.Articles = articles
	return ref
}

func (r *reader) relation(kind law.RelationKind, s string, ref law.Reference) (law.Relation, bool) {
	if ref.Number == "" && ref.Title == "" || ref.Number != "" && ref.Number == r.own {
		return law.Relation{}, false
	}
	rel := law.Relation{Kind: kind, TargetType: ref.Type, TargetNumber: ref.Number, TargetArticles: ref.Articles}
	if ref.Number == "" {
		rel.TargetTitle = ref.Title
	}
	if m := fromDay.FindStringSubmatch(s); m != nil {
		rel.Effective, _, _, _ = law.FindDate(m[1])
	}
	return rel, true
}

// insertion reads « Il est inséré, après l'article 26 de la même loi, un article
// 26 bis »: the target is the new article, in the text of the old one.
func (r *reader) insertion(s string, refs []law.Reference) []law.Relation {
	var text law.Reference
	var fresh []string
	for _, ref := range refs {
		switch {
		case ref.Self:
			return nil
		case ref.Number != "" || ref.Title != "":
			if text.Number == "" && text.Title == "" {
				text = ref
			}
		case ref.Same:
			text = r.last
		}
		lead := strings.TrimSpace(law.Fold(s[:ref.Start]))
		if len(ref.Articles) > 0 && (strings.HasSuffix(lead, " un") || strings.HasSuffix(lead, " des") || strings.HasSuffix(lead, " les") || strings.HasSuffix(lead, " l'") || newHead.MatchString(s[ref.Start:ref.End])) && !placeOf.MatchString(lead) {
			fresh = append(fresh, ref.Articles...)
		}
	}
	if text.Number == "" && text.Title == "" {
		text = r.last
	}
	text.Articles = fresh
	if len(fresh) == 0 { // « il est ajouté à l'article 5 un alinéa »
		for _, ref := range refs {
			text.Articles = append(text.Articles, ref.Articles...)
		}
	}
	if rel, ok := r.relation(law.Amends, s, text); ok && len(text.Articles) > 0 {
		rel.Adds = true
		r.remember([]law.Reference{text})
		return []law.Relation{rel}
	}
	return nil
}

// placeOf tells that what follows is where the new article goes, not itself.
var placeOf = law.Pattern(`(?:apres|avant|a la suite de|entre) +(?:l'|les)$|\bde +l'$|\ba +l'$`)
