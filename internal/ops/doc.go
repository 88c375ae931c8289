// Package ops is the door to running the service: settings from the environment (config),
// logs and metrics (observe), and the check of everything that the service depends on
// (doctor). The programs construct themselves from it; no other door imports it.
package ops
