// Package web groups the packages that serve HTTP: requests go in; JSON, streams of events
// and the page come out. httpapi has the routes; auth, factor and idp sign people in,
// strength judges passwords, apidoc shows the OpenAPI document, and webpage serves the files
// of the page.
package web
