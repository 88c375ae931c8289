package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
)

// engine is PDFium in a WebAssembly sandbox: without a file system, and with the
// same arithmetic on every machine. It is used by one goroutine at a time.
type engine struct {
	pool     pdfium.Pool
	instance pdfium.Pdfium
}

// newEngine compiles the sandbox, which takes a second or two; Close frees it.
func newEngine(ctx context.Context) (*engine, error) {
	pool, err := webassembly.Init(webassembly.Config{
		Context: ctx, MinIdle: 1, MaxIdle: 1, MaxTotal: 1, FSConfig: wazero.NewFSConfig(), Stdout: io.Discard, Stderr: io.Discard,
	})
	if err != nil {
		return nil, fmt.Errorf("pdfium: %w", err)
	}
	instance, err := pool.GetInstance(time.Minute)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("pdfium: %w", err), pool.Close())
	}
	return &engine{pool: pool, instance: instance}, nil
}

// Close ends the instance and its sandbox.
func (e *engine) Close() error {
	return errors.Join(e.instance.Close(), e.pool.Close())
}

// reader is a PDF opened in an engine.
type reader struct {
	instance pdfium.Pdfium
	document references.FPDF_DOCUMENT
	pages    int
}

// open opens a PDF; Close gives its memory back to the engine.
func (e *engine) open(data []byte) (*reader, error) {
	doc, err := e.instance.OpenDocument(&requests.OpenDocument{File: &data})
	if err != nil {
		return nil, fmt.Errorf("pdfium: open: %w", err)
	}
	r := &reader{instance: e.instance, document: doc.Document}
	count, err := e.instance.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: r.document})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("pdfium: pages: %w", err), r.Close())
	}
	r.pages = count.PageCount
	return r, nil
}

// Close closes the document, not the engine.
func (r *reader) Close() error {
	_, err := r.instance.FPDF_CloseDocument(&requests.FPDF_CloseDocument{Document: r.document})
	return err
}

func (r *reader) page(index int) requests.Page {
	return requests.Page{ByIndex: &requests.PageByIndex{Document: r.document, Index: index}}
}
