// Package auth authenticates: passwords, access tokens, refresh tokens and API keys. It has
// no store: it generates and checks values, and the caller stores them.
//
// Passwords are hashed with argon2id. One hash takes about 70 ms of a core and 19 MB, so
// the number of concurrent hashes is limited; a few more wait, as long as their context
// allows, and further ones are refused. Without an account, the password is checked against
// a hash that matches nothing, so that an unknown e-mail takes the same time as a wrong
// password.
//
// An access token is a JWT with a configured lifetime and is never stored: it becomes
// invalid earlier if its account is closed or its version differs from the account's, which
// the caller checks. Its algorithm is determined by the key that its header names, never by
// the header itself; a Keyring may hold several keys, so that a new key signs while tokens
// of the old key stay valid.
//
// An API key is 32 random bytes in a recognizable encoding, and is stored as its SHA-256.
//
// A refresh token is a token of package sealed.
package auth
