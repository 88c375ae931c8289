package house

// typist is a mimeographed gazette: one width for all letters, nothing bold.
func typist() Style {
	s := base("typist")
	s.columns, s.typewriter, s.loose, s.justify, s.hyphens, s.bold = 1, true, true, false, false, false
	s.accented, s.curly, s.size, s.margin, s.years = false, false, 10, 60, [2]int{1960, 1995}
	s.head = headForm{align: inherit, caps: 2, sign: "N°", dateSign: "DU", ownLine: true}
	s.article = articleForm{word: "ARTICLE", first: "1er", only: "UNIQUE", after: ".-"}
	s.mast, s.heads, s.rubric, s.quotes = spare, 8, [3]int{0, 1, 2}, 2
	s.numbers = [3]string{"{n2}/{yy}", "{yy}/{n}", "{n4}/{m}/{yy}"}
	s.sign = signForm{place: right, align: right, by: true}
	s.summary.dots, s.summary.pages = false, 0
	s.abridged = []int{shortDash}
	return s
}

// bilingualEnglish has the same text in English in the right column.
func bilingualEnglish() Style {
	s := base("bilingualEnglish")
	s.language, s.columns, s.size, s.abridged = 1, 1, 9, nil
	s.heads, s.mast, s.texts = 1, stately, [2]int{2, 5}
	s.article = articleForm{word: "Article", first: "1er", only: "unique", after: ". —", one: "Article"}
	s.numbers = [3]string{"{yyyy}/{n3}", "{yyyy}/{n3}", "{n4}/A/{m}"}
	s.head.align = centered
	s.summary.on = false
	return s
}

// bilingualArabic has Arabic on every other page.
func bilingualArabic() Style {
	s := bilingualEnglish()
	s.Name, s.language, s.columns, s.dates = "bilingualArabic", 2, 1, brackets
	s.numbers = [3]string{"{yyyy}-{n3}", "{yyyy}-{n3}", "{n3}"}
	s.natures = []string{"loi", "ordonnance-loi", "loi-cadre", "décret", "arrêté"}
	return s
}

// pagesCut is pages out of an issue, without its beginning and end.
func pagesCut() Style {
	s := base("pagesCut")
	s.print, s.mast, s.heads = extract, noMast, 1
	s.texts, s.short = [2]int{2, 4}, [2]int{0, 5}
	s.head.comma = true
	s.visas.place = 1
	return s
}

// union is the bulletin of a union of states.
func union() Style {
	s := base("union")
	s.columns, s.size, s.margin, s.gazette, s.mast, s.heads = 1, 11, 70, "Bulletin officiel de l'Union", spare, 5
	s.natures = []string{"règlement", "directive", "acte uniforme", "décision", "traité", "convention"}
	s.numbers = [3]string{"{n2}/{yyyy}/CM/U{m}", "{n}-{yyyy}", "{n3}/{yyyy}/COM"}
	s.head = headForm{align: centered, bold: true, caps: 2, ownLine: true, sign: "N°", dateSign: "DU"}
	s.article = articleForm{word: "Article", first: "premier", only: "unique", after: " :", ownLine: true, titled: true, bold: true}
	s.abridged, s.kinds, s.ministries, s.notices = nil, false, 0, 0
	s.texts = [2]int{1, 3}
	return s
}

// parliament prints one law as its assembly's office does.
func parliament() Style {
	s := base("parliament")
	s.print, s.columns, s.mast, s.heads = alone, 1, noMast, 5
	s.size, s.margin, s.indent, s.gap, s.hyphens = 12, 72, 2, 0.6, false
	s.natures = []string{"loi", "loi organique", "ordonnance", "décret-loi", "décret", "arrêté", "loi constitutionnelle"}
	s.numbers = [3]string{"{n3}/{yy}/AN", "D/{yyyy}/{n4}/PRG/SGG", "{yyyy}-{n4}/{m}"}
	s.head = headForm{align: centered, bold: true, caps: 1, sign: "N°", dateSign: "du", ownLine: true}
	s.article = articleForm{word: "Article", first: "1er", only: "unique", after: " :", bold: true}
	s.sign = signForm{place: right, align: right, under: false}
	return s
}

// booklet is a code with its table of contents.
func booklet() Style {
	s := base("booklet")
	s.print, s.columns, s.page, s.size, s.mast, s.heads = codeBook, 1, quarto, 10.5, noMast, 5
	s.article = articleForm{word: "Article", first: "1er", only: "unique", after: " -", bold: true}
	s.division = 2
	return s
}

// browser is a text printed from a web page.
func browser() Style {
	s := base("browser")
	s.print, s.columns, s.page, s.size, s.mast, s.heads = webPage, 1, letter, 11, noMast, 6
	s.justify, s.hyphens, s.indent, s.gap, s.width, s.margin = false, false, 0, 1, 1.08, 36
	s.article = articleForm{word: "Article", first: "1", only: "unique", after: "", ownLine: true, bold: true}
	s.natures = []string{"loi", "décret", "arrêté", "circulaire", "instruction"}
	s.head = headForm{align: ragged, bold: true, sign: "n°", dateSign: "du", size: 1.4}
	return s
}

// constitution prints constitutions, charters and treaties alone.
func constitution() Style {
	s := parliament()
	s.Name, s.heads = "constitution", 7
	s.natures = []string{"constitution", "charte", "traité", "convention", "loi constitutionnelle", "charte de la transition", "protocole", "accord"}
	s.article = articleForm{word: "ARTICLE", first: "PREMIER", only: "UNIQUE", after: ".-", one: ""}
	s.division = 1
	return s
}

// municipal prints orders of towns and deliberations.
func municipal() Style {
	s := base("municipal")
	s.columns, s.gazette, s.mast, s.kinds, s.ministries, s.size = 1, "Recueil des actes municipaux", spare, true, 0, 10.5
	s.natures = []string{"arrêté municipal", "délibération", "arrêté préfectoral", "décision", "avis"}
	s.numbers = [3]string{"{yyyy}-{n}", "{yyyy}-{n}", "{n3}/{m}/{yy}"}
	s.head = headForm{align: centered, bold: true, sign: "N°+", dateSign: "du", caps: 2}
	s.visas = visaForm{end: " ;", last: " ;", dash: true, formula: 2}
	s.article = articleForm{word: "Article", first: "premier", only: "unique", after: " :", caps: true}
	s.abridged = nil
	s.heads = 5
	return s
}

// ministryFirst groups by ministry, kinds below.
func ministryFirst() Style {
	s := base("ministryFirst")
	s.kinds, s.ministries, s.heads, s.size = false, 2, 4, 9
	s.head = headForm{align: centered, bold: false, caps: 1, sign: "n°", dateSign: "du"}
	s.article = articleForm{word: "Article", first: "premier", only: "premier", after: ". —"}
	s.visas.centered = true
	s.abridged, s.short = []int{shortDash, shortLine, shortStop}, [2]int{3, 12}
	s.numbers = [3]string{"{yyyy}-{n2}", "{yyyy}-{n3}", "{big}/{m}"}
	s.extras = 70
	return s
}

// wideTitles sets titles over two columns.
func wideTitles() Style {
	s := base("wideTitles")
	s.wideHeads, s.head.align, s.abridged, s.short = true, centered, nil, [2]int{}
	s.head.ownLine, s.head.caps = true, 1
	s.texts, s.extras = [2]int{3, 8}, 60
	s.numbers = [3]string{"{yy}.{n2}", "{yy}.{n}", "{yy}.{n3}/{m}"}
	return s
}

// colonial is an old bulletin with long titles in one plain paragraph.
func colonial() Style {
	s := base("colonial")
	s.years, s.accented, s.curly, s.columns, s.page, s.size = [2]int{1946, 1972}, false, false, 2, quarto, 7.6
	s.gazette, s.mast, s.heads = "Journal officiel", spare, 1
	s.head = headForm{align: inherit, bold: false, caps: 1, sign: "no", dateSign: "du", stop: true, indent: 1.4}
	s.article = articleForm{word: "ART.", first: "1er", only: "UNIQUE", after: ". —", one: "ARTICLE"}
	s.numbers = [3]string{"{yy}-{n}", "{yy}-{n}", "{big}"}
	s.abridged, s.short, s.bold = []int{shortDash, shortComma}, [2]int{4, 20}, false
	s.summary.on = false
	s.visas.place = 1
	return s
}

// circulars are letters of ministries and banks.
func circulars() Style {
	s := parliament()
	s.Name, s.heads, s.size = "circulars", 5, 11
	s.natures = []string{"circulaire", "note circulaire", "instruction", "circulaire", "lettre circulaire", "avis", "décision"}
	s.numbers = [3]string{"{yyyy}-{n2}", "{yyyy}-{n2}", "{yyyy}-{n2}"}
	s.head = headForm{align: centered, bold: true, caps: 2, sign: "N°", dateSign: "DU"}
	s.visas = visaForm{end: ";", last: ";", formula: 1, place: 0}
	return s
}

// customs amends other texts, in narrow columns, with plain titles.
func customs() Style {
	s := base("customs")
	s.amending, s.quotes, s.extras = 45, 1, 60
	s.head = headForm{align: centered, bold: true, sign: "N °", dateSign: "du", comma: true}
	s.article = articleForm{word: "Art.", first: "1er", only: "unique", after: ".-", one: "Article", bold: true}
	s.natures = []string{"loi", "loi", "ordonnance", "décret-loi", "décret"}
	s.abridged, s.texts, s.heads = nil, [2]int{2, 4}, 3
	s.visas.formula = 2
	return s
}

// bare has texts one after another, without masthead, summary or rubrics.
func bare() Style {
	s := base("bare")
	s.mast, s.summary.on, s.kinds, s.ministries, s.parts = noMast, false, false, 0, false
	s.columns, s.size, s.margin, s.heads, s.bold = 1, 11.5, 66, 5, false
	s.head = headForm{align: inherit, sign: "n°", dateSign: "du", indent: 2}
	s.natures = []string{"arrêté", "arrêté interministériel", "décision", "décret", "circulaire"}
	s.numbers = [3]string{"{yyyy}-{n2}", "{yyyy}-{n3}", "{n3}"}
	s.abridged, s.texts = []int{shortLine}, [2]int{1, 4}
	return s
}
