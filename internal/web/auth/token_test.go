package auth

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"

	"vigueur/internal/kit/errs"
)

var (
	secret = bytes.Repeat([]byte("s"), MinSecret)
	noon   = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	awa    = Bearer{User: uuid.MustParse("01890a5d-ac96-774b-bcce-b302099a8057"), Email: "awa@example.org", Role: "editor", Version: 3}
)

func newTokens(t *testing.T, keys ...Key) *Tokens {
	t.Helper()
	if keys == nil {
		keys = []Key{key(t, "a", secret)}
	}
	return &Tokens{Issuer: "vigueur", Audience: "vigueur-api", Keys: keys, Now: func() time.Time { return noon }, Life: time.Hour}
}

func key(t *testing.T, id string, secret []byte) Key {
	t.Helper()
	k, err := HMAC(id, secret)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestTokenCarriesItsBearer(t *testing.T) {
	t.Parallel()
	tokens := newTokens(t)
	token, err := tokens.Issue(awa)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := tokens.Read(token); got != awa || err != nil {
		t.Errorf("Read = %+v, %v; want %+v", got, err, awa)
	}
	signed := jwt.MapClaims{}
	if _, _, err := jwt.NewParser().ParseUnverified(token, signed); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"iss", "aud", "sub", "uid", "role", "iat", "exp", "jti", "ver"} {
		if signed[name] == nil {
			t.Errorf("claim %s is missing", name)
		}
	}
	other, err := tokens.Issue(awa)
	if err != nil || other == token {
		t.Errorf("two tokens of one second are the same: %v", err)
	}
}

func TestTokenExpiresWithLeeway(t *testing.T) {
	t.Parallel()
	tokens := newTokens(t)
	token, err := tokens.Issue(awa)
	if err != nil {
		t.Fatal(err)
	}
	for delay, good := range map[time.Duration]bool{
		-29 * time.Second: true, -31 * time.Second: false, // issued by a clock ahead of ours
		time.Hour + 29*time.Second: true, time.Hour + 31*time.Second: false,
	} {
		tokens := newTokens(t)
		tokens.Now = func() time.Time { return noon.Add(delay) }
		if _, err := tokens.Read(token); (err == nil) != good {
			t.Errorf("read after %v: %v, want good %v", delay, err, good)
		}
	}
}

// sign makes a token that Issue would not make.
func sign(t *testing.T, method jwt.SigningMethod, with any, header map[string]any, change func(jwt.MapClaims)) string {
	t.Helper()
	c := jwt.MapClaims{"iss": "vigueur", "aud": "vigueur-api", "sub": awa.Email, "role": "editor", "ver": 3,
		"iat": noon.Unix(), "exp": noon.Add(time.Hour).Unix(), "jti": "1"}
	if change != nil {
		change(c)
	}
	token := jwt.NewWithClaims(method, c)
	for k, v := range header {
		token.Header[k] = v
	}
	signed, err := token.SignedString(with)
	if err != nil {
		t.Fatal(err)
	}
	return signed
}

// forge signs any header and payload with the secret, as HS256 does.
func forge(header, payload string) string {
	spell := base64.RawURLEncoding.EncodeToString
	text := spell([]byte(header)) + "." + spell([]byte(payload))
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(text))
	return text + "." + spell(mac.Sum(nil))
}

func TestTokensThatAreNotOurs(t *testing.T) {
	t.Parallel()
	tokens := newTokens(t)
	good := sign(t, jwt.SigningMethodHS256, secret, nil, nil)
	if _, err := tokens.Read(good); err != nil {
		t.Fatalf("a token without kid of the one key: %v", err)
	}
	hs := jwt.SigningMethodHS256
	without := func(name string) string {
		return sign(t, hs, secret, nil, func(c jwt.MapClaims) { delete(c, name) })
	}
	with := func(name string, value any) string {
		return sign(t, hs, secret, nil, func(c jwt.MapClaims) { c[name] = value })
	}
	part := strings.Split(good, ".")
	for name, token := range map[string]string{
		"empty":             "",
		"words":             "ceci n’est pas un jeton",
		"none":              sign(t, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, nil, nil),
		"HS512":             sign(t, jwt.SigningMethodHS512, secret, nil, nil),
		"HS384":             sign(t, jwt.SigningMethodHS384, secret, nil, nil),
		"other secret":      sign(t, hs, bytes.Repeat([]byte("x"), 32), nil, nil),
		"unknown kid":       sign(t, hs, secret, map[string]any{"kid": "b"}, nil),
		"kid is no string":  sign(t, hs, secret, map[string]any{"kid": []any{"a"}}, nil),
		"no exp":            without("exp"),
		"exp is text":       with("exp", "demain"),
		"exp is in quotes":  with("exp", strconv.FormatInt(noon.Add(time.Hour).Unix(), 10)),
		"iat is in quotes":  with("iat", strconv.FormatInt(noon.Unix(), 10)),
		"expired":           with("exp", noon.Add(-time.Minute).Unix()),
		"not yet":           with("nbf", noon.Add(time.Hour).Unix()),
		"from the future":   with("iat", noon.Add(time.Hour).Unix()),
		"no aud":            without("aud"),
		"other aud":         with("aud", "elsewhere"),
		"no iss":            without("iss"),
		"other iss":         with("iss", "elsewhere"),
		"no sub":            without("sub"),
		"sub with a NUL":    with("sub", "awa\x00@example.org"),
		"sub is a number":   with("sub", 5),
		"ver is text":       with("ver", "3"),
		"cut":               good[:len(good)-1],
		"cut in half":       good[:len(good)/2],
		"no signature":      part[0] + "." + part[1] + ".",
		"two parts":         part[0] + "." + part[1],
		"four parts":        good + ".x",
		"other payload":     part[0] + "." + strings.Split(with("sub", "b@example.org"), ".")[1] + "." + part[2],
		"blank":             " " + good,
		"100 KB of a word":  strings.Repeat("a", 100<<10),
		"100 KB of claims":  with("role", strings.Repeat("a", 100<<10))[1:],
		"100 KB of dots":    strings.Repeat(".", 100<<10),
		"exp of 1e400":      forge(`{"alg":"HS256"}`, `{"iss":"vigueur","aud":"vigueur-api","sub":"awa@example.org","ver":3,"exp":1e400}`),
		"payload null":      forge(`{"alg":"HS256"}`, `null`),
		"payload a list":    forge(`{"alg":"HS256"}`, `[]`),
		"alg none, signed":  forge(`{"alg":"none"}`, `{"iss":"vigueur","aud":"vigueur-api","sub":"awa@example.org","ver":3,"exp":4102444800}`),
		"alg missing":       forge(`{}`, `{"iss":"vigueur","aud":"vigueur-api","sub":"awa@example.org","ver":3,"exp":4102444800}`),
		"alg in lower case": forge(`{"alg":"hs256"}`, `{"iss":"vigueur","aud":"vigueur-api","sub":"awa@example.org","ver":3,"exp":4102444800}`),
		"10,000 levels":     forge(`{"alg":"HS256"}`, strings.Repeat("[", 10_001)),
	} {
		if b, err := tokens.Read(token); !errs.Is(err, errs.Unauthorized) {
			t.Errorf("%s: Read = %+v, %v; want Unauthorized", name, b, err)
		}
	}
}

func TestEverySpellingOfASignatureButOneIsRefused(t *testing.T) {
	t.Parallel()
	tokens := newTokens(t)
	token, err := tokens.Issue(awa)
	if err != nil {
		t.Fatal(err)
	}
	stem, last := token[:len(token)-1], token[len(token)-1]
	for _, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") {
		if _, err := tokens.Read(stem + string(c)); (err == nil) != (c == last) {
			t.Errorf("with the last character %c: %v", c, err)
		}
	}
}

func TestKeysRotate(t *testing.T) {
	t.Parallel()
	old, fresh := key(t, "2025", secret), key(t, "2026", bytes.Repeat([]byte("n"), 32))
	earlier, err := newTokens(t, old).Issue(awa)
	if err != nil {
		t.Fatal(err)
	}
	during := newTokens(t, fresh, old)
	later, err := during.Issue(awa)
	if err != nil {
		t.Fatal(err)
	}
	for name, token := range map[string]string{"earlier": earlier, "later": later} {
		if _, err := during.Read(token); err != nil {
			t.Errorf("%s token during the rotation: %v", name, err)
		}
	}
	if _, err := newTokens(t, fresh).Read(earlier); err == nil {
		t.Error("the old key still opens after the rotation")
	}
}

func TestShortSecretIsRefused(t *testing.T) {
	t.Parallel()
	if _, err := HMAC("a", secret[:MinSecret-1]); err == nil {
		t.Error("31 bytes were taken")
	}
}

func FuzzRead(f *testing.F) {
	k, err := HMAC("a", secret)
	if err != nil {
		f.Fatal(err)
	}
	tokens := &Tokens{Issuer: "vigueur", Audience: "vigueur-api", Keys: Keyring{k}, Now: func() time.Time { return noon }, Life: time.Hour}
	good, err := tokens.Issue(awa)
	if err != nil {
		f.Fatal(err)
	}
	f.Add("eyJhbGciOiJub25lIn0.e30.")
	f.Add("..")
	f.Fuzz(func(t *testing.T, token string) {
		if b, err := tokens.Read(token); err == nil && token != good {
			t.Errorf("%q speaks for %+v", token, b)
		}
	})
}
