package law

// AssembledNotice is said with each wording that the service has assembled from acts.
const AssembledNotice = "texte consolidé par le service, sans valeur officielle"
