// Package titles reads the titles of legal texts. The lines of a title, or words of a sentence that
// name a text, go in. What comes out is the text's nature with its type in the catalogue, its author,
// number and date, and its object.
package titles
