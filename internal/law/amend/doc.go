// Package amend reads amending acts and applies them. The text of an act goes in, paragraph
// by paragraph; Read returns its operations: which article of which text, which place in it
// (a path such as II, 2°, third alinea, first sentence), what is done there and the new
// wording. Apply takes the operations on one article and its text before, and returns the
// text after, or for each operation that cannot be applied the Reason. Assemble takes the
// articles of a text and the acts that amend it, and returns the versions of each article.
//
// Nothing is guessed. An instruction that is not understood to its last word, a place that
// does not exist, words that are not there or are there too often: each is a Reason, and the
// article waits for a person. All functions are pure, and take linear time.
package amend
