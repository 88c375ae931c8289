package segment

import "vigueur/internal/page"

// Split cuts an arranged file into its texts.
func Split(pages []page.Page, hints Hints) Issue {
	return Issue{}
}
