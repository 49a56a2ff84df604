#@ needs: target root
# Failures of the lab that need no guest: QEMU or virtiofsd dies before it has opened its pipes.
fake() { # PROGRAM TEXT
	mkdir -p bin
	printf '#!/bin/sh\necho "%s" >&2\nexit 1\n' "$2" >"bin/$1"
	chmod 755 "bin/$1"
}
ends() { # WHAT TEXT
	local status=0
	PATH=$PWD/bin:$PATH timeout 120 "$TOP/lab/run" default -- true >out 2>said || status=$?
	[ "$status" = 124 ] && grep -q "$2" said && grep -q '\[E_VM\]' said ||
		fail "$1: status $status" said
	[ ! -s out ] || fail "$1: output" out
}

fake qemu-system-x86_64 'no such machine'
ends 'a machine that dies at once' 'no such machine'
fake setsid 'no such session'
ends 'a file server that does' 'no such session'
