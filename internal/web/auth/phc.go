package auth

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/crypto/argon2"
)

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
