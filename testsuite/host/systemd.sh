# SPDX-License-Identifier: GPL-2.0
#@ needs: make
# The units that make install installs: systemd finds nothing wrong with them, and starts the
# program that was installed with the options of the environment file.
command -v systemd-analyze >/dev/null || { echo 'no systemd-analyze'; exit 77; }
make -s -C "$TOP" install prefix="$PWD/usr" >said 2>&1 || fail 'make install' said
unit=usr/lib/systemd/system/probec@.service
[ -f "$unit" ] || fail 'no unit'
cp "$unit" "probec@reads.service"
# The manual of another prefix is not among those that man finds.
systemd-analyze verify --man=no ./probec@reads.service >said 2>&1 || fail 'verify' said
grep 'probec@' said && fail 'verify says something' said
grep -qx "ExecStart=$PWD/usr/bin/probec \$OPTIONS /etc/probec/%i.kp \$ARGUMENTS" "$unit" ||
	fail 'the program' "$unit"
# The socket of probec-grant, and the program that it starts; nobody starts it unasked.
cp usr/lib/systemd/system/probec-grant.socket .
cp usr/lib/systemd/system/probec-grant@.service .
systemd-analyze verify --man=no ./probec-grant.socket >said 2>&1 || fail 'verify' said
grep 'probec-grant' said && fail 'verify says something' said
grep -qx "ExecStart=-$PWD/usr/libexec/probec-grant" probec-grant@.service ||
	fail 'the helper' probec-grant@.service
[ -x usr/libexec/probec-grant ] && [ ! -u usr/libexec/probec-grant ] || fail 'no helper'
usr/libexec/probec-grant --version >said || fail 'the helper does not run' said
# The judge notices a wrong name and a missing program.
sed 's/^RestartSec/RestartSecs/' "$unit" >probec@wrong.service
systemd-analyze verify --man=no ./probec@wrong.service 2>&1 | grep -q RestartSecs ||
	fail 'a wrong name is not noticed'
rm usr/bin/probec
systemd-analyze verify --man=no ./probec@reads.service >said 2>&1 &&
	fail 'a missing program is not noticed'
# None of what a session needs is taken away.
for option in ProtectKernel PrivateDevices DevicePolicy DeviceAllow ProtectClock ProtectProc \
	PrivateTmp CapabilityBoundingSet SystemCallFilter; do
	! grep "^$option" "$unit" probec-grant@.service || fail 'too much is restricted'
done
