// Command api stands in for the HTTP process: it is ready at once.
package main

import (
	"fmt"
	"net/http"
	"os"
)

func main() {
	http.HandleFunc("/readyz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	fmt.Println("api listens on", os.Getenv("VIGUEUR_LISTEN"))
	fmt.Println(http.ListenAndServe(os.Getenv("VIGUEUR_LISTEN"), nil))
	os.Exit(1)
}
