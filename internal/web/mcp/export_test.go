package mcp

import (
	"bytes"
	"context"
	"io"
	"net/http"
)

// Serve serves one client by Forward.
func (s *Service) Serve(ctx context.Context, r io.Reader, out io.Writer) error {
	served := s.HTTP()
	return Forward(ctx, r, out, func(ctx context.Context, version string, message []byte) ([]byte, error) {
		header := http.Header{}
		if version != "" {
			header.Set("Mcp-Protocol-Version", version)
		}
		reply, err := served.Exchange(ctx, header, message)
		return reply.Body, err
	})
}

// Lines returns what Forward forwards of an input, and what it replies to the rest.
func Lines(input []byte) (given, replies []byte, err error) {
	var in, out bytes.Buffer
	forwarded := make(chan []byte)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for line := range forwarded {
			in.Write(append(bytes.TrimSpace(line), '\n'))
		}
	}()
	err = Forward(context.Background(), bytes.NewReader(input), &out, func(_ context.Context, _ string, message []byte) ([]byte, error) {
		forwarded <- message
		return nil, nil
	})
	close(forwarded)
	<-ended
	return in.Bytes(), out.Bytes(), err
}
