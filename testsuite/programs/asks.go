// SPDX-License-Identifier: GPL-2.0

// Looks up the names of its arguments by Go's own resolver, and prints each with what became of it.
package main

import (
	"context"
	"fmt"
	"net"
	"os"
)

func main() {
	resolver := net.Resolver{PreferGo: true}
	for _, name := range os.Args[1:] {
		addresses, err := resolver.LookupIP(context.Background(), "ip4", name)
		if err != nil {
			fmt.Println(name, "unknown")
		} else {
			fmt.Println(name, addresses[0])
		}
	}
}
