// Package label labels the lines of a file: title, visa, article, signature and so on. The prepared
// lines go in. Out come the most probable labels by the linear chain (weights.bin) that the texts
// they make do not contradict, with the probability of each, and the lines of each text with its title.
package label
