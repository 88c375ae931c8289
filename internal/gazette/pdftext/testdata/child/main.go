// Command child is the child of pdftext and nothing else.
package main

import "vigueur/internal/gazette/pdftext"

func main() { pdftext.Main() }
