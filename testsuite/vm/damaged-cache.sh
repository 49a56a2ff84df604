# SPDX-License-Identifier: GPL-2.0
#@ slow
# Files of the lab's cache that are damaged or truncated are made again.
release=$("$TOP/lab/run" --release "$KERNEL")
cache=${PROBEC_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/probec}
export PROBEC_CACHE=$PWD/cache
mkdir -p "cache/lab/$release" cache/targets
for part in root build headers; do
	[ ! -e "$cache/lab/$release/$part" ] ||
		ln -s "$cache/lab/$release/$part" "cache/lab/$release/$part"
done

image=$("$TOP/lab/image" "$release")
cp -r "$image" image
for part in vmlinuz initrd; do
	printf x | dd of="$image/$part" bs=1 seek=100000 conv=notrunc 2>said
	[ "$("$TOP/lab/image" "$release")" = "$image" ] || fail 'another image'
	truncate -s -1 "$image/$part"
	[ "$("$TOP/lab/image" "$release")" = "$image" ] || fail 'another image'
	case $part in
	vmlinuz) cmp "$image/$part" image/vmlinuz ;;
	initrd) gzip -t "$image/$part" &&
		[ "$(gzip -dc "$image/$part" | wc -c)" = "$(gzip -dc image/initrd | wc -c)" ] ;;
	esac || fail "$part is still damaged"
done

lines() { grep -avEc '^(section padding .*| *)$' "$1"; }
target=cache/targets/$release
head -c 1000000 "$TARGET" >"$target"
[ "$("$TOP/lab/run" --target "$release" 2>said)" = "$PWD/$target" ] || fail 'a cut target' said
grep -q 'asking the kernel' said && [ "$(lines "$target")" = "$(lines "$TARGET")" ] ||
	fail 'a cut target' said
cp "$target" good
"$TOP/lab/run" --target "$release" >/dev/null 2>said && [ ! -s said ] ||
	fail 'made again without a reason' said
printf '\377' | dd of="$target" bs=1 seek=1000000 conv=notrunc 2>said
"$TOP/lab/run" --target "$release" >/dev/null 2>said || fail 'a damaged target' said
byte() { od -An -tx1 -j1000000 -N1 "$1"; }
grep -q 'asking the kernel' said && [ "$(lines "$target")" = "$(lines good)" ] &&
	[ "$(byte "$target")" = "$(byte good)" ] || fail 'a damaged target' said

# So is a target that an older proberun captured.
sed '/^section data /,/^$/d' good >"$target"
. "$TOP/lab/common.sh"
sum_of "$target" "$image/vmlinuz" >"cache/lab/$release/target.sum"
"$TOP/lab/run" --target "$release" >/dev/null 2>said || fail 'an old target' said
grep -q 'asking the kernel' said && [ "$(lines "$target")" = "$(lines good)" ] ||
	fail 'an old target' said
