// SPDX-License-Identifier: GPL-2.0
//
// A function for each way in which Go passes and returns values. Each prints its arguments,
// "NAME PARAMETER=VALUE ...": what a probe of it must see (testsuite/beside/conventions.py).
package main

import (
	"fmt"
	"os"
	"unsafe"
)

type small struct{ x, y int32 }
type large struct{ a, b, c, d int64 }
type mixed struct {
	n    int64
	d    float64
	text string
}
type named interface{ name(by int) string }

var sum int

//go:noinline
func byNumber(a int8, b uint16, c int32, d uint64, e int, f bool, g rune) {
	truth := 0
	if f {
		truth = 1
	}
	fmt.Printf("main.byNumber a=%d b=%d c=%d d=%d e=%d f=%d g=%d\n", a, b, c, int64(d), e, truth, g)
}

//go:noinline
func byMany(a, b, c, d, e, f, g, h, i int, j int8, k uint16, l int) {
	fmt.Printf("main.byMany a=%d b=%d c=%d d=%d e=%d f=%d g=%d h=%d i=%d j=%d k=%d l=%d\n", a, b, c,
		d, e, f, g, h, i, j, k, l)
}

//go:noinline
func byString(s string, n int, t string) {
	fmt.Printf("main.byString s->len=%d n=%d t->len=%d\n", len(s), n, len(t))
}

//go:noinline
func bySlice(p int, s []int32, n int) {
	fmt.Printf("main.bySlice p=%d s->array=%d s->len=%d s->cap=%d n=%d\n", p,
		uintptr(unsafe.Pointer(&s[0])), len(s), cap(s), n)
}

//go:noinline
func byInterface(s interface{}, t named, n int) {
	fmt.Printf("main.byInterface n=%d\n", n)
	sum += len(t.name(n))
	_ = s
}

//go:noinline
func byMap(s map[string]int, c chan int, n int) {
	fmt.Printf("main.byMap n=%d\n", n)
	sum += len(s) + len(c)
}

//go:noinline
func bySmall(p int, s small, n int) {
	fmt.Printf("main.bySmall p=%d s->x=%d s->y=%d n=%d\n", p, s.x, s.y, n)
}

//go:noinline
func byLarge(p int, s large, n int) {
	fmt.Printf("main.byLarge p=%d s->a=%d s->b=%d s->c=%d s->d=%d n=%d\n", p, s.a, s.b, s.c, s.d, n)
}

//go:noinline
func byMixed(p int, s mixed, d float64, n int) {
	fmt.Printf("main.byMixed p=%d s->n=%d s->text->len=%d n=%d\n", p, s.n, len(s.text), n)
	sum += int(s.d + d)
}

//go:noinline
func byArray(p int, one [1]int64, two [2]int64, none struct{}, n int) {
	fmt.Printf("main.byArray p=%d two[1]=%d n=%d\n", p, two[1], n)
	sum += int(one[0])
}

//go:noinline
func byFunction(f func(int) int, e error, n int) {
	fmt.Printf("main.byFunction n=%d\n", n)
	sum += f(n)
	_ = e
}

//go:noinline
func byRest(p int, rest ...int) {
	fmt.Printf("main.byRest p=%d rest->len=%d\n", p, len(rest))
}

//go:noinline
func several(a int, b string) (n int, text string, err error) {
	fmt.Printf("main.several a=%d b->len=%d\n", a, len(b))
	return a + len(b), b[1:], nil
}

//go:noinline
func unused(_ int, b int, fixed int, spare string) int {
	fmt.Printf("main.unused b=%d fixed=%d\n", b, fixed)
	return b + fixed
}

//go:noinline
func (s *small) set(n int, by large) int32 {
	fmt.Printf("main.(*small).set s->x=%d s->y=%d n=%d by->d=%d\n", s.x, s.y, n, by.d)
	return s.x
}

//go:noinline
func (s small) name(by int) string {
	fmt.Printf("main.small.name s->x=%d s->y=%d by=%d\n", s.x, s.y, by)
	return "small"
}

// A function begins anew once its stack has grown; here it is made large enough for all of them.
//
//go:noinline
func grow(n int) byte {
	var room [1 << 16]byte
	room[n] = 1
	return room[n/2]
}

func main() {
	n := len(os.Args) - 1
	sum += int(grow(n))
	s := small{int32(n + 1), int32(n - 2)}
	l := large{int64(n + 1), 2, int64(n - 3), int64(n + 4)}
	byNumber(int8(n-1), uint16(n+60000), int32(n-3), uint64(n-4), n-5, n == 0, 'x')
	byMany(n+1, n-2, n+3, n-4, n+5, n-6, n+7, n-8, n+9, int8(n-10), uint16(n+60001), n-12)
	byString("hello"[n:], n+2, "you"[n:])
	bySlice(n+1, []int32{1, 2, int32(n)}[:2+n], n+3)
	byInterface(n, s, n+3)
	byMap(map[string]int{"a": n}, make(chan int, 3), n+2)
	bySmall(n+1, s, n+2)
	byLarge(n+1, l, n+5)
	byMixed(n+1, mixed{int64(n + 2), 2.5, "text"[n:]}, float64(n)+.5, n+3)
	byArray(n+1, [1]int64{int64(n + 2)}, [2]int64{3, int64(n + 4)}, struct{}{}, n+5)
	byFunction(func(i int) int { return i + n }, nil, n+2)
	byRest(n+1, n+2, n+3)
	a, text, _ := several(n+1, "three"[n:])
	sum += a + len(text) + unused(n, n+1, 7, "spare"[n:]) + int(s.set(n+3, l))
}
