// Command openapi prints the OpenAPI document of the service, from which the clients are generated.
package main

import (
	"log"
	"os"

	"vigueur/internal/web/httpapi"
)

func main() {
	if _, err := os.Stdout.Write(httpapi.OpenAPI()); err != nil {
		log.Fatal(err)
	}
}
