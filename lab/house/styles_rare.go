package house

// collection is a book of laws, each on a page of its own, without rubrics.
func collection() Style {
	s := base("collection")
	s.columns, s.page, s.size, s.margin, s.mast, s.heads, s.fresh = 1, quarto, 9.5, 54, noMast, 7, true
	s.kinds, s.ministries, s.abridged, s.texts, s.notices = false, 0, nil, [2]int{5, 12}, 0
	s.summary = summaryForm{on: true, dots: true, pages: 1, fresh: true}
	s.head = headForm{align: centered, bold: true, sign: "n°", dateSign: "du", ownLine: true, size: 1.2}
	s.article = articleForm{word: "Article", first: "premier", only: "unique", after: ". -", bold: true}
	s.natures = []string{"loi", "loi", "ordonnance", "décret", "loi organique"}
	s.numbers = [3]string{"{yy}-{n3}", "{yyyy}-{n}", "{n}"}
	return s
}

// lettered is a code whose articles have a letter.
func lettered() Style {
	s := booklet()
	s.Name, s.page, s.size = "lettered", a4, 11
	s.article = articleForm{word: "Article", first: "1er", only: "unique", after: "", lettered: true, ownLine: true, bold: true}
	s.summary.pages = 0
	return s
}

// unsigned has no « n° » before its numbers.
func unsigned() Style {
	s := base("unsigned")
	s.head = headForm{align: ragged, bold: true, sign: "", dateSign: "du"}
	s.numbers = [3]string{"{n}-{yy}", "{yyyy}-{n}", "{n}/{yyyy}"}
	s.article = articleForm{word: "Article", first: "1", only: "1", after: " -"}
	s.visas = visaForm{end: ",", last: ",", dash: true, formula: 1}
	s.abridged, s.person, s.quotes = []int{shortStop, shortComma}, 3, 2
	s.justify, s.hyphens, s.heads = false, false, 7
	return s
}

// stacked sets a title on three lines: number, date, object.
func stacked() Style {
	s := base("stacked")
	s.columns, s.size, s.margin, s.heads = 1, 11.5, 68, 5
	s.head = headForm{align: centered, bold: true, caps: 2, ownLine: true, dateLine: true, sign: "N°", dateSign: "DU"}
	s.article = articleForm{word: "ARTICLE", first: "PREMIER", only: "UNIQUE", after: " :", bold: true}
	s.visas = visaForm{end: " ;", last: " ;", place: 0, formula: 2}
	s.numbers = [3]string{"L/{yyyy}/{n3}/AN", "D/{yyyy}/{n3}/PRG/SGG", "A/{yyyy}/{n3}/{m}/SGG"}
	s.natures = []string{"loi", "loi organique", "ordonnance", "décret", "décret", "arrêté ministériel", "arrêté conjoint", "loi de finances"}
	s.abridged, s.dates, s.mast = nil, plain, stately
	s.sign = signForm{place: inherit, align: right, under: true}
	return s
}

// printer is a gazette of two columns whose texts run on without white space.
func printer() Style {
	s := base("printer")
	s.gap, s.leading, s.size, s.heads, s.bold, s.summary.pages = 0, 1.12, 8.6, 8, false, 2
	s.head = headForm{align: inherit, bold: false, caps: 1, sign: "nº", dateSign: "en date du", indent: 1.4, comma: true}
	s.article = articleForm{word: "Art.", first: "1er", only: "unique", after: ". —"}
	s.abridged, s.short = []int{shortDash, shortHeading, shortStop}, [2]int{6, 18}
	s.rubric, s.ministries = [3]int{0, 1, 2}, 2
	s.numbers = [3]string{"{yy}-{n3}", "{yy}-{n3}", "{n}-{m}"}
	return s
}

// dailies is a modern daily of short texts, half of them from one ministry.
func dailies() Style {
	s := base("dailies")
	s.heads, s.mast, s.texts, s.short, s.ministries = 3, spare, [2]int{6, 12}, [2]int{0, 4}, 1
	s.size, s.gap, s.indent, s.width, s.hyphens = 9, 0.5, 0, 1.05, false
	s.head = headForm{align: centered, bold: true, sign: "n°", dateSign: "du", size: 1.1}
	s.article = articleForm{word: "Article", first: "1er", only: "unique", after: "", ownLine: true, centered: true, bold: true}
	s.visas = visaForm{end: " ;", last: ",", place: 0, formula: 1}
	s.extras, s.general = 50, true
	s.natures = []string{"décret", "arrêté", "arrêté", "décision", "avis", "délibération", "instruction"}
	return s
}

// advertiser prints a text or two and pages of announcements.
func advertiser() Style {
	s := base("advertiser")
	s.columns, s.size, s.notices, s.flood = 3, 8, 100, 9
	s.gutter, s.margin = 12, 30
	s.texts, s.short = [2]int{1, 2}, [2]int{0, 1}
	s.natures = []string{"arrêté", "décret"}
	return s
}

// budget is a text that is nearly all tables.
func budget() Style {
	s := base("budget")
	s.print, s.columns, s.mast, s.heads, s.tabled = alone, 1, noMast, 5, true
	s.size, s.margin, s.gap, s.hyphens = 11, 60, 0.5, false
	s.natures = []string{"décret", "arrêté", "loi de finances"}
	s.head = headForm{align: centered, bold: true, caps: 0, sign: "n°", dateSign: "du", ownLine: true}
	s.article = articleForm{word: "Article", first: "premier", only: "unique", after: ".-"}
	return s
}

// leaflet is an issue of a page or two: a few acts in short, and a part that is not official
// behind them.
func leaflet() Style {
	s := base("leaflet")
	s.parts, s.notices, s.fewNotices, s.bigMonths = true, 85, true, false
	s.texts, s.short = [2]int{0, 1}, [2]int{1, 4}
	s.summary.on, s.kinds, s.heads = false, true, 2
	s.abridged = []int{shortComma, shortDash, shortStop, shortLine, shortComma}
	s.numbers = [3]string{"{yy}-{n2}", "{yy}-{n}", "{big} {m}"}
	s.natures = []string{"arrêté", "arrêté", "décision", "décret"}
	s.visas.short = true
	return s
}
