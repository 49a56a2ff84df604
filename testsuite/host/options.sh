# SPDX-License-Identifier: GPL-2.0
# Wrong options and the exact messages. Nothing is started.
echo 'probe begin { println(@1) exit() }' >a.kp
show "$PROBEC"
show "$PROBEC" nosuch.kp
show "$PROBEC" .
show "$PROBEC" -p1 a.kp
show "$PROBEC" -p1 a.kp one two
show "$PROBEC" -e
show "$PROBEC" -z a.kp
show "$PROBEC" --verbsoe a.kp
show "$PROBEC" --nonsense a.kp
show "$PROBEC" --dump a.kp
show "$PROBEC" --verbose=3 a.kp
show "$PROBEC" -p1 -b a.kp
show "$PROBEC" --bpf a.kp
for p in 0 6 x; do show "$PROBEC" -p $p a.kp; done
for t in 0 -1 x 1.5 9999999999; do show "$PROBEC" -T $t a.kp; done
for x in 0 abc; do show "$PROBEC" -x $x a.kp; done
show "$PROBEC" -c true -x 1 a.kp
for d in NA-ME=1 MAXACTION MAXACTION=x MAXACTION=0 =1 ''; do show "$PROBEC" -D "$d" \
	a.kp; done
for g in x =1 1x=1 ''; do show "$PROBEC" -G "$g" a.kp; done
for m in 'a b' a/b '' 1a ..; do show "$PROBEC" -m "$m" a.kp; done
show "$PROBEC" -m "$(printf 'n%.0s' {1..56})" a.kp
show "$PROBEC" --color=blue a.kp
show "$PROBEC" --format=xml a.kp
show "$PROBEC" -r '' a.kp
show "$PROBEC" --vm -r 6.1 a.kp
show "$PROBEC" --vm -x 1 a.kp
show "$PROBEC" -T x -x y -D 1z --zzz a.kp

show "$PROBERUN"
show "$PROBERUN" nosuch.ko
show "$PROBERUN" .
show "$PROBERUN" a.kp
show "$PROBERUN" -c
show "$PROBERUN" -z a.ko
show "$PROBERUN" --nonsense a.ko
show "$PROBERUN" --verbsoe a.ko
show "$PROBERUN" --outptu=x a.ko
show "$PROBEC" -Wno-unsued -p1 a.kp
show "$PROBERUN" -T 0 a.ko
show "$PROBERUN" -x x a.ko
show "$PROBERUN" -s 0 a.ko
show "$PROBERUN" --format=xml a.ko
show "$PROBERUN" -c true -x 1 a.ko
show "$PROBERUN" a.ko word
show "$PROBERUN" --describe a.ko
show "$PROBERUN" --list a.ko
show "$PROBERUN" --stop
show "$PROBERUN" -A some a.ko
show "$PROBERUN" -F -c true a.ko
show "$PROBERUN" -S 5 a.ko
show "$PROBERUN" -o o -S 5 --format=perfetto a.ko
show "$PROBERUN" -F --format=perfetto a.ko
show "$PROBEC" -F --format=perfetto a.kp
show "$PROBERUN" --format=ctf a.ko
show "$PROBERUN" -o o -S 5 --format=ctf a.ko
show "$PROBEC" --format=ctf a.kp
show "$PROBERUN" -o o -S 5,0 a.ko
show "$PROBERUN" --keep 5 a.ko
