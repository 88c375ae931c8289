// Package segment splits the pages of a gazette, given as lines in reading order, into legal
// texts, their articles, and passages small enough to be searched.
//
// It is pure: no store, no clock, no randomness; the same pages and hints give the same texts.
// A file has at least one text, unless it holds no law. Split cannot fail and loses nothing:
// every word of every line given to Split is in an article's text, number, heading or path, in a
// text's Head, or in Issue.Loose (mastheads, summaries, notices), except for words that an edit
// replaces. What it could not read with confidence becomes a doubt, and a text with doubts waits
// for a person.
//
// The packages below it are the stages. Each imports only those that come before it.
package segment
