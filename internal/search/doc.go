// Package search is the door to finding: a question in French goes in, and a ranked list of
// articles comes out, with a verdict (rank.Verdict) on whether the best one answers.
//
// question reads what is asked, memindex (over postings) and milvus find passages by words
// and by vectors (encode, transformer, vector), finding chooses between the two indexes,
// retrieve turns passages into ordered articles, and rank holds the learned order and the
// probability that the first article answers.
package search
