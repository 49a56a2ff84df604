# SPDX-License-Identifier: GPL-2.0
#@ needs: python3
# The debug information of a kernel without BTF, where the file is whole, damaged, or too large for
# the memory that there is. The kernel is made here: a program with one function and one structure.
# shellcheck shell=bash disable=SC2154
id=0123456789abcdef0123456789abcdef01234567
cat >kernel.c <<'EOC'
struct file { int before, f_flags; };
struct file *vfs_read(struct file *file, unsigned long count) { return count ? file : 0; }
EOC
for kind in plain compressed; do
	gcc -O1 -g "-gz=$([ $kind = plain ] && echo none || echo zlib)" -nostdlib -static \
		-Wl,--build-id=0x$id,-e,vfs_read kernel.c -o $kind || fail "$kind is not linked"
done
printf '%s\n' 'probec-target 2' 'release 99.9.0-1-test' "build-id $id" 'machine x86_64' \
	'section symbols 9' vfs_read '' end >kernel
export PROBEC_CACHE=$PWD/cache
compile() { # FILE
	"$PROBEC" -p3 -r ./kernel --debuginfo "$PWD/$1" -e \
		'probe begin { println(@cast(0, "struct file")->f_flags) }' >out 2>said
}

# The first run says what it makes, because that takes seconds for a real kernel; later ones do not.
for kind in plain compressed; do
	rm -rf cache
	compile $kind || fail "$kind: not compiled" said
	grep -q '+ 4, 4' out || fail "$kind: another member" out
	[ "$(cat said)" = 'building the index of types for 99.9.0-1-test (once)' ] ||
		fail "$kind: what is said" said
	compile $kind || fail "$kind: not compiled again" said
	[ ! -s said ] || fail "$kind: it is said again" said
done

# Damage: which file, what is wrong with it, the next step. It is not called missing.
python3 - <<'END' || fail 'no damaged files'
import struct
def sections(path):
    file = bytearray(open(path, "rb").read())
    table, = struct.unpack_from("<Q", file, 40)
    n, names = struct.unpack_from("<HH", file, 60)
    text = struct.unpack_from("<Q", file, table + 64 * names + 24)[0]
    heads = {}
    for at in range(table, table + 64 * n, 64):
        name = text + struct.unpack_from("<I", file, at)[0]
        heads[bytes(file[name:file.index(b"\0", name)]).decode()] = at
    return file, heads
def overwritten(path, name, skip, byte):
    file, heads = sections(path)
    at, size = struct.unpack_from("<QQ", file, heads[name] + 24)
    file[at + skip:at + size] = bytes([byte]) * (size - skip)
    return file
whole = open("plain", "rb").read()
open("short", "wb").write(whole[:40])
open("half", "wb").write(whole[:len(whole) // 2])
open("text", "w").write("no program\n" * 100)
for name in "info", "abbrev":
    open("bad-" + name, "wb").write(overwritten("plain", ".debug_" + name, 0, 0xff))
open("bad-zlib", "wb").write(overwritten("compressed", ".debug_info", 26, 0x55))
file, heads = sections("plain")
struct.pack_into("<Q", file, heads[".debug_str"] + 24, 1 << 30)
open("beyond", "wb").write(file)
END
for file in short half text bad-info bad-abbrev bad-zlib beyond; do
	rm -rf cache
	compile $file && fail "$file: accepted" out
	grep -q 'neither can be used \[E_NO_BTF\]$' said || fail "$file: another message" said
	grep -q "= debug information: $PWD/$file is damaged (..*): install it again$" said ||
		fail "$file: what is wrong with it" said
done
grep -q 'damaged (.debug_str: ' said || fail 'the section is not named' said
compile nowhere && fail 'nowhere: accepted' out
grep -q '= debug information: there is none for kernel' said || fail 'nowhere' said

# Too little memory is the reason wherever it ends: neither damage nor a file that is not there.
objcopy --dump-section .debug_str=strings plain /dev/null && truncate -s 200M strings &&
	objcopy --update-section .debug_str=strings plain large || fail 'no large file'
enough=0
tight=0
for megabytes in 20 40 60 80 100 150 200 250 300 400 600 800; do
	rm -rf cache
	(ulimit -v $((megabytes * 1024)); compile large) && { enough=1; continue; }
	tight=$((tight + 1))
	grep -qiE 'out of memory|cannot allocate memory|failed to map segment' said ||
		fail "$megabytes MB: another reason" said
	! grep -qE 'E_NO_BTF|damaged|there is none|has no' said || fail "$megabytes MB" said
done
[ $enough = 1 ] && [ $tight -gt 3 ] || fail "too little memory $tight times" said
