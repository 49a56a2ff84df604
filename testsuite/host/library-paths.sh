# SPDX-License-Identifier: GPL-2.0
#@ needs: target
# The paths of libraries that scripts for other distributions name mean this machine's libraries:
# ldd says which those are.
# shellcheck shell=bash disable=SC2154
libc=$(readlink -f "$(ldd /bin/sh | awk '$1 == "libc.so.6" { print $3 }')")
for path in '/lib*/libc.so.6' '/lib64/libc.so*' '/usr/lib*/libc.so.?'; do
	"$PROBEC" -r "$TARGET" -l "process(\"$path\").function(\"malloc\")" >list 2>said ||
		fail "$path is not found" said
	grep -qF "process(\"$libc\").function(\"malloc\")" list || fail "$path is another file" list
done
"$PROBEC" -r "$TARGET" -l 'process("/lib*/libnone.so*").function("malloc")' >list 2>said &&
	fail 'a library that does not exist is found' list
:
