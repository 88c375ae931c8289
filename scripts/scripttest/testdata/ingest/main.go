// Command ingest stands in for the operator's command. It writes what it was called with to the file "calls",
// keeps what was added and created in files, and waits to be told to end when asked to "add slow.pdf".
package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

func main() {
	args := os.Args[1:]
	line := strings.Join(args, " ")
	write("calls", line)
	switch {
	case strings.HasPrefix(line, "documents"):
		show("catalogue")
	case args[0] == "add":
		write("catalogue", `{"numero_officiel": "2023-07"}`)
		if strings.Contains(line, "slow.pdf") {
			fmt.Println("slow")
			time.Sleep(time.Hour)
		}
		if strings.Contains(line, "bad.pdf") {
			os.Exit(1)
		}
	case args[0] == "ask":
		fmt.Println("The answer. [1]")
	case line == "user list --json":
		show("accounts")
	case strings.HasPrefix(line, "user create"):
		password, _ := io.ReadAll(os.Stdin)
		write("accounts", `{"email": "admin@vigueur.local", "role": "admin"}`)
		write("passwords", strings.TrimSpace(string(password)))
	case strings.HasPrefix(line, "keys create --owner admin@vigueur.local"):
		write("keys", "vig_1")
		fmt.Println("vig_1")
	case line != "migrate up":
		fmt.Fprintln(os.Stderr, "unknown:", line)
		os.Exit(2)
	}
}

func write(name, line string) {
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	fmt.Fprintln(f, line)
}

func show(name string) {
	content, _ := os.ReadFile(name)
	fmt.Print(string(content))
}
