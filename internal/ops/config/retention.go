package config

import "time"

// Retention holds the retention periods of personal data, in days.
type Retention struct {
	KeepConversations int    `env:"VIGUEUR_KEEP_CONVERSATIONS_DAYS" envDefault:"0" help:"jours pendant lesquels une conversation est gardée après son dernier message ; 0 : tant que sa personne la garde"`
	KeepInquiries     int    `env:"VIGUEUR_KEEP_INQUIRIES_DAYS" envDefault:"1095" help:"jours pendant lesquels une demande de rendez-vous est gardée ; 0 : sans fin"`
	KeepMessages      int    `env:"VIGUEUR_KEEP_MAILS_DAYS" envDefault:"90" help:"jours pendant lesquels un message de VIGUEUR_MAIL_DIR est gardé ; 0 : sans fin"`
	KeepUsage         int    `env:"VIGUEUR_KEEP_USAGE_DAYS" envDefault:"1095" help:"jours pendant lesquels on garde ce que les modèles ont lu et écrit, et ce que cela a coûté, par réponse ; 0 : sans fin"`
	MailDir           string `env:"VIGUEUR_MAIL_DIR" help:"dossier des messages (.eml) quand il n’y a pas de serveur de messagerie"`
}

// leastAuditDays is the minimum retention period of the audit log: two months, so that the
// current and the previous month are never dropped.
const leastAuditDays = 62

// Days converts a number of days to a duration.
func Days(n int) time.Duration { return time.Duration(n) * 24 * time.Hour }

func (c Retention) retentionFaults(f *faults) {
	for name, n := range map[string]int{"VIGUEUR_KEEP_CONVERSATIONS_DAYS": c.KeepConversations, "VIGUEUR_KEEP_INQUIRIES_DAYS": c.KeepInquiries, "VIGUEUR_KEEP_MAILS_DAYS": c.KeepMessages,
		"VIGUEUR_KEEP_USAGE_DAYS": c.KeepUsage} {
		f.days(name, n, 1)
	}
}

// maxDays is the maximum retention period, a hundred years. A time.Duration holds about 292 years.
const maxDays = 36500

func (f *faults) days(name string, n, least int) {
	if n != 0 && n < least || n > maxDays {
		f.add("%s : %d, 0 ou de %d à %d jours", name, n, least, maxDays)
	}
}
