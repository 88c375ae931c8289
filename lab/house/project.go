package house

import (
	"slices"
	"strconv"
	"strings"

	"vigueur/internal/law"
)

// projects is how many of 100 texts of the government that are printed alone stand behind the
// report on their draft.
const projects = 20

// projected puts the report on the draft of a text of the government, printed alone, on
// pages before it. The text is what was added from a block on, what is above it the state's
// name, if anything; letterhead is what stood beside its title. The report draws from a chance of its own: the text is
// the same without it.
func (p *pen) projected(a *act, from int, letterhead []block) {
	if p.style.print != alone || a.by != byRuler && a.by != byMinister || a.about == "" ||
		slices.ContainsFunc(p.blocks[:from], func(b block) bool { return b.label != Masthead }) {
		return
	}
	p.drawingFrom(p.front, func() {
		drawn := p.chance(projects)
		if !drawn && p.style.form != Projected {
			return
		}
		above, text := slices.Clone(p.blocks[:from]), slices.Clone(p.blocks[from:])
		first := slices.Concat(above, text)
		first[0].fresh = true
		apart := p.apart
		p.blocks, p.apart = append(p.blocks[:from], letterhead...), false
		p.reportOn(a)
		p.blocks, p.apart = append(p.blocks, first...), apart
	})
}

// reportOn is the report on the draft of a text: the draft's name, the reasons, what has
// changed and how the draft is divided, in points, and who reports.
func (p *pen) reportOn(a *act) {
	title := p.middle(Notice, "Projet "+contract("de", strings.ToLower(a.name))+" "+a.about, p.chance(70))
	title.before = 1.5
	if p.chance(30) {
		title.runs[0].text = p.style.upper(title.runs[0].text)
	}
	if p.chance(70) {
		p.add(title)
	}
	p.foreword()
	if p.chance(60) {
		p.points("Le présent projet "+p.pick("apporte les innovations suivantes :", "de texte a pour objet :", "comporte les modifications suivantes :"), func(int) string {
			return "- " + p.pick("l'introduction ", "la définition ", "la mise en cohérence ", "le renforcement ", "l'abrogation ") + contract("de", p.pick(p.say("objet"), p.say("domaine"), cite(p, "décret", "arrêté", "loi"))) + " ;"
		})
	}
	if p.chance(50) {
		p.points("Le présent projet est "+p.pick("ainsi structuré :", "structuré en "+strconv.Itoa(p.between(2, 6))+" "+p.pick("titres", "chapitres")+" :"), func(i int) string {
			return p.pick("- ", "") + "le " + p.pick("titre", "chapitre") + " " + p.pick(law.WriteRoman(i), "premier") + " " + p.pick("traite ", "est relatif ") + contract("de", p.say("domaine")) + " ;"
		})
	}
	p.add(p.plain(Notice, p.pick("Telle est l'économie du présent projet "+contract("de", strings.ToLower(a.name))+".", "Tel est l'objet du présent projet que nous soumettons à votre signature.", "Telle est la teneur du projet soumis à votre approbation.")))
	if p.chance(60) {
		p.signedNotice()
	}
}

// points are a sentence and two to seven lines below it.
func (p *pen) points(sentence string, point func(i int) string) {
	p.add(p.plain(Notice, sentence))
	for i := range p.between(2, 7) {
		p.add(p.plain(Notice, point(i+1)))
	}
}
