// Package sentence splits the text of an article into sentences. Article text goes in. Its sentences
// come out, without the words that it quotes.
package sentence
