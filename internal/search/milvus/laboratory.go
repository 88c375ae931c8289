package milvus

import (
	"context"
	"errors"
)

// Remove drops a collection that may be the searched one, and the alias, and closes the
// connection. Benchmarks call it to leave nothing behind.
func (s *Store) Remove(ctx context.Context, c Collection) error {
	client, err := s.connect(ctx)
	if err != nil {
		return err
	}
	if there, err := client.DescribeCollection(ctx, s.alias()); err == nil && there.Name == c.Name {
		if err := client.DropAlias(ctx, s.alias()); err != nil {
			return unavailable("drop the alias "+s.alias(), err)
		}
	}
	return errors.Join(s.Drop(ctx, c), s.Close())
}
