# SPDX-License-Identifier: GPL-2.0
#@ needs: modprobe ip
#@ kernels: not debug clang
# The symbols and types of a module come from its file, which is compressed on most kernels (xz,
# zstd): network devices that are made are counted, by name. Kernels without that module are left
# out.
. "$TOP/testsuite/expect.sh"
cd /run
root=${PROBEC_CACHE:-$HOME/.cache/probec}/lab/$(uname -r)/root
cat >make-devices <<END
modprobe -d "$root" dummy numdummies=0 || exit 3
ip link add own-a type dummy && ip link add own-b type dummy
ip link del own-a && ip link del own-b
END
"$PROBERUN" "$MODULE" -c 'sh make-devices' >out 2>said || fail 'the session' out said
rmmod dummy || fail 'the module is in use'
printf 'made 2\nown-a 1\nown-b 1\n' | cmp -s - out || fail 'the counts' out said
