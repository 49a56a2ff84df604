# SPDX-License-Identifier: GPL-2.0
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

# A kernel whose list of modules is incomplete: the message says which one is missing, and where.
release=6.1.0-0-cloud-amd64
lab=$PWD/cache/lab/$release
mkdir -p "$lab/build" "$lab/root/boot" "$lab/root/lib/modules/$release"
: >"$lab/root/boot/vmlinuz-$release"
depmod -b "$lab/root" "$release" 2>log || fail depmod log
PROBEC_CACHE=$PWD/cache "$TOP/lab/image" $release >out 2>said && fail 'an image without modules'
grep -q "virtio_pci.* in $lab/root/lib/modules/$release .*\[E_VM\]\$" said ||
	fail 'a missing module' said
grep -q "= remove the folder $lab/root;" said || fail 'no next step' said
[ ! -s out ] || fail 'output' out

# A kernel that no package has: others of its kind are named.
rm -r "$lab/root"
fake apt-get 'no such package'
cat >bin/apt-cache <<'END'
#!/bin/sh
[ "$1" != pkgnames ] || printf 'linux-headers-6.1.0-%s-cloud-amd64\n' 2 10 1 3 0
END
chmod 755 bin/apt-cache
PATH=$PWD/bin:$PATH PROBEC_CACHE=$PWD/cache "$TOP/lab/image" $release >out 2>said &&
	fail 'an image of no package'
grep -q "the package linux-image-$release could not be fetched \[E_VM\]\$" said ||
	fail 'a missing package' said
grep -qx " *= .*; or name another release:$(printf ' 6.1.0-%s-cloud-amd64' 2 3 10)" said ||
	fail 'the other releases' said

# A short release means a cloud kernel, or one of the flavour after it; a full one means itself.
cat >bin/apt-cache <<'END'
#!/bin/bash
[ "$1" != pkgnames ] ||
	printf 'linux-headers-6.9.0-%s\n' 1-cloud-amd64 2-{,cloud-,rt-}amd64
END
while read -r word meant; do
	PATH=$PWD/bin:$PATH PROBEC_CACHE=$PWD/cache "$TOP/lab/run" --release "$word" >out 2>said
	[ "$(cat out)" = "$meant" ] || fail "$word" out said
done <<'END'
6.9 6.9.0-2-cloud-amd64
6.9-rt 6.9.0-2-rt-amd64
6.9.0-1 6.9.0-1-cloud-amd64
6.9.0-1-cloud-amd64 6.9.0-1-cloud-amd64
6.9.0-2-amd64 6.9.0-2-amd64
6.9.0-1-amd64
END
grep -q "'6.9.0-1-amd64' is here, .*\[E_NO_HEADERS\]\$" said || fail 'a missing release' said
rm bin/apt-get bin/apt-cache

# A kernel that has to be built here: what is missing is named, and another name is refused.
cat >bin/dpkg-query <<'END'
#!/bin/sh
echo 'unknown ok not-installed'
END
chmod 755 bin/dpkg-query
PATH=$PWD/bin:$PATH PROBEC_CACHE=$PWD/cache "$TOP/lab/run" --release clang >out 2>said &&
	fail 'a kernel without packages' out
grep -q "the kernel 'clang' can't be built: packages are missing \[E_VM\]\$" said &&
	grep -q '= apt-get install linux-source-6\.1 .* clang-16 lld-16 llvm-16$' said ||
	fail 'what it needs' said
"$TOP/lab/kernel" no-such >out 2>said && fail 'an unknown kernel' out
grep -q '= variants: clang debug-5.10 debug hard nobtf' said || fail 'the kernels' said

# The run of the tests on these kernels does not pass, and says which one is not there and why.
PATH=$PWD/bin:$PATH PROBEC_CACHE=$PWD/cache "$TOP/testsuite/kernels" nobtf >out 2>said &&
	fail 'a run without its kernel' out
why="the kernel 'nobtf' can't be built: packages are missing [E_VM]"
[ "$(cat out)" = "nobtf: not built: $why" ] ||
	fail 'the reason' out said

# The tests chosen for these kernels exist.
grep -o '^[a-z]*/[^ ]*' "$TOP/testsuite/kernels.list" | while read -r name; do
	[ -f "$TOP/testsuite/$name.kp" ] || [ -f "$TOP/testsuite/$name.sh" ] || echo "$name"
done >said
[ ! -s said ] || fail 'tests that do not exist' said

# A busybox that needs a C library, which the guest does not have.
mkdir dynamic
printf 'int main(void) { return 0; }\n' | gcc -x c -o dynamic/busybox - || fail gcc
PATH=$PWD/dynamic:$PATH "$TOP/lab/image" default >out 2>said && fail 'an image without libraries'
grep -q 'busybox needs shared libraries.*\[E_VM\]$' said && grep -q 'busybox-static' said ||
	fail 'a dynamic busybox' said
