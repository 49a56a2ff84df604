// SPDX-License-Identifier: GPL-2.0
//
// A program whose first thread is busy: it sorts, formats, makes garbage, and calls through interfaces. host/unwind-walks
package main

import (
	"fmt"
	"runtime"
	"sort"
	"strings"
)

type shape interface{ area(n int) int }
type square struct{ side int }
type nested struct{ inner shape }

//go:noinline
func (s square) area(n int) int { return s.side * s.side % (n + 1) }

//go:noinline
func (s nested) area(n int) int { return s.inner.area(n) + 1 }

func main() {
	runtime.LockOSThread()
	for round := 0; ; round++ {
		words := strings.Fields(strings.Repeat(fmt.Sprintf("w%d x%d ", round%97, round), 50))
		sort.Slice(words, func(i, j int) bool { return words[i] < words[j] })
		counts := map[string]int{}
		for _, word := range words {
			counts[word] += nested{nested{square{len(word)}}}.area(round)
		}
	}
}
