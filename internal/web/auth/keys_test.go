package auth

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"strings"
	"sync"
	"testing"

	"github.com/golang-jwt/jwt/v5"

	"vigueur/internal/kit/errs"
)

// rsaKey is shared by the tests, because generating it is slow.
var rsaKey = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
})

func edKey(t *testing.T) ed25519.PrivateKey {
	t.Helper()
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// privatePEM and publicPEM encode keys as openssl does.
func privatePEM(t *testing.T, key any) []byte {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
}

func publicPEM(t *testing.T, key crypto.Signer) []byte {
	t.Helper()
	der, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
}

func fromPEM(t *testing.T, algorithm string, file []byte) Key {
	t.Helper()
	k, err := PEM(algorithm, file)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestEveryAlgorithmSignsAndVerifies(t *testing.T) {
	t.Parallel()
	ed := edKey(t)
	pkcs1 := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(rsaKey())})
	for name, c := range map[string]struct{ sign, verify Key }{
		"HS256":         {key(t, "", secret), key(t, "", secret)},
		"EdDSA":         {fromPEM(t, EdDSA, privatePEM(t, ed)), fromPEM(t, EdDSA, publicPEM(t, ed))},
		"RS256":         {fromPEM(t, RS256, privatePEM(t, rsaKey())), fromPEM(t, RS256, publicPEM(t, rsaKey()))},
		"RS256, PKCS 1": {fromPEM(t, RS256, pkcs1), fromPEM(t, "", publicPEM(t, rsaKey()))},
	} {
		if !c.sign.CanSign() || c.sign.id != c.verify.id || len(c.sign.id) != 2*idBytes {
			t.Errorf("%s: ids %q and %q, signs: %v", name, c.sign.id, c.verify.id, c.sign.CanSign())
		}
		token, err := newTokens(t, c.sign).Issue(awa)
		if err != nil {
			t.Fatal(err)
		}
		for who, ring := range map[string]Keyring{"itself": {c.sign}, "who only verifies": {c.verify}, "among others": {key(t, "other", bytes.Repeat([]byte("o"), 32)), c.verify}} {
			if got, err := newTokens(t, ring...).Read(token); got != awa || err != nil {
				t.Errorf("%s read by %s: %+v, %v", name, who, got, err)
			}
		}
		if _, err := newTokens(t, key(t, "other", bytes.Repeat([]byte("o"), 32))).Read(token); !errs.Is(err, errs.Unauthorized) {
			t.Errorf("%s read without its key: %v", name, err)
		}
		if _, err := newTokens(t, c.sign).Read(token[:len(token)-2]); err == nil {
			t.Errorf("%s: a token that was cut is read", name)
		}
	}
	if public := fromPEM(t, EdDSA, publicPEM(t, ed)); public.CanSign() {
		t.Error("a public key signs")
	}
}

// A public key verifies no forged token, whichever algorithm the header claims.
func TestAKeyDecidesItsAlgorithm(t *testing.T) {
	t.Parallel()
	ed := edKey(t)
	asymmetric, edwards, symmetric := fromPEM(t, RS256, privatePEM(t, rsaKey())), fromPEM(t, EdDSA, privatePEM(t, ed)), key(t, "", secret)
	all := newTokens(t, asymmetric, edwards, symmetric)
	der, err := x509.MarshalPKIXPublicKey(rsaKey().Public())
	if err != nil {
		t.Fatal(err)
	}
	kid := func(k Key) map[string]any { return map[string]any{"kid": k.id} }
	for name, token := range map[string]string{
		"RS256's public key as a secret":       sign(t, jwt.SigningMethodHS256, publicPEM(t, rsaKey()), kid(asymmetric), nil),
		"the same without its PEM":             sign(t, jwt.SigningMethodHS256, der, kid(asymmetric), nil),
		"the same, no kid":                     sign(t, jwt.SigningMethodHS256, publicPEM(t, rsaKey()), nil, nil),
		"the same under the secret's kid":      sign(t, jwt.SigningMethodHS256, publicPEM(t, rsaKey()), kid(symmetric), nil),
		"EdDSA's public key as a secret":       sign(t, jwt.SigningMethodHS256, []byte(ed.Public().(ed25519.PublicKey)), kid(edwards), nil), //nolint:errcheck // it is one
		"RS256 under EdDSA's kid":              sign(t, jwt.SigningMethodRS256, rsaKey(), kid(edwards), nil),
		"RS384":                                sign(t, jwt.SigningMethodRS384, rsaKey(), kid(asymmetric), nil),
		"PS256":                                sign(t, jwt.SigningMethodPS256, rsaKey(), kid(asymmetric), nil),
		"the secret under RS256's kid":         sign(t, jwt.SigningMethodHS256, secret, kid(asymmetric), nil),
		"HS512 with the secret":                sign(t, jwt.SigningMethodHS512, secret, kid(symmetric), nil),
		"none":                                 sign(t, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, kid(asymmetric), nil),
		"another's Ed25519 key":                sign(t, jwt.SigningMethodEdDSA, edKey(t), kid(edwards), nil),
		"a kid that is a path":                 sign(t, jwt.SigningMethodHS256, secret, map[string]any{"kid": "../../dev/null"}, nil),
		"a kid of 100 KB":                      sign(t, jwt.SigningMethodHS256, secret, map[string]any{"kid": strings.Repeat("k", 100<<10)}, nil),
		"an empty kid":                         sign(t, jwt.SigningMethodRS256, rsaKey(), map[string]any{"kid": ""}, nil),
		"its own key in the header, as a JWK":  sign(t, jwt.SigningMethodEdDSA, edKey(t), map[string]any{"kid": "x", "jwk": map[string]any{"kty": "OKP"}}, nil),
		"a key to be fetched from an address":  sign(t, jwt.SigningMethodEdDSA, edKey(t), map[string]any{"kid": "x", "jku": "https://example.org"}, nil),
		"a certificate in the header, no more": sign(t, jwt.SigningMethodRS384, rsaKey(), map[string]any{"kid": asymmetric.id, "x5c": []string{"x"}}, nil),
	} {
		if b, err := all.Read(token); !errs.Is(err, errs.Unauthorized) {
			t.Errorf("%s: %+v, %v", name, b, err)
		}
	}
	for name, token := range map[string]string{
		"RS256": sign(t, jwt.SigningMethodRS256, rsaKey(), kid(asymmetric), nil), "EdDSA": sign(t, jwt.SigningMethodEdDSA, ed, kid(edwards), nil),
		"HS256": sign(t, jwt.SigningMethodHS256, secret, kid(symmetric), nil),
	} {
		if _, err := all.Read(token); err != nil {
			t.Errorf("%s under its own kid: %v", name, err)
		}
	}
}

// In a key rotation every server gets the new key before any server signs with it.
func TestKeysRotateFromOneAlgorithmToAnother(t *testing.T) {
	t.Parallel()
	old, fresh := key(t, "", secret), fromPEM(t, EdDSA, privatePEM(t, edKey(t)))
	steps := []*Tokens{newTokens(t, old), newTokens(t, old, fresh), newTokens(t, fresh, old), newTokens(t, fresh)}
	for i, issuer := range steps {
		token, err := issuer.Issue(awa)
		if err != nil {
			t.Fatal(err)
		}
		for j, reader := range steps {
			_, err := reader.Read(token)
			// Servers that are at most one step apart accept each other's tokens.
			if near := max(i-j, j-i) <= 1; near && err != nil {
				t.Errorf("a token of step %d at step %d: %v", i, j, err)
			}
			if i == 0 && j == 3 && err == nil {
				t.Error("the old key still opens after the rotation")
			}
		}
	}
}

func TestKeysThatAreNotTaken(t *testing.T) {
	t.Parallel()
	short, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		t.Fatal(err)
	}
	curve, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	good := privatePEM(t, edKey(t))
	for name, c := range map[string]struct {
		algorithm string
		file      []byte
	}{
		"empty": {EdDSA, nil}, "words": {EdDSA, []byte("une clé")}, "cut": {EdDSA, good[:len(good)/2]},
		"of another algorithm": {RS256, good}, "RSA for EdDSA": {EdDSA, privatePEM(t, rsaKey())},
		"1024 bits": {RS256, privatePEM(t, short)}, "a curve of NIST's": {"", privatePEM(t, curve)},
		"a file for HS256": {HS256, good},
		"encrypted":        {EdDSA, pem.EncodeToMemory(&pem.Block{Type: "ENCRYPTED PRIVATE KEY", Bytes: []byte("x")})},
		"not what it says": {RS256, pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: []byte("x")})},
	} {
		if _, err := PEM(c.algorithm, c.file); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}

func FuzzPEM(f *testing.F) {
	f.Add([]byte("-----BEGIN PRIVATE KEY-----\nMAo=\n-----END PRIVATE KEY-----\n"))
	f.Fuzz(func(t *testing.T, file []byte) {
		if k, err := PEM("", file); err == nil && (k.id == "" || k.method == nil || k.verify == nil) {
			t.Errorf("a key without id, method or verifier: %+v", k)
		}
	})
}
