// Command worker stands in for the queue process: it waits to be told to end, ends with 9 when it finds a file called
// worker-ends, and kills itself when it can remove a file called worker-dies.
package main

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	fmt.Println(`{"time":"now","level":"INFO","msg":"all is well"}`)
	fmt.Println(`{"time":"now","level":"WARN","msg":"something is not"}`)
	fmt.Println("worker waits")
	told := make(chan os.Signal, 1)
	signal.Notify(told, syscall.SIGTERM)
	for {
		select {
		case <-told:
			return
		case <-time.After(20 * time.Millisecond):
			if _, err := os.Stat("worker-ends"); err == nil {
				os.Exit(9)
			}
			if os.Remove("worker-dies") == nil {
				_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			}
		}
	}
}
