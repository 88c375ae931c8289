package httpapi

import (
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// toldOf is a log handler that counts warnings.
type toldOf struct {
	lock sync.Mutex
	n    int
}

func (t *toldOf) Write(line []byte) (int, error) {
	t.lock.Lock()
	defer t.lock.Unlock()
	t.n += strings.Count(string(line), "VIGUEUR_TRUSTED_PROXIES")
	return len(line), nil
}

func (t *toldOf) count() int {
	t.lock.Lock()
	defer t.lock.Unlock()
	return t.n
}

// TestUnknownProxyIsToldOf sends the header of a proxy on a private network, while no proxy
// is configured: all its clients share one limit, and a warning is logged once an hour.
func TestUnknownProxyIsToldOf(t *testing.T) {
	for _, known := range []bool{false, true} {
		t.Run(fmt.Sprint("known: ", known), func(t *testing.T) {
			var later atomic.Int64
			said := &toldOf{}
			b := setup(t, func(s *Server) {
				if !known {
					s.Proxies = nil
				}
				s.Now = func() time.Time { return time.Now().Add(time.Duration(later.Load())) }
				s.Log = slog.New(slog.NewTextHandler(said, nil))
			})
			send := func(forwarded ...string) {
				t.Helper()
				equal(t, "status", b.login(t, "nobody@example.org", "x", forwarded...).status, http.StatusUnauthorized)
			}
			once := map[bool]int{false: 1, true: 0}[known]
			send()
			equal(t, "without the header", said.count(), 0)
			send("X-Forwarded-For", "203.0.113.7")
			equal(t, "the first", said.count(), once)
			send("X-Forwarded-For", "203.0.113.8")
			equal(t, "soon after", said.count(), once)
			later.Store(int64(61 * time.Minute))
			send("X-Forwarded-For", "203.0.113.9")
			equal(t, "an hour later", said.count(), 2*once)
		})
	}
}
