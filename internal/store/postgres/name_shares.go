package postgres

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"vigueur/internal/law/naming"
)

// sharesLast is how long the statistics of keys are used before they are read again.
// PostgreSQL renews them whenever a tenth of the rows has changed.
const sharesLast = 10 * time.Minute

// knownShares caches the statistics of keys. The zero value is ready to use and safe for
// use by many goroutines.
type knownShares struct {
	mu    sync.Mutex
	known naming.Shares
	until time.Time
}

// keyShares returns the statistics of keys, at most sharesLast old. While one caller reads
// them again, concurrent callers get the old ones at once.
func (s NameSource) keyShares(ctx context.Context) (naming.Shares, error) {
	k := s.shares
	k.mu.Lock()
	known, now := k.known, time.Now()
	fresh := now.Before(k.until)
	if !fresh {
		k.until = now.Add(sharesLast)
	}
	k.mu.Unlock()
	if fresh {
		return known, nil
	}
	known, err := readKeyShares(ctx, s.names)
	k.mu.Lock()
	defer k.mu.Unlock()
	if err != nil {
		k.until = time.Time{}
		return naming.Shares{}, err
	}
	k.known = known
	return known, nil
}

// readKeyShares reads which keys are common. In pg_stats the frequencies of the keys are
// followed by their minimum, their maximum and the share of nulls.
func readKeyShares(ctx context.Context, q querier) (naming.Shares, error) {
	var keys []string
	var shares []float64
	err := q.QueryRow(ctx, `SELECT most_common_elems::text::text[], most_common_elem_freqs::float8[] FROM pg_stats
		WHERE schemaname = current_schema() AND tablename = 'text_names' AND attname = 'keys' AND most_common_elems IS NOT NULL`).Scan(&keys, &shares)
	if errors.Is(err, pgx.ErrNoRows) || err == nil && len(shares) <= len(keys) {
		return naming.Shares{}, nil // the table was not analyzed yet
	}
	if err != nil {
		return naming.Shares{}, classify("shares of names", err)
	}
	s := naming.Shares{Of: make(map[string]float64, len(keys)), Rest: shares[len(keys)]}
	for i, k := range keys {
		s.Of[k] = shares[i]
	}
	return s, nil
}
