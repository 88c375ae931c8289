// Package answer groups the packages that write answers: the result of a search goes in,
// and the text of an answer comes out, in pieces, with marks « [n] » for the passages that
// it cites.
//
// prompt turns the result into a generator's input, llm defines generators (extractive
// quotes, openai asks a server, order chooses among servers), refer answers questions about
// named texts and articles without a generator, and why keeps the reasons of an answer.
package answer
