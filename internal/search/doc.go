// Package search groups the packages that find articles: a question in French goes in, and a
// ranked list of articles comes out, with a verdict (decide.Verdict) on whether the best one
// answers.
//
// question reads what is asked, named decides which texts the question means, memindex (over
// postings) and milvus find passages by words and by vectors (encode, transformer, vector),
// finding chooses between the two indexes, retrieve turns passages into ordered articles, rank
// holds the learned order and the probability that the first article answers, and decide
// returns the verdict.
package search
