package auth

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/argon2"
	"golang.org/x/text/unicode/norm"

	"vigueur/internal/kit/errs"
)

// The minimum and maximum length of a password in code points. The minimum is that of NIST
// SP 800-63B; the maximum only limits the cost of a request.
const (
	MinPassword = 12
	MaxPassword = 128
)

// cost is the cost of new hashes, as OWASP's password storage cheat sheet recommends:
// argon2id with 19 MiB, 2 passes and 1 lane.
var cost = params{memory: 19 * 1024, passes: 2, lanes: 1}

const (
	saltBytes = 16
	keyBytes  = 32
)

// Passwords hashes and verifies passwords, a few at a time. It is safe for use
// by many goroutines.
type Passwords struct {
	slots  chan struct{} // running hashes
	queue  chan struct{} // running and waiting hashes
	nobody chan struct{} // those of them for accounts that do not exist: as many as run, so that made-up addresses keep nobody out
	lasted atomic.Int64  // duration of the last verification in ns
	dummy  phc           // matches no password; same cost as a real one
}

// waiting is the maximum number of waiting hashes per running one, which take two seconds
// together.
const waiting = 28

// NewPasswords returns a Passwords that runs as many concurrent hashes as there are
// processors, less one for everything else, and lets a limited number of hashes wait.
func NewPasswords() *Passwords {
	slots := max(1, runtime.GOMAXPROCS(0)-1)
	places := slots * (1 + waiting)
	return &Passwords{
		slots:  make(chan struct{}, slots),
		queue:  make(chan struct{}, places),
		nobody: make(chan struct{}, slots),
		dummy:  phc{params: cost, salt: make([]byte, saltBytes), key: make([]byte, keyBytes)},
	}
}

// Hash returns the PHC string of a password with a new salt. The password is hashed in NFC:
// systems write the same accented letter as one character or as two. It waits for a slot;
// Unavailable if ctx ends first or too many wait.
func (p *Passwords) Hash(ctx context.Context, password string) (string, error) {
	h := phc{params: cost, salt: make([]byte, saltBytes)}
	_, _ = rand.Read(h.salt) // never fails: crypto/rand ends the process instead
	key, err := p.derive(ctx, norm.NFC.String(password), h.params, h.salt, keyBytes)
	if err != nil {
		return "", err
	}
	h.key = key
	return h.String(), nil
}

// Verify reports whether encoded, a PHC string, is a hash of password in NFC, or as it was typed,
// as older hashes are. An empty encoded
// means an account that does not exist: the result is false, after the same work or, while
// too many such verifications run, after about the time that a verification for an existing
// account takes. Unavailable if ctx ends before a slot is free, or too many wait; Internal
// if encoded is not an argon2id hash.
func (p *Passwords) Verify(ctx context.Context, password, encoded string) (bool, error) {
	h, err := p.dummy, error(nil)
	if encoded == "" {
		select {
		case p.nobody <- struct{}{}:
			defer func() { <-p.nobody }()
		default:
			return false, p.pretend(ctx, len(forms(password)))
		}
	} else if h, err = parsePHC(encoded); err != nil {
		return false, err
	}
	same := false
	for _, form := range forms(password) { // all of them, so that the time tells nothing
		began := time.Now()
		key, err := p.derive(ctx, form, h.params, h.salt, len(h.key))
		if err != nil {
			return false, err
		}
		p.lasted.Store(int64(time.Since(began)))
		same = subtle.ConstantTimeCompare(key, h.key) == 1 || same
	}
	return same && encoded != "", nil
}

// forms returns the forms of a password that are compared: in NFC, and as it was typed if that
// differs.
func forms(password string) []string {
	composed := norm.NFC.String(password)
	if composed == password {
		return []string{password}
	}
	return []string{composed, password}
}

// pretend waits about as long as so many verifications take, by the last one, at random up to
// an eighth more or less.
func (p *Passwords) pretend(ctx context.Context, times int) error {
	lasted := time.Duration(p.lasted.Load()) * time.Duration(times)
	t := time.NewTimer(lasted - lasted/8 + mathrand.N(lasted/4+1))
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return errs.Wrap(errs.Unavailable, "", fmt.Errorf("auth: wait for a turn to hash: %w", ctx.Err()))
	}
}

// derive runs argon2id when a slot is free. If too many hashes wait already, it fails at
// once: a hash that waits longer than a person is willing to would only delay others.
func (p *Passwords) derive(ctx context.Context, password string, c params, salt []byte, length int) ([]byte, error) {
	select {
	case p.queue <- struct{}{}:
		defer func() { <-p.queue }()
	default:
		return nil, errs.New(errs.Unavailable, "Trop de personnes se connectent en ce moment. Réessayez dans quelques secondes.")
	}
	select {
	case p.slots <- struct{}{}:
		defer func() { <-p.slots }()
	case <-ctx.Done():
		return nil, errs.Wrap(errs.Unavailable, "", fmt.Errorf("auth: wait for a turn to hash: %w", ctx.Err()))
	}
	return argon2.IDKey([]byte(password), salt, c.passes, c.memory, c.lanes, uint32(length)), nil
}

// params are the parameters of argon2id: memory in KiB, passes, lanes.
type params struct {
	memory uint32
	passes uint32
	lanes  uint8
}

// phc is a hashed password.
type phc struct {
	params
	salt []byte
	key  []byte
}

var (
	encoding   = base64.RawStdEncoding.Strict()
	errNotPHC  = errors.New("auth: not an argon2id PHC string")
	errTooDear = errors.New("auth: an argon2id hash with an unsupported cost")
)

// String encodes the hash in the PHC string format:
// $argon2id$v=19$m=19456,t=2,p=1$salt$key.
func (h phc) String() string {
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, h.memory, h.passes, h.lanes,
		encoding.EncodeToString(h.salt), encoding.EncodeToString(h.key))
}

// parsePHC parses what String wrote. Costs are limited, so that a corrupt row cannot use up
// the machine's memory.
func parsePHC(s string) (phc, error) {
	part := strings.Split(s, "$")
	if len(part) != 6 || part[0] != "" || part[1] != "argon2id" || part[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return phc{}, errNotPHC
	}
	var h phc
	if n, err := fmt.Sscanf(part[3], "m=%d,t=%d,p=%d", &h.memory, &h.passes, &h.lanes); n != 3 || err != nil {
		return phc{}, errNotPHC
	}
	var errSalt, errKey error
	h.salt, errSalt = encoding.DecodeString(part[4])
	h.key, errKey = encoding.DecodeString(part[5])
	if errSalt != nil || errKey != nil || len(h.salt) < 8 || len(h.key) < 16 || h.String() != s {
		return phc{}, errNotPHC
	}
	if h.passes < 1 || h.passes > 16 || h.lanes < 1 || h.memory < 8 || h.memory > 256*1024 || len(h.salt) > 64 || len(h.key) > 64 {
		return phc{}, errTooDear
	}
	return h, nil
}
