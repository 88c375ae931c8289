//go:build !linux

package pdftext

import "os"

func widen(*os.File) {}
