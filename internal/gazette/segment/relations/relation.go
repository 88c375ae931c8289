package relations

import (
	"slices"
	"strings"
	"unicode"

	"vigueur/internal/gazette"
	"vigueur/internal/gazette/heads"
	"vigueur/internal/gazette/segment/force"
	"vigueur/internal/gazette/segment/line"
	"vigueur/internal/gazette/segment/sentence"
	"vigueur/internal/gazette/segment/titles"
	"vigueur/internal/kit/lazyre"
	"vigueur/internal/law"
)

var (
	repealed = line.OptionalAccents(`(?i)\b(?:est|sont|demeurent?|soit|soient) +(?:et +demeurent? +)?(?:expressément +)?abrogée?s?(?:$|\P{L})`)
	repeals  = line.OptionalAccents(`(?i)\b(?:abroge|abrogent)\b`)
	amended  = line.OptionalAccents(`(?i)\b(?:est|sont) +(?:et +demeurent? +)?(?:ainsi +)?(?:modifi|amend|remplac|complét|rédig|reformul|rectifi|substitu)(?:é|ée|és|ées)(?:$|\P{L})`)
	inserted = line.OptionalAccents(`(?i)\b(?:est|sont) +(?:inséré|ajouté|créé|introduit|intercalé)(?:e|s|es)?(?:$|\P{L})`)
	amends   = line.OptionalAccents(`(?i)\b(?:modifie|modifient|complète|complètent|remplace|remplacent)\b`)
	// Words that turn a reference before the verb into a mere circumstance.
	circumstance = line.OptionalAccents(`(?i)\b(?:lorsque|lorsqu'|si|quand|prévue?s?|visée?s?|conformément|en application|en vertu|au sens|dans les conditions|jusqu'à|sous réserve|nonobstant|dont)(?:$|\P{L})`)
	// « … portant Code du travail », after the number of the law that enacted this code.
	bornAs = line.OptionalAccents(`(?i)^[^.;]{0,80}\b(?:portant|formant|instituant|relati(?:f|fs|ve|ves) +(?:au|aux|à)|promulguant|promulgation du|approuvant)\b[^.;]{0,60}$`)
	// « le code de procédure civile approuvé par le dahir … » is one text.
	bornBy = line.OptionalAccents(`(?i)^ *(?:,? *tel que)? *(?:a été +)?(?:approuvé|promulgué|institué|annexé|édicté)e? +(?:par|à) +(?:le +|la +|l')?[^.;]{0,30}$`)
	// « … est abrogé par l'article 397 de la loi … »: another text makes this change.
	byOther = line.OptionalAccents(`(?i)^ *(?:et +\p{L}+ +)?par +(?:l'article|les articles|la loi|le décret|l'ordonnance|l'arrêté|le dahir|le code|la circulaire)`)
	// « portant application de la loi … », « tel que modifié par le décret … »:
	// what follows belongs to a title.
	complement = line.OptionalAccents(`(?i)(?:application|exécution|modification|révision|ratification|approbation|promulgation) +(?:des +dispositions +)?(?:de +la|du|de +l'|des) *$|(?:modifiant|complétant|abrogeant|remplaçant|modifiée?s?|complétée?s?)(?: +et +\p{L}+)?(?: +par)? *(?:la|le|l'|les)? *$`)
	// « le chapitre III de la loi … »: only a division of the text.
	divisionOf = line.OptionalAccents(`(?i)\b(?:chapitres?|titres?|sections?|livres?|paragraphes?|annexes?|alinéas?) +(?:` + heads.Roman + `\b|\d|premi|uniq)`)
	// « les articles 28 et 29 mentionnés à l'article 234 »: article 234 only says where the others are mentioned.
	placeIn = line.OptionalAccents(`(?i)\b(?:mentionné|visé|prévu|énoncé|cité|figurant|inscrit)e?s? +(?:à|aux|par|au|dans|en) *(?:l'|les +|le +|la +)?$`)
	// « le premier alinéa de l'article 5 », « le point 1 de l'article 4 »
	partOf = line.OptionalAccents(`(?i)(?:alinéas?|paragraphes?|points?|tirets?|phrases?|numéros?|littera) *(?:[^,;.]{0,30})?(?:de +|des +|du +|à +)(?:l'|les +)?$`)
	// « Toutes dispositions antérieures contraires » names nothing.
	inParticular = line.OptionalAccents(`(?i)\b(?:notamment|en particulier)\b`)
	contrary     = line.OptionalAccents(`(?i)\btoutes? +(?:les +)?(?:autres +)?dispositions?\b.{0,60}\bcontraires?\b`)
)

// Of finds what the articles of a text do to other texts. object is the object in the text's title. Of skips words in
// quotation marks, which are new wordings.
func Of(doc law.Document, object string, articles []law.Article) []gazette.Relation {
	r := reader{own: doc.OfficialNumber, title: law.Fold(doc.Title)}
	object, _, _ = strings.Cut(object, "promulgu") // it does not amend the act that promulgated it
	r.remember(law.References(object))
	var out []gazette.Relation
	for i, a := range articles {
		if a.Number == "" && (a.Heading == gazette.PreambleHeading || a.Heading == gazette.SignaturesHeading) || strings.HasPrefix(a.Number, "Annexe") {
			continue
		}
		if !sentence.Mentions(a.Text, changingStems) {
			continue
		}
		for _, s := range sentence.Split(sentence.WithoutQuotes(ownWords(a.Text))) {
			for _, rel := range r.sentence(s) {
				out = appendNew(out, gazette.Relation{Article: i, Relation: rel})
			}
		}
	}
	return out
}

// ownWords removes the wording for another text that follows « par les dispositions suivantes : » without
// quotation marks, and everything after it.
func ownWords(text string) string {
	at := 0
	for {
		i := strings.IndexByte(text[at:], '\n')
		if i < 0 {
			return text
		}
		alinea := text[at : at+i]
		at += i + 1
		next, _, _ := strings.Cut(text[at:], "\n")
		if line.Rewords.MatchString(alinea) && line.Changing.MatchString(alinea) && line.IsHead(next) {
			return text[:at]
		}
	}
}

// appendNew adds a relation, unless the article already has it.
func appendNew(all []gazette.Relation, r gazette.Relation) []gazette.Relation {
	for _, o := range all {
		if o.Article == r.Article && o.Kind == r.Kind && o.TargetNumber == r.TargetNumber && o.TargetTitle == r.TargetTitle &&
			slices.Equal(o.TargetArticles, r.TargetArticles) {
			return all
		}
	}
	return append(all, r)
}

// reader reads sentences in order; « la même loi » means the text that was named last.
type reader struct {
	own   string // the number of the text being read
	title string // the folded title of the text being read
	last  law.Reference
}

// remember stores the last text named, for « la même loi ».
func (r *reader) remember(refs []law.Reference) {
	for _, ref := range refs {
		if ref.Number != "" && ref.Number != r.own || ref.Number == "" && ref.Title != "" && (ref.Type == law.Code || ref.Type == law.Constitution) {
			r.last = ref
		}
	}
}

// changingStems are the folded stems of all verbs that sentence looks for. Few articles, and fewer sentences,
// contain one, and looking for stems takes a hundredth of the time of the regular expressions.
var changingStems = []string{"abrog", "modifi", "amend", "remplac", "complet", "redig", "reformul", "rectifi", "substitu", "inser", "ajout", "cree", "introdui", "intercal"}

// sentence returns the changes that a sentence makes.
func (r *reader) sentence(s string) []law.Relation {
	if !sentence.Mentions(s, changingStems) {
		return nil
	}
	refs := withoutBirths(s, law.References(s))
	for _, verb := range []*lazyre.Regexp{repealed, amended, inserted} {
		if at := verb.FindStringIndex(s); len(at) == 2 && byOther.MatchString(s[at[1]-1:]) {
			return nil
		}
	}
	if at := inParticular.FindStringIndex(s); contrary.MatchString(s) {
		if at == nil {
			return nil
		}
		return r.changes(law.Repeals, s, referencesAfter(refs, at[1]))
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
		return r.changes(law.Repeals, s, referencesAfter(refs, at[1]))
	}
	if at := inserted.FindStringIndex(s); at != nil {
		if circumstance.MatchString(s[:at[0]]) {
			return nil
		}
		return r.insertion(s, refs)
	}
	if at := amended.FindStringIndex(s); at != nil {
		return adding(s, at, r.changes(law.Amends, s, subjects(s, refs, at)))
	}
	if at := amends.FindStringIndex(s); at != nil && strings.HasPrefix(law.Fold(s), "l") && strings.Contains(law.Fold(s[:at[0]]), "present") {
		return adding(s, at, r.changes(law.Amends, s, referencesAfter(refs, at[1])))
	}
	return nil
}

// rewriting matches verbs that replace all of the old wording.
var rewriting = law.Pattern(`(?i)\b(?:modifi|amendé|remplac|reformul|rectifi|substitu|abrog)`)

// adding sets Adds in the changes of a sentence if its verb, at [at[0],at[1]), completes and no other verb
// rewrites: « l'article 5 est complété par un alinéa ainsi rédigé » keeps the wording of article 5.
func adding(s string, at []int, relations []law.Relation) []law.Relation {
	if !strings.Contains(law.Fold(s[at[0]:at[1]]), "complet") || rewriting.MatchString(s) {
		return relations
	}
	for i := range relations {
		relations[i].Adds = true
	}
	return relations
}

// withoutBirths drops the name that a law gives to its code, because « la loi n° 2023-07 portant Code du
// travail » names one text.
func withoutBirths(s string, refs []law.Reference) []law.Reference {
	var out []law.Reference
	for _, ref := range refs {
		if n := len(out); n > 0 && len(ref.Articles) == 0 {
			between := s[out[n-1].End:ref.Start]
			if ref.Number != "" && out[n-1].Number != "" && complement.MatchString(between) {
				continue
			}
			if ref.Number == "" && out[n-1].Number != "" && bornAs.MatchString(between) || ref.Number != "" && out[n-1].Title != "" && bornBy.MatchString(between) {
				continue
			}
		}
		out = append(out, ref)
	}
	return out
}

// impersonal matches what may come before « est abrogé » if the subject follows.
var impersonal = law.Pattern(`(?i)^(?:~ *|il *|à compter .*|à la même date,? *|en conséquence,? *)$`)

// subjects returns the references that are the subject of the verb at [at[0],at[1]): those before it or, in
// « sont abrogés : … », those after it.
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
		return referencesAfter(refs, at[1])
	}
	if circumstance.MatchString(s[:before[0].Start]) || circumstance.MatchString(s[before[len(before)-1].End:at[0]]) {
		return nil
	}
	return before
}

func referencesAfter(refs []law.Reference, at int) []law.Reference {
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

// changes returns the relation of each reference. Articles that are named without a text get the text that owner finds.
func (r *reader) changes(kind law.RelationKind, s string, refs []law.Reference) []law.Relation {
	var out []law.Relation
	for i, ref := range refs {
		if ref.Self || placeIn.MatchString(s[:ref.Start]) {
			continue
		}
		if ref.Number == "" && ref.Title == "" {
			ref = r.owner(ref, refs[i+1:])
		}
		for _, part := range splitReference(ref, s, i+1 < len(refs) && placeIn.MatchString(s[:refs[i+1].Start])) {
			if rel, ok := r.relation(kind, s, part.Reference); ok {
				if part.partial {
					rel.Kind, rel.Adds = law.Amends, true
				}
				out = append(out, rel)
				r.remember([]law.Reference{ref})
			}
		}
	}
	return out
}

// portion is a reference to whole articles, or only to parts of articles.
type portion struct {
	law.Reference
	partial bool
}

// splitReference separates the whole articles of a reference from those that it means in part, because a change to a
// part leaves the rest of the article in force. Articles that another article mentions (« les articles 28 et 29
// mentionnés à l'article 234 ») count as parts.
func splitReference(ref law.Reference, s string, within bool) []portion {
	if len(ref.Articles) > 0 && (within || partOf.MatchString(s[:ref.Start])) {
		return []portion{{ref, true}}
	}
	if len(ref.Articles) == 0 && divisionOf.MatchString(clauseBefore(s, ref.Start)) {
		return []portion{{ref, true}}
	}
	if len(ref.Parts) == 0 {
		return []portion{{ref, false}}
	}
	whole, some := ref, ref
	whole.Articles = slices.DeleteFunc(slices.Clone(ref.Articles), func(n string) bool { return slices.Contains(ref.Parts, n) })
	some.Articles = ref.Parts
	if len(whole.Articles) == 0 {
		return []portion{{some, true}}
	}
	return []portion{{whole, false}, {some, true}}
}

// owner completes ref, whose articles are named without a text. They belong to the text of the next reference, if that
// reference has articles too (« l'article 3 et l'article 5 de la loi … »), else to the text that was named last.
func (r *reader) owner(ref law.Reference, next []law.Reference) law.Reference {
	articles, parts, start := ref.Articles, ref.Parts, ref.Start
	if !ref.Same && len(next) > 0 && len(next[0].Articles) > 0 {
		ref = next[0]
	} else {
		ref = r.last
	}
	ref.Articles, ref.Parts, ref.Start = articles, parts, start
	return ref
}

// clauseBefore returns the words of a sentence before byte at, within the same clause of a list.
func clauseBefore(s string, at int) string {
	return s[strings.LastIndexAny(s[:at], ";:\n")+1 : at]
}

func (r *reader) relation(kind law.RelationKind, s string, ref law.Reference) (law.Relation, bool) {
	if ref.Number == "" && ref.Title == "" || ref.Number != "" && ref.Number == r.own {
		return law.Relation{}, false
	}
	if ref.Number == "" && ref.Title != "" && holdsWords(r.title, law.Fold(ref.Title)) && !titles.Amending.MatchString(r.title) {
		return law.Relation{}, false // the code itself
	}
	rel := law.Relation{Kind: kind, TargetType: ref.Type, TargetNumber: ref.Number, TargetArticles: ref.Articles}
	if ref.Number == "" {
		rel.TargetTitle = ref.Title
	}
	if ref.Number != "" && !ref.Date.IsZero() {
		day := ref.Date
		rel.TargetDate = &day
	}
	if m := force.FromDay.FindStringSubmatch(s); m != nil {
		rel.Effective, _, _, _ = law.FindDate(m[1])
	}
	return rel, true
}

// holdsWords reports whether a text contains the given words, not followed by a letter: « révision constitutionnelle »
// does not contain « constitution ».
func holdsWords(text, words string) bool {
	for {
		at := strings.Index(text, words)
		if at < 0 {
			return false
		}
		text = text[at+len(words):]
		if next, _ := line.FirstRune(text); !unicode.IsLetter(next) {
			return true
		}
	}
}

// insertion reads « Il est inséré, après l'article 26 de la même loi, un article 26 bis »: the target is the
// new article, in the text of the existing one.
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
		lead := " " + strings.TrimSpace(law.Fold(s[:ref.Start]))
		if len(ref.Articles) > 0 && (strings.HasSuffix(lead, " un") || strings.HasSuffix(lead, " des") || strings.HasSuffix(lead, " les") || strings.HasSuffix(lead, " l'") || heads.MarksNew(s[ref.Start:ref.End], ref.End-ref.Start)) && !placeOf.MatchString(lead) {
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
		rel.Adds, rel.Inserts = true, len(fresh) > 0
		r.remember([]law.Reference{text})
		return []law.Relation{rel}
	}
	return nil
}

// placeOf matches the words before a reference that only says where the new article goes.
var placeOf = law.Pattern(`(?:apres|avant|a la suite de|entre) +(?:l'|les)$|\bde +l'$|\ba +l'$`)
