// Package texts makes drafts of the texts of a file. The lines of a text, its title and its labels go
// in. A draft comes out: articles, title, dates, domain, relations to other texts, and what each was
// read from. A draft has no doubts yet.
package texts
