package house

import "strings"

// Syllables of invented names: of several sounds, so that none is a rule.
var syllables = [][]string{
	{"ba", "ka", "to", "mou", "san", "di", "bo", "gou", "na", "lé", "fa", "tin", "ko", "ya", "ouan", "né", "ma", "ra", "bé", "ssa", "du", "ngo", "wa", "zi"},
	{"el", "mar", "ben", "sid", "hal", "kas", "tam", "rou", "zer", "bou", "had", "jar", "ain", "med", "oul", "lam", "fer", "nour", "gha", "dji", "tiz", "mel", "ouar"},
	{"vau", "clair", "mont", "fon", "bel", "roche", "saint", "lac", "cour", "mire", "val", "ger", "tour", "nay", "pré", "bois", "aven", "sel", "or", "thier", "ville"},
	{"an", "dra", "ra", "no", "fi", "toa", "ma", "va", "so", "my", "be", "lo", "ta", "nan", "ri", "vo", "ha", "za"},
}

// Given names of men and women.
var (
	men = strings.Fields(`Amédée Albert Ange Bakary Boniface Brahim Célestin Clément Cyprien Daouda Édouard Elhadj Émile Firmin Gaston Habib Honoré Idriss Issa Jacob Joseph
		Kamel Lamine Mahmoud Marcel Modeste Moussa Narcisse Noël Omar Ousmane Pascal Prosper Rachid Raphaël Salif Seydou Tahar Tidiane Urbain Valentin Yacine Zacharie`)
	women = strings.Fields(`Aïcha Amina Awa Béatrice Chadia Claudine Dalila Denise Djamila Fadila Fatou Félicité Ginette Hawa Henriette Irène Jamila Julienne Khadija Léontine
		Lydie Mariam Marthe Nadia Odile Pauline Rokia Samira Simone Solange Thérèse Victorine Yvonne Zeïnab Zohra`)
)

// invent makes a name of two or three syllables.
func (p *pen) invent() string {
	set := syllables[p.rng.IntN(len(syllables))]
	name := ""
	for range p.between(2, 3) {
		name += set[p.rng.IntN(len(set))]
	}
	return name
}

// place is the name of a town or a country.
func (p *pen) place() string {
	name := capital(p.invent())
	switch p.rng.IntN(12) {
	case 0:
		return name + "-" + capital(p.invent())
	case 1:
		return "Aïn " + name
	case 2:
		return name + "-sur-" + capital(p.invent())
	}
	return name
}

func (p *pen) surname() string {
	name := capital(p.invent())
	if p.chance(10) {
		name = p.pick("Ben ", "Ould ", "El ", "N'", "d'") + name
	}
	return name
}

// person is a name with its title, as houses set it.
func (p *pen) person() string {
	first, last := men[p.rng.IntN(len(men))], p.surname()
	title := p.pick("M.", "M.", "Monsieur", "Dr")
	if p.chance(35) {
		first, title = women[p.rng.IntN(len(women))], p.pick("Mme", "Madame", "Mlle")
	}
	switch p.style.person {
	case 1:
		return title + " " + strings.ToUpper(last) + " (" + first + ")"
	case 2:
		return title + " " + first + " " + strings.ToUpper(last)
	case 3:
		return title + " " + last + " " + first + ", matricule " + p.slot("n", "1000-99999")
	}
	return title + " " + first + " " + last
}

// name is a person's without title, as under a signature.
func (p *pen) name() string {
	first, last := append(men, women...)[p.rng.IntN(len(men)+len(women))], p.surname()
	switch p.rng.IntN(3) {
	case 0:
		return first + " " + strings.ToUpper(last)
	case 1:
		return strings.ToUpper(first + " " + last)
	}
	return first + " " + last
}

func (p *pen) initials(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = "ABCDEFGHIJLMNPRSTU"[p.rng.IntN(18)]
	}
	return string(b)
}
