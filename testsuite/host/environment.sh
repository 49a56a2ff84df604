# SPDX-License-Identifier: GPL-2.0
#@ needs: target root setpriv
# Unusual environments: tools that fail or are missing, directories that cannot be written, files
# that cannot be read. The message names the cause, and nothing incomplete is used afterwards.
# shellcheck shell=bash disable=SC2154,SC2016
# Use the runtimes that exist; what these tests build goes elsewhere.
ready=${PROBEC_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/probec}
own_cache
release=${TARGET##*/}
script='probe begin { println(1) exit() }'

# Root may read and write everything, unless it lacks the capability.
drop() { setpriv --bounding-set=-dac_override,-dac_read_search "$@"; }
# says ID WORDS COMMAND...: the command fails, and a message with that id contains these words.
says() {
	local id=$1 words=$2 status
	shift 2
	"$@" >out 2>said
	status=$?
	[ $status = 1 ] || fail "status $status: $*" said
	grep -q "error: .*$words.*\[$id\]" said || fail "not '$words' [$id]: $*" said
}
# fake NAME SHELL: makes a tool that is found first in PATH.
mkdir tools
fake() { printf '#!/bin/bash\n%s\n' "$2" >"tools/$1" && chmod +x "tools/$1"; }
export PATH=$PWD/tools:$PATH
compile() { "$PROBEC" --color=never -p4 -r "$release" "$@"; }

# ---- kbuild, and the runtime in the cache ----
says E_NO_COMPILER "'[a-z0-9_-]*', 'make', 'ld', 'strip' are not installed" \
	env PATH=/nonexistent "$PROBEC" -p4 -r "$release" -e "$script"
fake make 'exit 0'
says E_BUILD 'kbuild did not create ' compile -e "$script"
name=$(sed -n 's/.*kbuild did not create .*\/\([^/]*\.mod\).*/\1/p' said)
fake make 'for a; do case $a in M=*) echo unit.o >"${a#M=}/'"$name"'" ;; esac; done'
says E_BUILD "can't find out from .* how the kernel is built" compile -e "$script"
fake make 'echo words of make; exit 2'
says E_BUILD 'the runtime could not be built' compile -e "$script"
grep -q 'words of make' said && grep -q ' = the output of the tools follows' said ||
	fail 'what make said' said
rm tools/make
mkdir place
install -m 755 "$PROBEC" place/
cp -r "$TOP/runtime" "$TOP/tapsets" place/
chmod 000 place/runtime/unit.c
says E_IO "can't copy the runtime" drop place/probec -p4 -r "$release" -e "$script"
mkdir -p cache/runtime
chmod 500 cache/runtime
says E_IO "can't make '.*/cache/runtime/" drop "$PROBEC" -p4 -r "$release" -e "$script"
chmod 700 cache/runtime
[ -z "$(find cache/runtime -name runtime.o)" ] || fail 'a runtime is left of what failed'

# A file that a power failure truncated is made again, once.
PROBEC_CACHE=$ready compile -e "$script" >out 2>said || fail 'it does not compile' said
cp -r "$ready/runtime/." cache/runtime/
for flags in cache/runtime/*/flags; do : >"$flags"; done
compile -e "$script" >out 2>said || fail 'a damaged runtime' said
grep -q '^building the runtime' said || fail 'a damaged runtime is used' said
compile -e "$script $script" >out 2>said || fail 'after a damaged runtime' said
[ ! -s said ] || fail 'a damaged runtime is made again each time' said

# A runtime depends on the content of its sources, not on their path or time.
chmod 644 place/runtime/unit.c
builds() { place/probec -p4 -r "$release" -e "$script" >out 2>said &&
	grep -q '^building the runtime' said; }
! builds || fail 'the same sources elsewhere' said
touch place/runtime/unit.c
! builds || fail 'touched sources' said
for kept in cache/runtime/*.sources; do echo 0 >"$kept"; done
! builds || fail 'what is known of the sources is damaged' said
[ ! -s said ] || fail 'it does not compile elsewhere' said
echo '/* changed */' >>place/runtime/unit.c
# In the environment of somebody who builds kernels for another processor.
(
	export ARCH=arm64 CROSS_COMPILE=no-such- LLVM=1 KCFLAGS=-Wno-such=option \
		KBUILD_EXTMOD=/none MAKEFLAGS=-n
	builds
) || fail 'the runtime of other sources is used, or does not build in any environment' said

# ---- the module of a script ----
fake objcopy 'echo words of objcopy; exit 3'
says E_BUILD "the trampolines can't be added" compile --direct -e "$script"
grep -q 'words of objcopy' said || fail 'what objcopy said' said
rm tools/objcopy
# The module is linked with the runtime, and contains a name from there.
says E_BUILD 'the linker rejects' compile -g -e \
	"%{ void prt_alloc(void); void prt_alloc(void) { } %} $script"
grep -q 'multiple definition' said && grep -q 'or in embedded C' said || fail 'what ld said' said
says E_BUILD "has no 'nobody_has_it' for modules" compile -g -e 'function f:long() %{
	extern int nobody_has_it(void);
	STAP_RETVALUE = nobody_has_it();
%} probe begin { println(f()) }'
says E_IO "can't write '.*/script.c'" bash -c 'trap "" XFSZ; ulimit -f 1; exec "$@"' - "$PROBEC" \
	-p4 -r "$release" -e "probe end { } $script"
mkdir -m 555 closed
(cd closed && drop "$PROBEC" -p4 -m probec_here -r "$release" -e "$script") >out 2>said &&
	fail 'written where nobody may' said
grep -q "can't write 'probec_here.ko'.*\[E_IO\]" said || fail 'a directory that is closed' said
echo nonsense >key
echo nonsense >certificate
says E_SIGN "could not be signed with 'key' and 'certificate'" compile --sign key certificate -e \
	"$script"
says E_IO "can't read the certificate 'nowhere'" compile --sign key nowhere -e "$script"
chmod 755 "$PWD" place
says E_VM "no virtual machine" place/probec --vm=6.1 -e "$script"
grep -q "lab/run: No such file" said || fail 'a machine that is not installed' said

# ---- input files ----
mkdir library
ln -s nowhere library/functions.kp
says E_IO "cannot read 'library/functions.kp'" "$PROBEC" -p2 -I library -e "$script"
rm library/*
ln -s nowhere library/macros.kpm
says E_IO "cannot read 'library/macros.kpm'" "$PROBEC" -p2 -I library -e \
	'probe begin { println(@unheard_of) }'
says E_IO "can't read '/proc/self/mem'" env PROBEC_CONFIG=/proc/self/mem "$PROBEC" -p1 -e "$script"
says E_PREPROC "'CONFIG_SMP' needs a kernel that can't be found" \
	"$PROBEC" -p1 -r 1.2.3 -e '%( CONFIG_SMP == "y" %? probe begin { } %)'
says E_GURU 'override-any needs guru mode' "$PROBEC" -p1 --override-any -e "$script"
says E_GURU 'suppress-time-limits needs guru mode' "$PROBEC" -p1 --suppress-time-limits -e "$script"

# ---- users ----
# A user without an entry in /etc/passwd, with a copy of the tree that everybody may run.
theirs=$(mktemp -d /tmp/probec.environment.XXXXXX)
trap 'rm -rf "$theirs"' EXIT
chmod 644 place/runtime/unit.c
cp -r place/. "$theirs"
chmod -R go+rX "$theirs"
stranger() \
	{ env -u PROBEC_CACHE -u XDG_CACHE_HOME -u HOME setpriv --reuid=54321 --regid=54321 --clear-groups "$@"; }
stranger "$theirs/probec" -p1 -e "$script" >out 2>said || fail 'without a home directory' said
grep -q 'warning: no home directory: nothing is cached \[E_IO\]' said ||
	fail 'no word of the cache' said
says E_IO "can't start a process" stranger bash -c 'ulimit -u 1; exec "$@"' - "$theirs/probec" \
	-p1 -e "$script"
says E_NOT_ROOT 'the virtual machine shares the files' stranger "$theirs/probec" --vm -e "$script"
grep -q 'sudo probec --vm' said || fail 'no way out for who is not root' said

# ---- errors inside probec ----
# Nobody reads what it writes, so it waits.
mkfifo unread
exec 9<>unread
yes 'probe begin { println(1) }' | head -n 10000 >long.kp
"$PROBEC" -p1 long.kp >unread 2>said &
probec=$!
wait_for 'the process that compiles' pgrep -P $probec >child
kill -ABRT "$(tail -n 1 child)"
wait $probec && fail 'broken, and status 0' said
grep -q 'error: probec crashed (Aborted); this is a bug in probec \[E_INTERNAL\]' said ||
	fail 'broken' said
