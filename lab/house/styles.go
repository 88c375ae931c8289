package house

// Page sizes in points.
var (
	a4     = [2]float64{595.28, 841.89}
	folio  = [2]float64{612, 936}
	letter = [2]float64{612, 792}
	quarto = [2]float64{482, 680}
)

// base is a modern gazette in two columns, from which the others differ.
func base(name string) Style {
	return Style{
		Name: name, page: a4, margin: 42, top: 70, bottom: 60, columns: 2, gutter: 18,
		size: 9.5, leading: 1.2, width: 0.95, justify: true, hyphens: true, indent: 1.4, gap: 0.15,
		accented: true, curly: true, bold: true, thousands: " ", years: [2]int{1990, 2026}, gazette: "Journal officiel",
		mast: boxed, heads: 1, kinds: true, ministries: 1, notices: 30, texts: [2]int{3, 7}, short: [2]int{0, 6},
		summary:  summaryForm{on: true, dots: true, pages: 1, groups: true},
		head:     headForm{align: inherit, bold: true, sign: "n°", dateSign: "du", indent: 1.4},
		article:  articleForm{word: "Art.", first: "1er", only: "unique", after: ". -", one: "Article"},
		visas:    visaForm{end: " ;", last: ","},
		sign:     signForm{place: right, align: centered},
		abridged: []int{shortComma, shortLine}, extras: 35, amending: 8,
		numbers: [3]string{"{yyyy}-{n2}", "{yyyy}-{n}", ""},
		natures: []string{"loi", "décret", "décret", "arrêté", "arrêté"},
	}
}

// Styles returns the made styles.
func Styles() []Style {
	var out []Style
	for _, style := range []func() Style{
		justified, ancient, individual, spacious, titledOrders, hijriPairs, hijriBrackets, threeColumns,
		typist, bilingualEnglish, bilingualArabic, pagesCut, union, parliament, booklet, browser, constitution,
		municipal, ministryFirst, wideTitles, colonial, circulars, customs, bare,
		collection, lettered, unsigned, stacked, printer, dailies, advertiser, budget, leaflet,
	} {
		out = append(out, style())
	}
	return out
}

// justified has its kinds and ministries in capitals, orders with plain numbers and
// acts in short with a full stop.
func justified() Style {
	s := base("justified")
	s.heads, s.parts, s.general, s.notices = 4, true, true, 70
	s.summary.dates = true
	s.article = articleForm{word: "Article", first: "premier", only: "unique", after: " :"}
	s.visas = visaForm{end: " ;", last: ",", centered: true, formula: 1}
	s.abridged = []int{shortStop}
	s.numbers = [3]string{"{n}-{yyyy}", "{yyyy}-{n}", "{big}"}
	s.rubric = [3]int{0, 1, 1}
	s.sign.align, s.person, s.gap = ragged, 1, 0.7
	s.indent = 0
	return s
}

// ancient is an old gazette in small type without accents on capitals.
func ancient() Style {
	s := base("ancient")
	s.size, s.columns, s.accented, s.curly, s.years = 8.2, 2, false, false, [2]int{1958, 1992}
	s.mast, s.heads, s.bigMonths = boxed, 1, false
	s.summary = summaryForm{on: true, pages: 2, groups: true}
	s.article = articleForm{word: "Art.", first: "1er", only: "unique", after: ". —", one: "Article"}
	s.abridged = []int{shortComma, shortHeading, shortComma}
	s.numbers = [3]string{"{yy}-{n2}", "{yy}-{n}", ""}
	s.short, s.texts = [2]int{6, 22}, [2]int{1, 5}
	s.visas.centered, s.sign.under = false, false
	s.natures = []string{"loi", "ordonnance", "décret", "décret", "arrêté", "décision"}
	return s
}

// individual prints mostly individual measures, their titles on a line of their own.
func individual() Style {
	s := base("individual")
	s.size, s.heads, s.kinds, s.ministries = 10.5, 3, true, 2
	s.abridged, s.short, s.texts = []int{shortLine}, [2]int{8, 24}, [2]int{0, 3}
	s.head = headForm{align: inherit, bold: true, sign: "n°", dateSign: "du", comma: true, indent: 1.4, stop: true}
	s.article = articleForm{word: "Art.", first: "premier", only: "unique", after: " -", one: "Article"}
	s.visas = visaForm{end: ",", last: ",", place: 0, formula: 1}
	s.numbers[2] = ""
	s.natures = []string{"décret gouvernemental", "arrêté", "décret gouvernemental", "loi"}
	s.sign = signForm{place: inherit, align: centered}
	return s
}

// spacious is one wide column, modern.
func spacious() Style {
	s := base("spacious")
	s.columns, s.size, s.gap, s.indent, s.margin = 1, 11, 0.8, 0, 64
	s.heads, s.mast = 7, stately
	s.head = headForm{align: centered, bold: true, caps: 1, ownLine: true, sign: "N°", dateSign: "DU", size: 1.1}
	s.article = articleForm{word: "Article", first: "1er", only: "unique", after: "", ownLine: true, bold: true}
	s.numbers = [3]string{"{n3}-{yyyy}/AN", "{yyyy}-{n4}/{s}", "{yyyy}-{n3}/{m}"}
	s.abridged = nil
	s.sign.beside = true
	return s
}

// titledOrders has decrees with a title whose text names them again.
func titledOrders() Style {
	s := base("titledOrders")
	s.abridged, s.short = []int{shortTitled, shortTitled, shortHeading}, [2]int{4, 14}
	s.dates, s.accented, s.curly = matching, false, false
	s.heads = 2
	s.summary = summaryForm{on: true, dots: true, pages: 1, wide: true, groups: true, fresh: true}
	s.head = headForm{align: centered, bold: true, sign: "n°", dateSign: "du", stop: true}
	s.article = articleForm{word: "Art.", first: "1er", only: "unique", after: ". —", one: "Article"}
	s.visas = visaForm{end: " ;", last: " ;", centered: false}
	s.numbers = [3]string{"{yy}-{n2}", "{yy}-{n}", ""}
	s.natures = []string{"loi", "loi organique", "décret présidentiel", "décret exécutif", "arrêté", "arrêté interministériel"}
	s.sign = signForm{place: inherit, align: right}
	return s
}

// hijriPairs dates by two calendars and numbers decrees only.
func hijriPairs() Style {
	s := titledOrders()
	s.Name, s.columns, s.size, s.hyphens = "hijriPairs", 1, 10.5, false
	s.abridged, s.short = nil, [2]int{}
	s.head.align, s.rubric = inherit, [3]int{0, 1, 2}
	s.article.after = " :"
	return s
}

// hijriBrackets prints dahirs and decrees, with the common date in brackets.
func hijriBrackets() Style {
	s := base("hijriBrackets")
	s.dates, s.gazette, s.heads, s.notices = brackets, "Bulletin officiel", 1, 40
	s.head = headForm{align: centered, bold: true, sign: "n°", dateSign: "du", size: 1.1}
	s.article = articleForm{word: "ART.", first: "PREMIER", only: "UNIQUE", after: ".-", one: "ARTICLE"}
	s.visas = visaForm{end: " ;", last: ",", centered: false, formula: 0, place: 0}
	s.numbers = [3]string{"1-{yy}-{n2}", "2-{yy}-{n}", "{n}-{yy}"}
	s.natures = []string{"dahir", promulgating, "dahir portant loi", "décret", "arrêté", "arrêté conjoint", "décision", "loi"}
	s.kinds, s.general, s.ministries = false, true, 0
	s.abridged = []int{shortLine}
	s.sign = signForm{place: ragged, align: ragged}
	return s
}

// threeColumns is a dense gazette of three columns.
func threeColumns() Style {
	s := base("threeColumns")
	s.columns, s.page, s.size, s.gutter, s.margin, s.years = 3, folio, 7.8, 12, 32, [2]int{1960, 2005}
	s.article = articleForm{word: "Art.", first: "premier", only: "unique", after: ". —", one: "Article"}
	s.head = headForm{align: centered, bold: true, caps: 1, sign: "n°", dateSign: "du", stop: true}
	s.abridged, s.short = []int{shortDash, shortComma}, [2]int{2, 15}
	s.numbers = [3]string{"{yy}-{n2}", "{yy}-{n}", "{big} M.I.T."}
	s.summary = summaryForm{on: true, dots: true, pages: 1, groups: true}
	s.ministries, s.person = 2, 2
	return s
}
