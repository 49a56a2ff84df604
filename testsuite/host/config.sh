# SPDX-License-Identifier: GPL-2.0
# The configuration file: its location, its syntax, its precedence, and files that are ignored.
unset PROBEC_CONFIG XDG_CONFIG_HOME
export HOME=$PWD/home
mkdir -p home/.config/probec other/probec
script='probe begin { print(1) exit() }'
config=home/.config/probec/config

# Options, quotes and comments; options of the command line come later.
cat >$config <<'END'
# all for
-p 3 -g   # nobody
	-D "MAXACTION=7\7" '--pass=1'
-I 'no such dir' -G a\ b=1
END
show "$PROBEC" -e "$script" | sed "s|$PWD|DIR|"
sed -i '$d' $config
show "$PROBEC" -e "$script"
"$PROBEC" -p3 -e "$script" >c || fail 'the command line has not the last word'
grep -q 'include' c || fail 'no C text' c

# Another file, or none.
echo '-p1 --nonsense' >other/probec/config
XDG_CONFIG_HOME=$PWD/other "$PROBEC" -e "$script" 2>&1 | sed "s|$PWD|DIR|"
PROBEC_CONFIG='' "$PROBEC" -p1 -e "$script" || fail 'PROBEC_CONFIG empty'
XDG_CONFIG_HOME=$PWD/other "$PROBEC" --no-config -p1 -e "$script" || fail '--no-config'
PROBEC_CONFIG=nosuch show "$PROBEC" -e "$script"
rm $config
"$PROBEC" -p1 -e "$script" || fail 'no file'

# A mistake in the file is reported at its place.
cat >mine <<'END'
-p1 script.kp
-v --frob -e 'probe end { }'
-h -x one -- -b -F
-D 'MAXACTION=1
END
PROBEC_CONFIG=mine show "$PROBEC" -e "$script"
printf 'x\0y' >mine
PROBEC_CONFIG=mine show "$PROBEC" -e "$script"

# A file that others could have written is ignored.
echo -p1 >mine
for mode in 620 602; do
	chmod "$mode" mine
	PROBEC_CONFIG=mine show "$PROBEC" -e "$script"
done
chmod 644 mine
mkdir -m 777 open
mv mine open
PROBEC_CONFIG=open/mine show "$PROBEC" -e "$script"
