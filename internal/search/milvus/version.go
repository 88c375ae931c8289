package milvus

import (
	"context"
	"strings"
)

// Version returns the server's version, such as « 2.6.5 ».
func (s *Store) Version(ctx context.Context) (string, error) {
	c, err := s.connect(ctx)
	if err != nil {
		return "", err
	}
	v, err := c.GetVersion(ctx)
	if err != nil {
		return "", unavailable("version", err)
	}
	return strings.TrimPrefix(v, "v"), nil
}
