package alerts

const (
	alertsDefault   = 50  // alerts on a page
	alertsMost      = 100 // maximum
	deliveriesMost  = 100 // deliveries of a webhook that are listed
	webhookLimit    = 2000
	followWordLimit = 100 // code points of a nature or a domain
)
