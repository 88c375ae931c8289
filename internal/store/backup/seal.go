package backup

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"vigueur/internal/kit/errs"
)

// mac returns the seal of a manifest under a key, in hexadecimal. A manifest names each object
// by the hash of its bytes, so its seal vouches for all of them.
func (m Manifest) mac(key []byte) string {
	m.Seal = ""
	text, err := json.Marshal(m)
	if err != nil {
		panic("backup: " + err.Error()) // a manifest can always be encoded
	}
	sum := hmac.New(sha256.New, key)
	sum.Write(append([]byte("vigueur backup manifest\n"), text...))
	return hex.EncodeToString(sum.Sum(nil))
}

// checkSeal returns the reason for which a backup must not be restored, nil if there is none.
// Whoever can write to the shelf can lay a backup beside the others, which is restored with the
// code that it has in the database. Encrypted ones they can make too, because the public key is
// no secret: only the seal tells who made a backup.
func (m Manifest) checkSeal(seal []byte, identified bool) error {
	if identified && len(m.Recipients) == 0 {
		return errs.Newf(errs.Conflict, "La sauvegarde %s n’est pas chiffrée, et une clé est donnée par --identity : quelqu’un a pu la poser à côté des vôtres. Nommez-en une autre par --backup, ou restaurez-la sans --identity.", m.ID)
	}
	if len(seal) > 0 && !hmac.Equal([]byte(m.Seal), []byte(m.mac(seal))) {
		return errs.Newf(errs.Conflict, "La sauvegarde %s n’a pas le sceau de VIGUEUR_BACKUP_SEAL : elle est d’avant ce réglage, ou quelqu’un d’autre l’a faite ou changée. Pour la restaurer quand même, ôtez ce réglage.", m.ID)
	}
	return nil
}
