// Package web groups the packages that serve HTTP: requests go in; JSON, streams of events
// and the page come out. httpapi has the routes; auth, factor and idp sign people in,
// strength judges passwords, and webpage serves the files
// of the page.
package web
