package main

import (
	"errors"
	"os"

	"vigueur/internal/kit/errs"
	"vigueur/internal/ops/config"
	"vigueur/internal/web/auth"
)

// readKeys reads the key that signs tokens. An error contains the name of the setting.
func readKeys(cfg config.API) (auth.Keyring, error) {
	key, err := readKey("VIGUEUR_JWT_SECRET", cfg.JWTSecret, "VIGUEUR_JWT_KEY_FILE", cfg.JWTAlgorithm, cfg.JWTKeyFile)
	if err != nil {
		return nil, err
	}
	if !key.CanSign() {
		return nil, errs.New(errs.Invalid, "VIGUEUR_JWT_KEY_FILE : "+cfg.JWTKeyFile+" est une clé publique, une clé privée est attendue")
	}
	return auth.Keyring{key}, nil
}

// readKey returns an HS256 key from a secret, or a key from a file. secretName and fileName
// are the names of the settings.
func readKey(secretName, secret, fileName, algorithm, path string) (auth.Key, error) {
	if algorithm == auth.HS256 {
		key, err := auth.HMAC("", []byte(secret))
		return key, badKey(secretName, err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		return auth.Key{}, badKey(fileName, err)
	}
	key, err := auth.PEM(algorithm, file)
	return key, badKey(fileName+" ("+path+")", err)
}

// badKey adds the name of the setting to an error, and the cause as far as the operator may
// see it.
func badKey(name string, err error) error {
	if err == nil {
		return nil
	}
	reason := "une clé Ed25519 ou RSA (2048 bits au moins) au format PEM, non chiffrée, est attendue : " + err.Error()
	var path *os.PathError
	if errors.As(err, &path) {
		reason = "le fichier ne peut pas être lu : " + err.Error()
	}
	return errs.Wrap(errs.Invalid, name+" : "+reason, err)
}
