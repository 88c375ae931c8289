// Package judgment holds what was learned about cutting, beside the chain of labels: how article
// numbers follow one another, which change to a reading is right, and which signals together make
// a doubt. judgment.json goes in, as lab/training/witness wrote it. Weights and probabilities come out.
package judgment
