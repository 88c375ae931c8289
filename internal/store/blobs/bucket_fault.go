package blobs

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/minio/minio-go/v7"

	"vigueur/internal/kit/errs"
)

// bucketFaults maps error codes of S3 servers to messages for operators. Other codes are
// shown as they are.
//
//nolint:gosec // codes and sentences, no credentials
var bucketFaults = map[string]string{
	"NoSuchBucket":          "Le compartiment S3 n’existe pas.",
	"AccessDenied":          "Le serveur S3 refuse l’accès au compartiment : vérifiez la clé et ses droits.",
	"InvalidAccessKeyId":    "Le serveur S3 ne connaît pas la clé (VIGUEUR_BLOBS_KEY).",
	"SignatureDoesNotMatch": "Le serveur S3 refuse la clé : son secret est faux (VIGUEUR_BLOBS_KEY).",
	"ExpiredToken":          "La clé du serveur S3 est expirée.",
	"RequestTimeTooSkewed":  "L’horloge de cette machine et celle du serveur S3 diffèrent trop.",

	"AuthorizationHeaderMalformed": wrongRegion,
	"InvalidRegion":                wrongRegion,
	"PermanentRedirect":            wrongRegion,
	"XAmzRegionMismatch":           wrongRegion,

	"XMinioStorageFull":              noRoom,
	"QuotaExceeded":                  noRoom,
	"XMinioAdminBucketQuotaExceeded": noRoom,
	"InsufficientStorage":            noRoom,
	"507 Insufficient Storage":       noRoom,

	"SlowDown":           tooBusy,
	"SlowDownRead":       tooBusy,
	"SlowDownWrite":      tooBusy,
	"ServiceUnavailable": tooBusy,
}

const (
	wrongRegion = "Le compartiment S3 est dans une autre région : donnez-la par « region » dans VIGUEUR_BLOBS_URL."
	noRoom      = "Il ne reste plus de place dans le compartiment S3."
	tooBusy     = "Le serveur S3 est surchargé."
)

// classify wraps err in the matching kind of package errs, unless it has a kind.
func (b *Bucket) classify(what string, err error) error {
	if err == nil {
		return nil
	}
	wrapped := fmt.Errorf("blobs: %s: %w", what, err)
	var known *errs.Error
	if errors.As(err, &known) || callers(err) {
		return wrapped
	}
	var answer minio.ErrorResponse
	if !errors.As(err, &answer) {
		return errs.Wrap(errs.Unavailable, "Le serveur S3 ne répond pas.", wrapped)
	}
	if answer.Code == "NoSuchKey" || answer.Code == "NoSuchUpload" {
		return errs.Wrap(errs.NotFound, "Le fichier PDF n’est plus dans le compartiment S3.", wrapped)
	}
	sentence := bucketFaults[answer.Code]
	switch {
	case sentence != "":
	case answer.StatusCode == http.StatusForbidden || answer.StatusCode == http.StatusUnauthorized:
		sentence = bucketFaults["AccessDenied"]
	case answer.StatusCode == http.StatusInsufficientStorage:
		sentence = noRoom
	case answer.StatusCode == http.StatusMovedPermanently || answer.StatusCode == http.StatusBadRequest && answer.Region != "":
		sentence = wrongRegion
	default:
		sentence = fmt.Sprintf("Le serveur S3 a répondu par une erreur (%.40s).", answer.Code)
	}
	return errs.Wrap(errs.Unavailable, sentence, wrapped)
}

// callers reports whether err means that the caller's context ended. errors.Is would also
// accept timeouts of the HTTP client and of dialing: they count as
// context.DeadlineExceeded, but the server causes them.
func callers(err error) bool {
	//nolint:errorlint // see above
	switch e := err.(type) {
	case interface{ Unwrap() []error }:
		return slices.ContainsFunc(e.Unwrap(), callers)
	case interface{ Unwrap() error }:
		return callers(e.Unwrap())
	}
	return err == context.Canceled || err == context.DeadlineExceeded //nolint:errorlint // see above
}
