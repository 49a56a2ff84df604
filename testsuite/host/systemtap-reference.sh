# SPDX-License-Identifier: GPL-2.0
#@ needs: target python3
# SystemTap's tapset reference, page by page (Debian's package systemtap-doc): each function is
# there with as many parameters and the same type, each alias with each variable, on both kernels;
# what is not is in doc/missing-library.md.
# shellcheck shell=bash disable=SC2154
cache=${PROBEC_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/probec}
pages=
for dir in /usr/share/man/man3 "$cache/systemtap-doc/usr/share/man/man3"; do
	[ ! -f "$dir/function::pid.3stap.gz" ] || pages=$dir
done
[ -n "$pages" ] || { echo "no systemtap-doc: neither installed nor in $cache"; exit 77; }
targets=()
for kernel in $KERNELS; do
	targets+=("$("$TOP/lab/run" --target "$kernel")") || fail "no target of $kernel"
done
python3 "$TOP/testsuite/host/systemtap-reference.py" "$pages" "$TOP/doc" "$PROBEC" \
	"${targets[@]}" >said ||
	fail 'the reference has what doc/missing-library.md does not say' said
