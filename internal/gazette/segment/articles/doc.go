// Package articles cuts the lines of a text into its articles. The lines after the title go in, with
// their labels. Pieces come out: preamble, articles, sections, signatures and annexes. Every line
// is in exactly one piece or heading.
package articles
