package main

import (
	"context"
	"log/slog"
	"math"
	"syscall"
	"time"

	"github.com/KimMachineGun/automemlimit/memlimit"

	"vigueur/internal/ops/config"
	"vigueur/internal/store/ratelimit"
	"vigueur/internal/web/httpapi"
	"vigueur/internal/web/httpapi/account"
	"vigueur/internal/web/httpapi/public"
	"vigueur/internal/web/httpapi/transport"
)

// Limits of one process.
const (
	perNetwork = 512 // connections of one network, or requests in progress behind a trusted proxy
	uploads    = 8   // files that are received at once
)

// questionAskers is how many accounts must have asked a question without a sure answer before editors read it: with three,
// nobody can tell who the others are.
const questionAskers = 3

// setLimits sets how often one network, browser, address or account may do something. All servers count together.
func setLimits(server *httpapi.Server, store *ratelimit.Store, cfg config.API) {
	limit := func(name string, n int, window time.Duration) *ratelimit.Limiter {
		return &ratelimit.Limiter{Store: store, Name: name, Limit: n, Window: window}
	}
	server.Logins = account.NewLoginLimits(store, "login")
	server.Inquiries = limit("inquiry", 5, time.Hour)
	server.AllInquiries = limit("inquiry-all", 500, time.Hour) // each is a message in the mailbox of whoever answers them
	server.Deliveries = limit("deliveries", 10, time.Minute)
	server.LinkRequests = limit("letters", 10, time.Hour)
	server.Mailbox = limit("mailbox", 3, time.Hour)
	server.Exports = limit("export", 5, time.Hour)
	server.Providers.Used = limit("provider", 1, config.AttemptLife)
	server.Keys = &ratelimit.Allowance{Store: store, Name: "key"}
	if cfg.PublicPages {
		server.Guests = limit("titles", 120, time.Minute)                                                              // enough to type two letters per second
		server.Public = public.New(cfg.Individual == config.IndividualHidden, limit("public-search", 30, time.Minute)) // a form is sent whole, so that nobody needs more
	}
	if cfg.GuestQuestions > 0 {
		server.GuestQuestions = limit("guest-questions", cfg.GuestQuestions, 24*time.Hour) // from one browser
	}
}

const (
	// perConnection is the memory to reserve for a connection: an idle stream takes about
	// 30 KiB, an active request its header and response.
	perConnection = 128 << 10
	// otherFiles is the number of file descriptors that are needed besides connections: for
	// stores, downloads of PDF files and uploads.
	otherFiles = 512
	// fewest is the minimum number of connections, even on a small machine.
	fewest = 256
	// leastBodies and mostBodies limit the memory of request bodies, in bytes. Bodies are
	// small, except the texts of large corrections (1 MiB at most).
	leastBodies, mostBodies = 16 << 20, 256 << 20
	// heapShare is the share of a container's memory that Go's heap may grow to before it is
	// collected more often. The rest is for the kernel's buffers and the child that renders
	// pages.
	heapShare = .75
)

// limitHeap sets Go's memory limit from the container's, unless GOMEMLIMIT sets it. Without
// a container's limit there is none.
func limitHeap(log *slog.Logger) {
	limit, err := memlimit.Set(memlimit.WithProvider(memlimit.FromCgroup), memlimit.WithRatio(heapShare))
	if err == nil && limit > 0 && limit < math.MaxInt64 {
		log.LogAttrs(context.Background(), slog.LevelInfo, "memory limit", slog.Int64("bytes", limit))
	}
}

// memory returns the bytes of memory that the process may use: the limit of its control
// group, or the machine's memory; 1 GiB if neither can be read.
func memory() int {
	bytes := uint64(1 << 30)
	if all, err := memlimit.FromSystem(); err == nil && all > 0 {
		bytes = all
	}
	if limit, err := memlimit.FromCgroup(); err == nil && limit > 0 {
		bytes = min(bytes, limit)
	}
	return int(min(bytes, math.MaxInt))
}

// roomForBodies returns how much of so much memory request bodies may take: a sixteenth, of
// which one network may have an eighth, but always two of the largest bodies.
func roomForBodies(memory int) transport.ByteRoom {
	all := min(max(memory/16, leastBodies), mostBodies)
	return transport.ByteRoom{All: all, Each: max(all/8, 2*transport.BodyLimit)}
}

// roomForReplies returns how much of so much memory responses on their way may take: as much
// as bodies, of which one network may have a half.
func roomForReplies(memory int) transport.ByteRoom {
	all := roomForBodies(memory).All
	return transport.ByteRoom{All: all, Each: all / 2}
}

// roomForConnections returns how many connections fit: within half of the memory, besides
// the bodies and replies, and within the process's limit of open files.
func roomForConnections(memory int) int {
	room := (memory/2 - roomForBodies(memory).All - roomForReplies(memory).All) / perConnection
	var files syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files); err == nil && files.Cur < math.MaxInt32 {
		room = min(room, int(files.Cur)-otherFiles)
	}
	return max(room, fewest)
}
