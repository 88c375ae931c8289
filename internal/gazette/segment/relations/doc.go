// Package relations finds what a text does to other texts. Its articles go in. The repeals and amendments that they order
// come out, and the new wordings that they give to articles of other texts, derived from what package amend reads.
package relations
