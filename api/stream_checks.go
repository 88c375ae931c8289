package main

import (
	"context"
	"fmt"

	"vigueur/internal/store/relay"
	"vigueur/internal/web/httpapi"
)

// streamChecks returns a check for each Redis server of the streams, if there are several.
// The service works while one of them is down.
func streamChecks(events *relay.Relay) (checks []httpapi.Check) {
	names, pings := events.Servers()
	if len(names) == 1 {
		return nil // the check « redis » covers it
	}
	for i, ping := range pings {
		checks = append(checks, httpapi.Check{Name: fmt.Sprintf("streams-%d", i+1), Ping: func(ctx context.Context) error {
			if err := ping(ctx); err != nil {
				return &httpapi.Degraded{Detail: "Les réponses commencées sur ce Redis arrivent par la base, plus lentement ; les autres n’en dépendent pas.",
					Err: fmt.Errorf("%s: %w", names[i], err)}
			}
			return nil
		}})
	}
	return checks
}
