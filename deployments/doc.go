// Package deployments holds how the service is deployed: images, compose file, samples. It has no code besides
// the tests that keep these files right as far as that can be told without a container engine.
package deployments
