// Command child is the child of pdftext and nothing else.
package main

import "vigueur/internal/pdftext"

func main() { pdftext.Main() }
