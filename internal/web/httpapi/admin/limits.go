package admin

// auditPage is the number of entries that an export reads at a time.
const auditPage = 1000

// Length limits of a domain's fields, in code points.
const (
	domainLabelLimit       = 255
	domainDescriptionLimit = 2000
	domainCodeLimit        = 40
)

// The number of days of the figures: without the parameter from, and the maximum.
const (
	statsDays     = 30  // default without the parameter from
	statsDaysMost = 366 // maximum in one response
)

// questionsMost is how many questions without a sure answer are listed.
const questionsMost = 200

// Page size of the list of inquiries, and the number of attempts shown for each.
const (
	inquiriesDefault = 50
	inquiriesMost    = 200
	attemptsShown    = 20
)
