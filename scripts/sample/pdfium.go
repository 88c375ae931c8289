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

// reader is a PDF opened in PDFium, which runs in WebAssembly: without a file
// system, and with the same arithmetic on every machine.
type reader struct {
	pool     pdfium.Pool
	instance pdfium.Pdfium
	document references.FPDF_DOCUMENT
	pages    int
}

// openPDF opens a PDF for reading; Close frees the sandbox.
func openPDF(ctx context.Context, data []byte) (_ *reader, err error) {
	pool, err := webassembly.Init(webassembly.Config{
		Context: ctx, MinIdle: 1, MaxIdle: 1, MaxTotal: 1, FSConfig: wazero.NewFSConfig(), Stdout: io.Discard, Stderr: io.Discard,
	})
	if err != nil {
		return nil, fmt.Errorf("pdfium: %w", err)
	}
	r := &reader{pool: pool}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.Close())
		}
	}()
	if r.instance, err = pool.GetInstance(time.Minute); err != nil {
		return nil, fmt.Errorf("pdfium: %w", err)
	}
	doc, err := r.instance.OpenDocument(&requests.OpenDocument{File: &data})
	if err != nil {
		return nil, fmt.Errorf("pdfium: open: %w", err)
	}
	r.document = doc.Document
	count, err := r.instance.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: r.document})
	if err != nil {
		return nil, fmt.Errorf("pdfium: pages: %w", err)
	}
	r.pages = count.PageCount
	return r, nil
}

// Close ends the instance and its sandbox.
func (r *reader) Close() error {
	var err error
	if r.instance != nil {
		err = r.instance.Close()
	}
	return errors.Join(err, r.pool.Close())
}

func (r *reader) page(index int) requests.Page {
	return requests.Page{ByIndex: &requests.PageByIndex{Document: r.document, Index: index}}
}

// text is the text layer of a page, counted from 0.
func (r *reader) text(index int) (string, error) {
	got, err := r.instance.GetPageText(&requests.GetPageText{Page: r.page(index)})
	if err != nil {
		return "", fmt.Errorf("pdfium: text of page %d: %w", index+1, err)
	}
	return got.Text, nil
}
