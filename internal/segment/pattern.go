package segment

// Parts that several expressions share.
const (
	roman    = `[IVXLC]{1,7}`
	suffixes = `(?:bis|ter|quater|quinquies|sexies|septies|octies|novies|nonies|decies|BIS|TER|QUATER|QUINQUIES)`
	dateText = `(?i:\d{1,2}|1 ?er|l ?er|premier) +(?i:janvier|f[ée]vrier|mars|avril|mai|juin|juillet|ao[ûu]t|septembre|octobre|novembre|d[ée]cembre),? +\d{4}`
)
