package client

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/web/httpapi/gazettes"
	"vigueur/internal/web/httpapi/transport"
	"vigueur/internal/work/admission"
)

// partMost is the size of the parts in which files go to another machine, in bytes; smaller files go whole.
const partMost = 4 << 20

// partTime is how long a part may take: some 14 KiB a second.
const partTime = 5 * time.Minute

// Upload sends a file with what is said of it, and returns its ingestion. To another machine it goes by parts, from
// where an earlier attempt was cut off; sent is called with the number of bytes that have arrived.
func (c *Client) Upload(ctx context.Context, file admission.File, said map[string]any, sent func(bytes int64)) (row gazettes.IngestionBody, err error) {
	if c.Bearer != nil && file.Size > partMost {
		err := c.sendParts(ctx, file, said, sent)
		if errors.As(err, new(unknownAddress)) { // a server that takes no parts yet
			return c.uploadWhole(ctx, file, said)
		}
		if err != nil {
			return row, err
		}
		there, err := c.FileOf(ctx, file.SHA256)
		if err == nil && there == nil {
			err = errs.New(errs.NotFound, "Le fichier est arrivé, et vient d’être supprimé.")
		}
		if err == nil {
			row = *there
		}
		return row, err
	}
	return c.uploadWhole(ctx, file, said)
}

// uploadWhole sends a file in one request, and returns its ingestion.
func (c *Client) uploadWhole(ctx context.Context, file admission.File, said map[string]any) (row gazettes.IngestionBody, err error) {
	var made struct {
		ID uuid.UUID `json:"ingestion_id"`
	}
	if err := c.SendForm(ctx, "/admin/documents", file.Name, file.Open, said, &made); err != nil {
		return row, err
	}
	err = c.Call(ctx, http.MethodGet, "/admin/ingestions/"+made.ID.String(), nil, nil, &row)
	return row, err
}

// sendParts sends what has not arrived yet of a file, by the protocol tus
// (https://tus.io/protocols/resumable-upload). The server knows a file that was begun by its hash.
func (c *Client) sendParts(ctx context.Context, file admission.File, said map[string]any, sent func(bytes int64)) error {
	pairs := []string{"filename " + inBase64(file.Name), "sha256 " + inBase64(file.SHA256)}
	for name, value := range said {
		pairs = append(pairs, name+" "+inBase64(fmt.Sprint(value)))
	}
	place, offset, err := c.tus(ctx, http.MethodPost, transport.Prefix+"/admin/uploads", http.NoBody, map[string]string{
		"Upload-Length": strconv.FormatInt(file.Size, 10), "Upload-Metadata": strings.Join(pairs, ",")})
	if err != nil {
		return err
	}
	bytes, err := file.Open()
	if err != nil {
		return err
	}
	defer bytes.Close() // it is only read
	if _, err := io.CopyN(io.Discard, bytes, offset); err != nil {
		return err
	}
	for offset < file.Size {
		sent(offset)
		previous, n := offset, min(partMost, file.Size-offset)
		part, cancel := context.WithTimeout(ctx, partTime)
		_, offset, err = c.tus(part, http.MethodPatch, place, io.LimitReader(bytes, n), map[string]string{
			"Upload-Offset": strconv.FormatInt(previous, 10), "Content-Type": "application/offset+octet-stream", "Content-Length": strconv.FormatInt(n, 10)})
		cancel()
		if err == nil && offset != previous+n {
			err = errs.Newf(errs.Unavailable, "%s n’a pris qu’une partie de ce qui lui est envoyé.", c.Base)
		}
		if err != nil {
			return err
		}
	}
	sent(offset)
	return nil
}

func inBase64(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

// tus sends a request of the protocol and returns the address and the number of bytes that the response names.
func (c *Client) tus(ctx context.Context, method, path string, body io.Reader, headers map[string]string) (location string, offset int64, err error) {
	r, err := http.NewRequestWithContext(ctx, method, c.Base+path, body)
	if err != nil {
		return "", 0, err
	}
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	if n := headers["Content-Length"]; n != "" {
		if r.ContentLength, err = strconv.ParseInt(n, 10, 64); err != nil {
			return "", 0, err
		}
	}
	r.Header.Set("Tus-Resumable", "1.0.0")
	response, err := c.Send(r)
	if err != nil {
		return "", 0, err
	}
	if err := response.Body.Close(); err != nil {
		return "", 0, c.Away(ctx, err)
	}
	if offset, err = strconv.ParseInt(response.Header.Get("Upload-Offset"), 10, 64); err != nil {
		return "", 0, c.foreign(response, nil)
	}
	return response.Header.Get("Location"), offset, nil
}

// SendForm posts a form with a file and decodes the response into out.
func (c *Client) SendForm(ctx context.Context, path, name string, open func() (io.ReadCloser, error), said map[string]any, out any) error {
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
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.Base+transport.Prefix+path, read)
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", form.FormDataContentType())
	return c.Receive(r, out)
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
