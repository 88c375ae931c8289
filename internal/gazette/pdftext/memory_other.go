//go:build !linux

package pdftext

import "context"

// withMemory leaves the memory of engines in Go's heap.
func withMemory(ctx context.Context) context.Context { return ctx }
