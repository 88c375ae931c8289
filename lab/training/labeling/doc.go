// Package labeling trains the models of internal/gazette/chain, also from items whose labels are only partly known, and
// writes them. The same sequences in the same order give the same model, bit for bit, on the same processor
// architecture.
package labeling
