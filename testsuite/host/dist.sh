# SPDX-License-Identifier: GPL-2.0
# The tarball builds, in two folders to the same programs; the static proberun needs no library. A
# package of Debian or RPM is as reproducible as this.
#@ slow
#@ needs: make
git -C "$TOP" rev-parse --git-dir >/dev/null 2>&1 || { echo 'this is no clone'; exit 77; }
git clone -q "$TOP" clone && cd clone || fail 'no clone'
built() { # FOLDER
	mkdir "$1" && tar -xf ../probec-*.tar.xz -C "$1" --strip-components=1 &&
		(cd "$1" && ./configure && make -j2 all static-proberun) >said 2>&1 ||
		fail "the tarball does not build in $1" said
}
{ ./configure && make dist; } >said 2>&1 || fail 'make dist' said
mv probec-*.tar.xz ..
built one
built 'another folder'
for program in probec proberun static-proberun; do
	cmp "one/$program" "another folder/$program" || fail "two builds of $program differ"
done
[ "$(one/static-proberun --version)" = "$("$PROBERUN" --version)" ] || fail 'the static one'
! readelf -d one/static-proberun | grep NEEDED || fail 'it needs libraries'
# The same tarball from the same commit.
sum=$(sha256sum <"$(echo ../probec-*.tar.xz)")
make dist >said 2>&1 && [ "$(sha256sum <"$(echo probec-*.tar.xz)")" = "$sum" ] ||
	fail 'another tarball' said
