# SPDX-License-Identifier: GPL-2.0
"""workers.py [PROGRAM...] - a server that starts processes and ends. Each of them writes its own
stack to descriptor 99: its number, then FUNCTION<tab>FILE<tab>LINE for each frame, innermost first.
They do so at once, when the server has ended, in threads, and after they have begun to run
PROGRAM."""
import os
import sys
import threading
import time


# All in one line, the one that the stack has while the program writes.
def point(): os.write(99, ("%d\n" % os.getpid() + stack(sys._getframe()) + "\n").encode())


def stack(frame):
    lines = ""
    while frame:
        name = getattr(frame.f_code, "co_qualname", frame.f_code.co_name)
        lines += "%s\t%s\t%d\n" % (name, frame.f_code.co_filename, frame.f_lineno)
        frame = frame.f_back
    return lines


class Worker:
    def __init__(self, number, server):
        self.number = number
        self.server = server

    def run(self):
        point()
        while os.getppid() == self.server:
            time.sleep(0.001)
        self.serve(self.number)

    def serve(self, depth):
        if depth:
            return self.serve(depth - 1)
        point()
        threads = [threading.Thread(target=self.work) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        # A process of a process, which lives longer.
        child = os.fork()
        if child == 0:
            while os.getppid() == self.parent:
                time.sleep(0.001)
            point()
            os._exit(0)
        if len(sys.argv) > 1:
            os.execvp(sys.argv[1], sys.argv[1:])

    def work(self):
        for n in range(5):
            point()

    @property
    def parent(self):
        return parents[-1]


parents = []


def main():
    server = os.getpid()
    for number in range(3):
        if os.fork() == 0:
            parents.append(os.getpid())
            Worker(number, server).run()
            os._exit(0)


main()
