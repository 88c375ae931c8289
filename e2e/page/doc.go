// Package page holds the tests of the web page: Chromium at the real processes, with the sample gazettes. It has no code
// besides; it needs Chromium installed and the programs built, and skips without.
package page
