package main

import (
	"context"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"

	"github.com/google/uuid"

	"vigueur/internal/web/httpapi/gazettes"
	"vigueur/internal/web/httpapi/transport"
	"vigueur/internal/work/admission"
)

// upload sends a file with what is said of it, and returns its ingestion.
func (s *server) upload(ctx context.Context, file admission.File, said map[string]any) (row gazettes.IngestionBody, err error) {
	var made struct {
		ID uuid.UUID `json:"ingestion_id"`
	}
	if err := s.sendForm(ctx, "/admin/documents", file.Name, file.Open, said, &made); err != nil {
		return row, err
	}
	err = s.call(ctx, http.MethodGet, "/admin/ingestions/"+made.ID.String(), nil, nil, &row)
	return row, err
}

// sendForm posts a form with a file and decodes the response into out.
func (s *server) sendForm(ctx context.Context, path, name string, open func() (io.ReadCloser, error), said map[string]any, out any) error {
	read, write := io.Pipe()
	form := multipart.NewWriter(write)
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		write.CloseWithError(writeForm(form, name, open, said)) // nil: the end of the form
	}()
	defer func() {
		_ = read.Close() // it ends the writer, whose error is that of the request
		<-sent
	}()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.base+transport.Prefix+path, read)
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", form.FormDataContentType())
	return s.receive(r, out)
}

// writeForm writes a form with a file.
func writeForm(form *multipart.Writer, name string, open func() (io.ReadCloser, error), said map[string]any) error {
	for name, value := range said {
		if err := form.WriteField(name, fmt.Sprint(value)); err != nil {
			return err
		}
	}
	part, err := form.CreateFormFile("file", name)
	if err != nil {
		return err
	}
	bytes, err := open()
	if err != nil {
		return err
	}
	defer bytes.Close() // it is only read
	if _, err := io.Copy(part, bytes); err != nil {
		return err
	}
	return form.Close()
}
