//go:build !linux

package ocr

func tryConfined() {}
