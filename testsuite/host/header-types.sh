# SPDX-License-Identifier: GPL-2.0
#@ needs: target gcc
# Types of headers: members lie where the C compiler puts them, and types of a program's header are
# read in the process.
# shellcheck shell=bash disable=SC2154
cat >own.c <<'C'
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>
#include <linux/fuse.h>
int main(void)
{
	printf("%zu %zu %zu\n", offsetof(struct stat, st_size), offsetof(struct stat, st_mtim),
	       offsetof(struct fuse_in_header, nodeid));
}
C
gcc -o own own.c && read -r size mtime node < <(./own) || fail 'no offsets'
cat >types.kp <<'K'
probe kernel.function("vfs_read") {
	st = @cast($buf, "struct stat", "<sys/stat.h>")
	printf("%d %d\n", st->st_size, &st->st_mtim)
	printf("%d\n", @cast($file, "struct fuse_in_header", "kernel<linux/fuse.h>")->nodeid)
	printf("%d\n", @enum("FUSE_WRITE", "kernel<linux/fuse.h>"))
}
K
"$PROBEC" -p3 -r "$TARGET" types.kp >types.c 2>said || fail 'not compiled' said
grep -q "prt_read_user(c, (u64)l_st + $size, 8, true" types.c || fail 'st_size is elsewhere' types.c
grep -q "(u64)l_st + $mtime" types.c || fail 'st_mtim is elsewhere' types.c
grep -q "prt_read(c, .* + $node, 8, false" types.c || fail 'nodeid is elsewhere' types.c
refused E_GURU 'a write to the process' "$PROBEC" -p2 -r "$TARGET" -e 'probe kernel.function("vfs_read") {
	@cast($buf, "struct stat", "<sys/stat.h>")->st_size = 1 }'
"$PROBEC" -g -p3 -r "$TARGET" -e 'probe kernel.function("vfs_read") {
	@cast($buf, "struct stat", "<sys/stat.h>")->st_size = 1 }' >write.c 2>said || fail 'a write is refused' said
grep -q "prt_write_user(c, " write.c || fail 'a write goes elsewhere' write.c
"$PROBEC" -p3 -r "$TARGET" -e 'probe kernel.function("vfs_read") {
	println(@cast($buf, "struct stat", "<sys/stat.h>")$) }' >show.c 2>said || fail 'all of it' said
grep -q "PRT_SHOW_USER" show.c || fail 'all of it is shown from elsewhere' show.c
refused E_HEADER 'a header that the kernel has not' "$PROBEC" -p2 -r "$TARGET" -e 'probe kernel.function("vfs_read") {
	println(@cast($buf, "struct nowhere", "kernel<no/such.h>")->size) }'
