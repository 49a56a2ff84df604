# SPDX-License-Identifier: GPL-2.0
#@ needs: python3
# A place of a script is one key, also when the interpreter has changed its code for it meanwhile,
# and a function is one, whatever its line.
. "$TOP/testsuite/expect.sh"
folder=$(mktemp -d) || exit 1
trap 'rm -r "$folder"' EXIT
cat >"$folder/journal.py" <<'PY'
import os

class Journal:
    def __init__(self, path):
        self.fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)

    def append(self, text):
        os.write(self.fd, text.encode())
        os.fsync(self.fd)

def handle(journal, n):
    journal.append(f"request {n}\n")

journal = Journal(__file__ + ".out")
for n in range(100):
    handle(journal, n)
PY
"$PROBERUN" -o "$folder/out" "$MODULE" -c "python3 $folder/journal.py" 2>"$folder/err" ||
	fail 'the status' "$folder/err"
[ -s "$folder/err" ] && fail 'messages' "$folder/err"
cat >"$folder/expected" <<OUT
fsync: 100 calls
 [python]           : Journal.append at $folder/journal.py:9
 [python]           : handle at $folder/journal.py:12
write: 100 calls
 [python]           : Journal.append at $folder/journal.py:8
 [python]           : handle at $folder/journal.py:12
Journal.append ($folder/journal.py): 200 calls, 1
 [python]           : handle at $folder/journal.py:12
OUT
diff "$folder/expected" "$folder/out" >"$folder/difference" ||
	fail 'other places' "$folder/difference"
