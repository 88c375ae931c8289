// Package ops is the door to what runs the service: settings from the environment (config),
// logs and metrics (observe), and checks of everything that the service depends on
// (doctor). The programs use it when they start; no other door imports it.
package ops
