// SPDX-License-Identifier: GPL-2.0
//
// A program whose stacks move: goroutines call a function that is nested so deeply that their stacks grow, while the
// collector looks through them, and leave some calls by a panic. "ROUNDS" is its argument; it prints how many calls returned
// and the sum of those calls that had 100 below them. vm/user-returns.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync"
)

//go:noinline
func nested(n, left int) int {
	var room [64]int

	if n == left {
		panic("left")
	}
	room[n%64] = n
	if n == 0 {
		runtime.Gosched()
		return room[0] + 1
	}
	return nested(n-1, left) + room[n%64]
}

func try(n, left int) (sum int) {
	defer func() { recover() }()
	return nested(n, left)
}

func main() {
	rounds, _ := strconv.Atoi(os.Args[1])
	var wait sync.WaitGroup
	sums := make([]int, 8)

	for who := range sums {
		wait.Add(1)
		go func(who int) {
			defer wait.Done()
			for i := 0; i < rounds; i++ {
				sums[who] += nested(200+who, -1)
				if i%16 == 0 {
					try(20, 10)
					runtime.GC()
				}
			}
		}(who)
	}
	wait.Wait()
	calls, half := 0, 8*rounds*(100*101/2+1)
	for who := range sums {
		calls += rounds * (201 + who)
		if sums[who] != rounds*((200+who)*(201+who)/2+1) {
			panic("wrong")
		}
	}
	fmt.Println(calls, half)
}
