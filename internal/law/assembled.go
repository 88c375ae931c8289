package law

import "time"

// AssembledNotice is said with each wording that the service has assembled from acts.
const AssembledNotice = "texte consolidé par le service, sans valeur officielle"

// LaterThan reports whether the printed words of the text are those of a later day than on:
// those of a consolidated edition, in which acts of the days between have changed nobody knows
// what. A wording that the service assembled has days of its own.
func (d Document) LaterThan(on time.Time) bool { return d.AsOf != nil && on.Before(*d.AsOf) }

// LaterNotice is said of the printed words of a text that are later than on; "" if they are not.
func (d Document) LaterNotice(on time.Time) string {
	if !d.LaterThan(on) {
		return ""
	}
	return "version consolidée au " + WriteDate(*d.AsOf) + " : l’état du texte au " + WriteDate(on) + " n’est pas connu"
}
