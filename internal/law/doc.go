// Package law is the domain model of legal texts: documents, articles, passages, changes of
// texts by other texts, and citations. It reads words of texts and questions; references,
// dates, numbers and titles are the results. Its folders compare and name texts
// (edition, naming, country), apply amending acts to them (amend), analyze French (french,
// fulltext, anonym) and write texts out (export).
//
// It contains only values and rules and imports no store. Its JSON uses the terms of the law
// (statut, domaine, numero_officiel); Go names are English. A Document is one legal text as
// published; an issue of a gazette contains several. An Article is the unit that is cited, a
// Passage the unit that is searched; the passages of an article, concatenated, are its text.
// The new wording of an article of another text is an Article too, with a Wording that says
// which article it replaces.
package law
