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
	read, write := io.Pipe()
	form := multipart.NewWriter(write)
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		write.CloseWithError(writeForm(form, file, said)) // nil: the end of the form
	}()
	defer func() {
		_ = read.Close() // it ends the writer, whose error is that of the request
		<-sent
	}()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.base+transport.Prefix+"/admin/documents", read)
	if err != nil {
		return row, err
	}
	r.Header.Set("Content-Type", form.FormDataContentType())
	var made struct {
		ID uuid.UUID `json:"ingestion_id"`
	}
	if err := s.receive(r, &made); err != nil {
		return row, err
	}
	err = s.call(ctx, http.MethodGet, "/admin/ingestions/"+made.ID.String(), nil, nil, &row)
	return row, err
}

// writeForm writes the form that takes a file.
func writeForm(form *multipart.Writer, file admission.File, said map[string]any) error {
	for name, value := range said {
		if err := form.WriteField(name, fmt.Sprint(value)); err != nil {
			return err
		}
	}
	part, err := form.CreateFormFile("file", file.Name)
	if err != nil {
		return err
	}
	bytes, err := file.Open()
	if err != nil {
		return err
	}
	defer bytes.Close() // it is only read
	if _, err := io.Copy(part, bytes); err != nil {
		return err
	}
	return form.Close()
}
