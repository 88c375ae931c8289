// Command api stands in for the HTTP process: it is ready at once and accepts one key.
package main

import (
	"fmt"
	"net/http"
	"os"
)

func main() {
	http.HandleFunc("/readyz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	http.HandleFunc("/api/v1/documents", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer vig_1" {
			w.WriteHeader(http.StatusUnauthorized)
		}
	})
	fmt.Println("api listens on", os.Getenv("VIGUEUR_LISTEN"))
	fmt.Println(http.ListenAndServe(os.Getenv("VIGUEUR_LISTEN"), nil))
	os.Exit(1)
}
