# SPDX-License-Identifier: GPL-2.0
# completion.py SETUP SHELL... <LINES: types each line into an interactive shell at a terminal, with
# a tab and a newline, and prints the words that the command "probec" was given.
import os, pty, select, sys, time


def read_until(fd, mark, seconds=60):
    text = b''
    end = time.time() + seconds
    while mark not in text and time.time() < end:
        if select.select([fd], [], [], 0.2)[0]:
            try:
                text += os.read(fd, 65536)
            except OSError:
                break
    if mark not in text:
        sys.exit('no %r after %d seconds in %r' % (mark, seconds, text))
    return text


setup, *shell = sys.argv[1:]
pid, fd = pty.fork()
if pid == 0:
    os.environ.update(TERM='dumb', COLUMNS='200')
    os.execvp(shell[0], shell)
os.write(fd, (setup + '; stty -echo cols 200; echo set-up-$((1 + 1))\n').encode())
read_until(fd, b'set-up-2')
for line in sys.stdin:
    line, close = line.rstrip('\n').split('\t')
    os.write(fd, line.encode() + b'\t')
    # The shell shows an answer only where it differs from what was typed: time has to pass.
    time.sleep(0.3)
    os.write(fd, close.encode() + b'\n')
    text = read_until(fd, b'.end')
    print(text[text.rindex(b'words:'):].split(b'.end')[0].decode().strip())
os.write(fd, b'exit\n')
