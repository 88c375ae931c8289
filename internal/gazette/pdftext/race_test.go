//go:build race

package pdftext

func init() { raced = true }
