package blobs

import (
	"net/url"
	"path"
	"strings"

	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/minio/minio-go/v7/pkg/s3utils"

	"vigueur/internal/kit/errs"
)

// bucketForm is the form of a bucket's address.
const bucketForm = "s3://compartiment/préfixe?endpoint=https://hôte:port&region=…"

// bucketAddress is a parsed address of a bucket with its key.
type bucketAddress struct {
	host        string // host of the server, with its port unless it is the default port
	secure      bool
	region      string // empty: the server is asked
	bucket      string
	prefix      string // prefix without a slash at either end; may be empty
	credentials *credentials.Credentials
}

// parseBucket parses the address of a bucket. The Invalid error says what is wrong but does
// not contain the address, because somebody may have put a secret into it by mistake.
func parseBucket(u *url.URL, key string) (a bucketAddress, err error) {
	invalid := func(what string) (bucketAddress, error) {
		return a, errs.Newf(errs.Invalid, "Adresse des fichiers PDF (VIGUEUR_BLOBS_URL) : %s ; attendu %s", what, bucketForm)
	}
	if u.User != nil {
		return invalid("la clé se donne par VIGUEUR_BLOBS_KEY, non dans l’adresse")
	}
	if err := s3utils.CheckValidBucketNameStrict(u.Host); err != nil {
		return invalid("le nom du compartiment est incorrect")
	}
	a.bucket, a.prefix = u.Host, strings.Trim(path.Clean("/"+u.Path), "/")
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return invalid("ce qui suit « ? » est illisible")
	}
	for name, values := range query {
		if (name != "endpoint" && name != "region") || len(values) != 1 || values[0] == "" {
			return invalid("seuls « endpoint » et « region » sont attendus après « ? », une fois chacun")
		}
	}
	a.region = query.Get("region")
	if a.host, a.secure, err = endpoint(query.Get("endpoint"), a.region); err != nil {
		return invalid(errs.Public(err))
	}
	if a.credentials, err = bucketCredentials(key); err != nil {
		return a, err
	}
	return a, nil
}

// endpoint returns the host of the server and whether to use TLS. The default is Amazon's.
func endpoint(address, region string) (host string, secure bool, err error) {
	if address == "" {
		if region == "" {
			return "s3.amazonaws.com", true, nil
		}
		return "s3." + region + ".amazonaws.com", true, nil
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") || strings.Trim(u.Path, "/") != "" ||
		u.RawQuery != "" || u.User != nil {
		return "", false, errs.New(errs.Invalid, "« endpoint » n’est pas une adresse http:// ou https:// d’un serveur")
	}
	return u.Host, u.Scheme == "https", nil
}

// bucketCredentials parses « id:secret ». For an empty key it returns the credentials that
// Amazon's own programs would use: from the environment, from files or from the machine's
// role.
func bucketCredentials(key string) (*credentials.Credentials, error) {
	if key == "" {
		return credentials.NewChainCredentials([]credentials.Provider{
			&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}, &credentials.IAM{},
		}), nil
	}
	id, secret, ok := strings.Cut(key, ":")
	if !ok || id == "" || secret == "" {
		return nil, errs.New(errs.Invalid, "Clé du serveur S3 : attendu identifiant:secret (VIGUEUR_BLOBS_KEY)")
	}
	return credentials.NewStaticV4(id, secret, ""), nil
}
