// Command ask asks a question and prints the answer while it is written, then the texts that
// it cites.
//
//	VIGUEUR_TOKEN=vig_… go run ./example/ask -server https://droit.example.org QUESTION
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"

	vigueur "vigueur/clients/go"
)

func main() {
	server := flag.String("server", "http://127.0.0.1:8080", "address of the service")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := ask(ctx, *server, os.Getenv("VIGUEUR_TOKEN"), flag.Arg(0))
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func ask(ctx context.Context, server, token, question string) error {
	client, err := vigueur.Open(server, token)
	if err != nil {
		return err
	}
	for event, err := range client.Stream(ctx, vigueur.Question{Question: question}) {
		switch {
		case err != nil:
			return err
		case event.Chunk != nil:
			fmt.Print(event.Chunk.Text)
		case event.Reset != nil:
			fmt.Print("\n\n")
		case event.Final != nil:
			fmt.Println()
			for _, c := range event.Final.Citations {
				fmt.Printf("[%d] %s\n", c.Index, c.Title)
			}
		}
	}
	return nil
}
