// Package reconcile compares the rows of the database with each other, with the stored files and with the indexes of titles
// and passages, and mends what can be mended.
package reconcile
