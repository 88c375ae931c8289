package relay

import (
	"context"
	"encoding/binary"
	"log/slog"
	"testing"

	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
	"vigueur/internal/store/chat"
	"vigueur/internal/work/queue/redistest"
)

// several returns a running relay over several servers.
func several(t *testing.T, addresses string) *Relay {
	t.Helper()
	r, err := Open(addresses, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range r.servers {
		h.limits = limits{send: hang, join: hang}
		h.batches.limit = hang
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return r
}

// ids returns n ids, which are the same in every call.
func ids(n int) (list []uuid.UUID) {
	for i := range n {
		list = append(list, uuid.NewSHA1(uuid.NameSpaceOID, binary.BigEndian.AppendUint64(nil, uint64(i))))
	}
	return list
}

// at returns an id that is assigned to the server with the given index.
func (r *Relay) at(t *testing.T, server int) uuid.UUID {
	t.Helper()
	for _, id := range ids(1000) {
		if r.serverOf(id) == r.servers[server] {
			return id
		}
	}
	t.Fatal("no id is assigned to that server")
	return uuid.Nil
}

// Each server gets about the same number of answers, in whatever order the servers are
// named. An additional server takes over answers from all others, and no answer moves
// between the old ones.
func TestAnswersAreSpread(t *testing.T) {
	t.Parallel()
	made := func(names ...string) *Relay {
		r := &Relay{}
		for _, name := range names {
			r.servers = append(r.servers, &server{name: name})
		}
		return r
	}
	const n = 20_000
	two, turned, three := made("a:6379/0", "b:6379/0"), made("b:6379/0", "a:6379/0"), made("a:6379/0", "b:6379/0", "c:6379/0")
	shares, moved := map[string]int{}, 0
	for _, id := range ids(n) {
		before, now := two.serverOf(id).name, three.serverOf(id).name
		if turned.serverOf(id).name != before {
			t.Fatalf("%s is assigned to another server when the servers are listed in another order", id)
		}
		if now != before {
			moved++
			if now != "c:6379/0" {
				t.Fatalf("%s moved from %s to %s, which was there before", id, before, now)
			}
		}
		shares[before]++
	}
	if share := shares["a:6379/0"]; share < n*48/100 || share > n*52/100 {
		t.Errorf("one of two servers has %d of %d answers", share, n)
	}
	if moved < n*31/100 || moved > n*36/100 {
		t.Errorf("%d of %d answers moved to the third", moved, n)
	}
}

// One of two servers fails: answers on the other server are streamed as before, and new
// answers begin there. When the first server is back, it gets answers again.
func TestOneOfTwoIsAway(t *testing.T) {
	t.Parallel()
	first, second := redistest.New(t), redistest.New(t)
	addresses := first.URL() + "\n " + second.URL()
	writer, reader := several(t, addresses), several(t, addresses)
	ctx := t.Context()
	tell := func(id uuid.UUID, s *Subscription) {
		t.Helper()
		p := writer.Publisher(ctx, id, 1)
		p.Text(ctx, "entier")
		p.End(ctx, chat.Final, []byte("{}"))
		if got := textOf(t, rest(t, s)); got != "entier" {
			t.Errorf("got %q", got)
		}
	}
	for server := range 2 {
		id := reader.at(t, server)
		s, err := reader.Subscribe(ctx, id, 0)
		if err != nil {
			t.Fatal(err)
		}
		tell(id, s)
		s.Close()
	}
	if reader.DownServers(ctx)(reader.at(t, 0)) || reader.DownServers(ctx)(reader.at(t, 1)) {
		t.Error("an answer's server is down though both answer")
	}
	second.Stop()
	reader.servers[1].limits = usual // a command to it may be lost without an error, and the client then waits for the reply
	down := reader.DownServers(ctx)
	if down(reader.at(t, 0)) || !down(reader.at(t, 1)) {
		t.Error("not the answers of the server that is away are said to be on a server that is down")
	}
	if err := reader.Ping(ctx); err != nil {
		t.Errorf("with one of two: %v", err)
	}
	if _, err := reader.Subscribe(ctx, reader.at(t, 1), 0); !errs.Is(err, errs.Unavailable) {
		t.Errorf("an answer of the one that is away: %v", err)
	}
	for range 10 {
		id, s, err := reader.Begin(ctx, uuid.New)
		if err != nil {
			t.Fatalf("a new answer: %v", err)
		}
		tell(id, s)
		s.Close()
	}
	// The relay notices that a server is down when it tries to use it.
	reader.servers[1].downUntil.Store(0)
	draws := []uuid.UUID{reader.at(t, 1), reader.at(t, 0)}
	drawn := 0
	id, s, err := reader.Begin(ctx, func() uuid.UUID { drawn++; return draws[(drawn-1)%2] })
	if err != nil || id != draws[1] {
		t.Fatalf("began %v, %v", id, err)
	}
	s.Close()
	first.Stop()
	reader.servers[0].limits = usual
	if _, _, err := reader.Begin(ctx, uuid.New); !errs.Is(err, errs.Unavailable) {
		t.Errorf("with none of two: %v", err)
	}
	if err := reader.Ping(ctx); !errs.Is(err, errs.Unavailable) {
		t.Errorf("with none of two: %v", err)
	}
	for _, server := range []*redistest.Server{first, second} {
		if err := server.Start(); err != nil {
			t.Fatal(err)
		}
	}
	for reader.DownServers(ctx)(reader.at(t, 1)) {
		if ctx.Err() != nil {
			t.Fatal("the server stays away")
		}
	}
	id = reader.at(t, 1)
	if s, err = reader.Subscribe(ctx, id, 0); err != nil {
		t.Fatal(err)
	}
	tell(id, s)
	s.Close()
}

func TestServersAreNamedOnce(t *testing.T) {
	t.Parallel()
	for _, addresses := range []string{"", " \n", "redis://a redis://:autre@a:6379/0", "redis://a http://b"} {
		if _, err := Open(addresses, nil); !errs.Is(err, errs.Invalid) {
			t.Errorf("%q: %v", addresses, err)
		}
	}
	r, err := Open("redis://u:secret@a:1/2 redis+sentinel://c,b/chef", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	names, pings := r.Servers()
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if err := r.Run(over); err != nil { // closes all connections
		t.Error(err)
	}
	if len(pings) != 2 || names[0] != "a:1/2" || names[1] != "chef@b:26379,c:26379/0" {
		t.Errorf("servers %q", names)
	}
}
