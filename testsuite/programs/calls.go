// SPDX-License-Identifier: GPL-2.0
//
// A program whose first thread calls functions in C, which call functions in Go. host/unwind-walks
package main

/*
extern long fromC(long n);

static long spin(long n)
{
	volatile long sum = 0;

	for (long i = 0; i < n; i++)
		sum += i * n;
	return sum;
}

static long __attribute__((noinline)) work(long n)
{
	return spin(n) + (n % 3 ? fromC(n) : 0) + spin(n);
}
*/
import "C"

import "runtime"

var kept [][]byte

//export fromC
func fromC(n C.long) C.long {
	kept = append(kept[:0], make([]byte, 10000+int(n)))
	return C.spin(n) + C.long(len(kept))
}

//go:noinline
func caller(n int) int { return int(C.work(C.long(n))) }

func main() {
	runtime.LockOSThread()
	for n := 0; ; n++ {
		caller(n % 2000)
	}
}
