// Package force reads when a text enters into force. The articles of a text go in. The day or the
// period of the clause on entry into force comes out, and how much of the clause was understood.
package force
