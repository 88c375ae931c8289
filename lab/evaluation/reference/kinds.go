package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"vigueur/internal/law"
	"vigueur/internal/law/french"
	"vigueur/internal/law/read"
	"vigueur/internal/store/postgres"
)

// article asks for the words of an article, which alone may be cited.
func (m *maker) article(s source) (string, wanted, bool) {
	all := s.inForce()
	if len(all) == 0 {
		return "", wanted{}, false
	}
	a := all[m.r.IntN(len(all))]
	name := m.called(s)
	question := m.form([]string{"Que dit l’article %[1]s %[2]s ?", "article %[1]s %[2]s", "art. %[1]s %[2]s", "Que prévoit l'article %[1]s %[2]s ?",
		"%[3]s, article %[1]s", "Donne-moi le texte de l’article %[1]s %[2]s", "l'article %[1]s %[2]s dit quoi ?", "Peux-tu citer l'art %[1]s %[2]s ?"},
		[]string{"je cherche l’article %[1]s %[2]s", "C’est quoi l’article %[1]s %[2]s ?", "%[3]s (art. %[1]s)", "Peux-tu me montrer l’article %[1]s %[2]s s’il te plaît ?", "Je voudrais lire l'article %[1]s %[2]s", "contenu de l’article %[1]s %[2]s", "L’article %[1]s %[2]s stipule quoi exactement ?", "D’après %[3]s, que prévoit son article %[1]s ?"},
		[]string{"Lis-moi l’article %[1]s %[2]s", "Il y a quoi dans l’article %[1]s %[2]s ?", "%[3]s art %[1]s svp", "Qu’est-ce que prévoit l’article %[1]s %[2]s ?", "texte exact de l’art. %[1]s %[2]s", "Rappelle-moi ce que dit l’article %[1]s %[2]s"})
	want := s.cites(a.Number)
	return fmt.Sprintf(question, a.Number, of(name), name), wanted{All: []string{want}, Only: []string{want}}, true
}

// articleByTitle asks for the words of an article of a code of a country.
func (m *maker) articleByTitle(s source) (string, wanted, bool) {
	all := s.inForce()
	at := strings.Index(law.Fold(s.Document.Title), "code ")
	if len(all) == 0 || at < 0 {
		return "", wanted{}, false
	}
	refs := read.Printed(s.Document.Title)
	i := slices.IndexFunc(refs, func(r read.Reference) bool { return r.Title != "" })
	if i < 0 {
		return "", wanted{}, false
	}
	a := all[m.r.IntN(len(all))]
	question := m.form([]string{"Que dit l’article %s du %s %s ?", "article %s du %s %s", "art %s %s %s", "Que prévoit l'article %s du %s %s ?"},
		[]string{"je cherche l’article %s du %s %s", "Peux-tu me montrer l’article %s du %s %s ?", "contenu de l’article %s du %s %s"},
		[]string{"Lis-moi l’article %s du %s %s", "Il y a quoi dans l’article %s du %s %s ?"})
	want := s.cites(a.Number)
	return fmt.Sprintf(question, a.Number, refs[i].Title, s.country()), wanted{All: []string{want}, Only: []string{want}}, true
}

// noArticle asks for an article behind the last one of a text: nothing may be cited, and
// the text must be named.
func (m *maker) noArticle(s source) (string, wanted, bool) {
	last := 0
	for _, a := range s.days {
		if n, err := strconv.Atoi(strings.TrimSuffix(a.Number, "er")); err == nil {
			last = max(last, n)
		}
	}
	if last == 0 {
		return "", wanted{}, false
	}
	number := strconv.Itoa(last + 1 + m.r.IntN(400))
	question := m.form([]string{"Que dit l’article %[1]s %[2]s ?", "article %[1]s %[2]s", "Quelle sanction prévoit l’article %[1]s %[2]s ?", "Selon l'article %[1]s %[2]s, quel est le délai ?"},
		[]string{"je cherche l’article %[1]s %[2]s", "D’après l’article %[1]s %[2]s, qui est compétent ?", "Que risque-t-on selon l'art. %[1]s %[2]s ?"},
		[]string{"Lis-moi l’article %[1]s %[2]s", "L’article %[1]s %[2]s autorise-t-il la vente ?", "Quel âge fixe l’article %[1]s %[2]s ?"})
	return fmt.Sprintf(question, number, of(m.called(s))), wanted{None: true, Says: []string{number}}, true
}

// noText asks for a text of a number that no text of the catalogue has or changes.
func (m *maker) noText(s source) (string, wanted, bool) {
	for range 100 {
		number := fmt.Sprintf("%d-%d", 1975+m.r.IntN(50), 400+m.r.IntN(1500))
		if m.known(number) {
			continue
		}
		name := kindOf(s) + pick(m.r, " n° ", " ", " numéro ") + number
		question := m.form([]string{"Que dit l’article %[1]d %[2]s ?", "Que prévoit %[3]s ?", "%[4]s est en vigueur ?", "Quelle peine prévoit l’article %[1]d %[2]s ?", "Quels délais fixe %[3]s ?"},
			[]string{"je cherche l’article %[1]d %[2]s", "Peux-tu me résumer %[3]s ?", "Y a-t-il des sanctions dans %[4]s ?", "Est-il vrai que %[4]s interdit la vente d’alcool à l’article %[1]d ?"},
			[]string{"Lis-moi l’article %[1]d %[2]s", "Est-ce que %[3]s parle des impôts ?", "Combien d’articles a %[4]s ? Je cherche le %[1]d"})
		return fmt.Sprintf(question, 1+m.r.IntN(90), of(name), the(name), the(name)), wanted{None: true, Says: []string{number}}, true
	}
	return "", wanted{}, false
}

// known reports whether a text has a number, or a relation means it.
func (m *maker) known(number string) bool {
	term := french.TextTerm(number)
	return slices.ContainsFunc(m.texts, func(s source) bool {
		return french.SameText(french.TextTerm(s.Document.OfficialNumber), term) ||
			slices.ContainsFunc(s.by, func(c postgres.Change) bool { return french.SameText(french.TextTerm(c.TargetNumber), term) })
	})
}

// ahead asks for a text of a year that has not come.
func (m *maker) ahead(s source) (string, wanted, bool) {
	number := fmt.Sprintf("%d-%02d", 2030+m.r.IntN(40), 1+m.r.IntN(60))
	name := kindOf(s) + pick(m.r, " n° ", " ") + number
	question := m.form([]string{"Que dit %s ?", "Est-ce que %s est en vigueur ?", "Quels sont les droits du salarié selon %s ?"},
		[]string{"je cherche %s", "%s, qu’est-ce que ça change pour les commerçants ?", "Peut-on déjà consulter %s ?"},
		[]string{"Que va changer %s ?", "Où trouver %s ?", "Quel est l’objet de la future %[1]s ?"})
	return fmt.Sprintf(question, the(name)), wanted{None: true, Says: []string{number}}, true
}

// ten asks for ten articles of up to ten texts, all of which must be cited and no other.
func (m *maker) ten(s source) (string, wanted, bool) {
	const many = 10
	all := append([]source{s}, m.numbered()...)
	var parts, want []string
	for range 100 {
		if len(parts) == many {
			break
		}
		from := all[m.r.IntN(len(all))]
		if len(parts) == 0 {
			from = s
		}
		articles := from.inForce()
		if len(articles) == 0 {
			continue
		}
		a := articles[m.r.IntN(len(articles))]
		if slices.Contains(want, from.cites(a.Number)) {
			continue
		}
		parts, want = append(parts, "l’article "+a.Number+" "+of(m.called(from))), append(want, from.cites(a.Number))
	}
	if len(parts) < many {
		return "", wanted{}, false
	}
	return "Que disent " + strings.Join(parts[:many-1], ", ") + " et " + parts[many-1] + " ?", wanted{All: want, Only: want}, true
}

// force asks whether a text is law. Of one that is repealed the repealing article must
// be cited, of any other only the text itself and what changes it.
func (m *maker) force(s source) (string, wanted, bool) {
	question := fmt.Sprintf(m.form([]string{"%s est-elle en vigueur ?", "Est-ce que %s est toujours en vigueur ?", "%s est encore applicable ?", "%s a-t-elle été abrogée ?", "Depuis quand %s est-elle en vigueur ?"},
		[]string{"%s est-elle toujours d’actualité ?", "Peut-on encore invoquer %s ou est-elle abrogée ?", "Je voudrais savoir si %s est encore en vigueur", "%s s’applique-t-elle encore ?", "À quelle date %s est-elle entrée en vigueur ?", "Quel est le statut de %s ?"},
		[]string{"%s est-elle encore valable ?", "%s n’est plus en vigueur ?", "Est-ce qu’on a abrogé %s ?", "Depuis quand %s n’est-elle plus applicable ?", "Peut-on encore appliquer %s, est-elle en vigueur ?", "%s, toujours en vigueur ?"}),
		the(m.called(s)))
	if kind := kindOf(s); kind != "loi" && kind != "circulaire" {
		question = strings.NewReplacer("-elle", "-il", "abrogée", "abrogé").Replace(question)
	}
	var ends []string
	for _, c := range s.to {
		if name, ok := m.named[c.SourceArticle]; ok && c.Kind == law.Repeals && len(c.TargetArticles) == 0 {
			ends = append(ends, name)
		}
	}
	if s.Document.Status == law.Repealed {
		return question, wanted{All: ends, Some: true, Says: []string{"n’est plus en vigueur"}}, len(ends) > 0
	}
	if strings.Contains(question, "abrogé") {
		return question, wanted{Denies: []string{"n’est plus en vigueur"}, Only: m.about(s), Says: []string{"en vigueur"}}, true
	}
	return question, wanted{Only: m.about(s), Says: []string{"est en vigueur"}}, true
}

// about are the articles of a text and those that change it.
func (m *maker) about(s source) (out []string) {
	for _, a := range s.whole.Articles {
		out = append(out, s.cites(a.Number))
	}
	for _, c := range s.to {
		if name, ok := m.named[c.SourceArticle]; ok {
			out = append(out, name)
		}
	}
	return out
}

// changed asks what changed a text: the articles that do must be cited, up to ten.
func (m *maker) changed(s source) (string, wanted, bool) {
	const told = 10
	var by []string
	for _, c := range s.to[:min(len(s.to), told)] {
		if name, ok := m.named[c.SourceArticle]; ok && !slices.Contains(by, name) {
			by = append(by, name)
		}
	}
	name := m.called(s)
	feminine := strings.HasPrefix(of(name), "de la ")
	question := m.form([]string{"Par quoi %s a-t-elle été modifiée ?", "Quels textes ont modifié %s ?", "%s a-t-elle été modifiée ?", "Qui a modifié ou abrogé %s ?", "Quelles modifications a subies %s ?"},
		[]string{"Y a-t-il eu des modifications de %s ?", "Quelle loi a changé %s ?", "Je veux la liste des textes modifiant %s", "%s a-t-elle subi des changements ?", "Quels sont les amendements apportés à %s ?"},
		[]string{"Est-ce que %s a été amendée ?", "Quel texte est venu modifier %s ?", "Par quelle loi %s a-t-elle été changée ou abrogée ?", "Historique des modifications de %s", "Qu’est-ce qui a modifié %s ?"})
	if !feminine {
		question = strings.NewReplacer("-elle", "-il", "modifiée", "modifié").Replace(question)
	}
	want := wanted{All: by, Only: m.about(s)}
	if len(by) == 0 {
		if m.r.IntN(6) > 0 { // most texts are changed by none
			return "", wanted{}, false
		}
		want = wanted{None: true, Says: []string{"aucun"}}
	}
	return fmt.Sprintf(question, the(name)), want, true
}

// changes asks what a text changes: its articles that do must be cited, and no others
// than its own.
func (m *maker) changes(s source) (string, wanted, bool) {
	const told = 10
	var own []string
	for _, c := range s.by[:min(len(s.by), told)] {
		if name, ok := m.named[c.SourceArticle]; ok && !slices.Contains(own, name) {
			own = append(own, name)
		}
	}
	question := m.form([]string{"Quels textes modifie %s ?", "Quels textes abroge ou modifie %s ?", "Que modifie %s ?", "Qu’est-ce que %s abroge ?"},
		[]string{"Quelles lois sont modifiées par %s ?", "Quels articles %s modifie-t-elle ?", "Qu’abroge %s ?", "Liste des textes abrogés ou modifiés par %s"},
		[]string{"Quels sont les textes que %s modifie ou abroge ?", "%s abroge quels textes ?", "Quelles dispositions ont été abrogées par %s ?", "Quels textes sont remplacés ou modifiés par %s ?"})
	return fmt.Sprintf(question, the(m.called(s))), wanted{All: own, Only: m.about(s)}, len(own) > 0
}

// citedBy asks who cites a text: one of the articles that do must be cited, and no
// other than they and what changes it.
func (m *maker) citedBy(s source) (string, wanted, bool) {
	var by []string
	for _, c := range m.citing[french.TextStem(french.TextTerm(s.Document.OfficialNumber))] {
		if c.from != s.Document.ID && (c.kind == "" || c.kind == s.Document.Type || s.Document.Type == law.Code) {
			by = append(by, c.name)
		}
	}
	question := m.form([]string{"Quels textes citent %s ?", "Quels articles visent %s ?", "Quels textes mentionnent %s ?", "Quels textes ont été pris pour l’application de %s ?"},
		[]string{"Où est citée %s ?", "Quels textes font référence à %s ?", "Dans quels textes parle-t-on de %s ?", "Quels décrets appliquent %s ?"},
		[]string{"Qui cite %s ?", "Par quels textes %s est-elle citée ?", "Quels arrêtés renvoient à %s ?", "Trouve les textes qui mentionnent %s"})
	return fmt.Sprintf(question, the(m.called(s))), wanted{All: by, Some: true, Only: append(m.about(s), by...)}, len(by) > 0
}
