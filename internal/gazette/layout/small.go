package layout

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// smallFrench lists the words of up to three letters in legal French, elided words included. Such a list can be nearly
// complete, unlike a list of longer words, and nearly half of the words of any text are so short. So the list
// identifies bad recognition (« lo », « è », « qûe ») without a dictionary.
var smallFrench = wordSet(`a à y ô c d j l m n s t
	ad ai an as au ça ce ci de du dû en es ès et eu eû ex fi il je là la le lu ma me mi né ne ni nu on or ôt os ou où pu qu sa se si su ta te tu un us va vu
	âgé age âge agi aie air ait âme ami ans arc art aux axe bac ban bas bât bel bis bon bus but car cas cet clé cru cru des dès dit dix don dos dot duc due dur dus
	eau écu élu ère est été eue eus eut eux fax fer fil fin fit foi for fur fus fut fût gaz géo gré hui ici jet jeu jus kit lac las les lit lié loi lot lui lus
	mai mal mer mes met mil mis mot mue mur net née nés nom non nos nue nul off ont oté ôté oui out par pas peu pis pli pré pro pue put que qui quo ras roi rôt rue
	sac san sec sel ses six ski soi sol son sud sur sûr sus tas tel ter tir ton tôt tué tva une uni uns use usé van vie vif vin vis vit vol vos vue vus via`)

// smallWords returns the number of lower-case words of up to three letters within a printed word, and how
// many of them are not French. Numbers with their endings (« 1er »), marks of lists (« b) ») and addresses
// do not count as words.
func smallWords(text string) (small, odd int) {
	if strings.ContainsAny(text, "0123456789/@_=°%&+*") || itemMark.MatchString(text) || strings.Contains(strings.Trim(text, "."), ".") {
		return 0, 0
	}
	for w := range strings.FieldsFuncSeq(text, notLetter) {
		if utf8.RuneCountInString(w) > 3 || !smallLetters(w) {
			continue
		}
		small++
		odd += oneIf(!smallFrench[w])
	}
	return small, odd
}

// smallLetters reports whether w consists of lower-case Latin letters. Other scripts say nothing about
// French.
func smallLetters(w string) bool {
	return !strings.ContainsFunc(w, func(r rune) bool { return !unicode.IsLower(r) || !unicode.Is(unicode.Latin, r) })
}
