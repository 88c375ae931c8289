// Package terminal prints on a terminal, or on an output that is none: foreign text made safe, tables and fields that fit
// the width of the screen, and a bar of progress.
package terminal
