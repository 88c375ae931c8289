package main

import (
	"errors"
	"os"

	"vigueur/internal/kit/errs"
	"vigueur/internal/ops/config"
	"vigueur/internal/web/auth"
)

// readKeys reads the key that signs tokens, and the optional second key that only verifies
// them. An error contains the name of the setting.
func readKeys(cfg config.API) (auth.Keyring, error) {
	first, err := readKey("VIGUEUR_JWT_SECRET", cfg.JWTSecret, "VIGUEUR_JWT_KEY_FILE", cfg.JWTAlgorithm, cfg.JWTKeyFile)
	if err != nil {
		return nil, err
	}
	if !first.CanSign() {
		return nil, errs.New(errs.Invalid, "VIGUEUR_JWT_KEY_FILE : "+cfg.JWTKeyFile+" est une clé publique, une clé privée est attendue")
	}
	if cfg.OtherJWTSecret == "" && cfg.OtherJWTFile == "" {
		return auth.Keyring{first}, nil
	}
	algorithm := "" // use the algorithm of the key in the file
	if cfg.OtherJWTSecret != "" {
		algorithm = auth.HS256
	}
	second, err := readKey("VIGUEUR_JWT_PREVIOUS_SECRET", cfg.OtherJWTSecret, "VIGUEUR_JWT_PREVIOUS_KEY_FILE", algorithm, cfg.OtherJWTFile)
	if err != nil {
		return nil, err
	}
	return auth.Keyring{first, second}, nil
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
