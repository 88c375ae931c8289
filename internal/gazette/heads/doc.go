// Package heads reads the heads of articles (« Article 12 : », « Art. L. 3-2. — ») and repairs those that a scan
// blurred. Everything that decides whether a misread line is a head is here: how letters and digits may be misread
// (like.go), what a gap in a numbering is (gap.go), and what confirms a head.
//
// A misread head is repaired in four steps. Each step sees only what the steps before it left unread, and only numbers
// that are printed elsewhere confirm a head, so no head is invented:
//
//  1. Before lines are labeled, Mend reads lines that resemble « Article 12 », with at most
//     SlipsInWord misread letters. A line becomes a head if the clear heads around it leave a gap for exactly its
//     number.
//  2. When the articles of a text are counted, Misread reads lines that the labels take for heads. The learned choice
//     among all heads of the text (judgment.Judgment) confirms them by how their numbers follow one another.
//  3. Between two chosen heads that leave a Gap of few numbers, Obscured.Missing searches for lines that hardly read as
//     heads. A learned choice among all lines of the gap, and none of them, confirms a line.
//  4. Where a gap remains, package recheck recognizes its lines again from the pixels. In reads the heads of the new
//     lines, Gap.After admits the missing numbers in order, and Gap.FilledBy confirms the result: the numbering is as
//     before, with missing numbers added and nothing else changed.
//
// The package is pure: texts and numbers go in, heads and gaps come out. Nothing fails.
package heads
