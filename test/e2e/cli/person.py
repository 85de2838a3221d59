"""The person: commands that no agent is above.

A test plays the agents itself, so what it starts is an agent's.  This program
is started once, loses its parents and its environment, and runs commands when
it is asked to: a request is JSON with the three descriptors of the command and
one on which it is told its number and, at the end, its exit code.
"""
import fcntl
import json
import os
import signal
import socket
import subprocess
import sys
import termios
import threading
from pathlib import Path


def dial(request, fds):
    """Connect to a Unix socket and hand it over: whoever connects is at its
    other end for the kernel."""
    status = socket.socket(fileno=fds[0])
    wire = socket.socket(socket.AF_UNIX)
    try:
        wire.connect(request["connect"])
        socket.send_fds(status, [b"ok"], [wire.fileno()])
    except OSError as error:
        status.sendall(str(error).encode())
    wire.close()
    status.close()


def run(request, fds):
    status = socket.socket(fileno=fds[3])

    def take_terminal():
        os.setsid()
        if request["is_tty"]:
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    try:
        child = subprocess.Popen(
            request["argv"], cwd=request["cwd"], env=request["env"],
            stdin=fds[0], stdout=fds[1], stderr=fds[2],
            preexec_fn=take_terminal)
        for fd in fds[:3]:
            os.close(fd)
        status.sendall(f"{child.pid}\n".encode())
        status.sendall(f"{child.wait()}\n".encode())
    finally:
        status.close()


def serve(wire):
    while True:
        request, fds, _, _ = socket.recv_fds(wire, 1 << 20, 4)
        if not request:
            os._exit(0)
        request = json.loads(request)
        threading.Thread(target=dial if "connect" in request else run,
                         args=(request, fds)).start()


class Command:
    """Like subprocess.Popen: pid, wait(), poll(), communicate()."""

    def __init__(self, argv, cwd, env, stdin=subprocess.DEVNULL,
                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                 is_tty=False):
        ours, theirs = socket.socketpair()
        mine = []
        self.pipes = {}
        for name, wanted in (("stdin", stdin), ("stdout", stdout),
                             ("stderr", stderr)):
            if wanted == subprocess.PIPE:
                read, write = os.pipe()
                kept, given = ((write, read) if name == "stdin" else
                               (read, write))
                self.pipes[name] = os.fdopen(
                    kept, "w" if name == "stdin" else "r")
                mine.append(given)
            elif wanted == subprocess.DEVNULL:
                mine.append(os.open(os.devnull, os.O_RDWR))
            else:
                mine.append(os.dup(wanted))
        request = {"argv": [str(a) for a in argv], "cwd": str(cwd),
                   "env": {k: str(v) for k, v in env.items()},
                   "is_tty": is_tty}
        with LOCK:
            socket.send_fds(the_person(), [json.dumps(request).encode()],
                            mine + [theirs.fileno()])
        theirs.close()
        for fd in mine:
            os.close(fd)
        self.status = ours.makefile("r")
        self.stdin = self.pipes.get("stdin")
        self.stdout = self.pipes.get("stdout")
        self.stderr = self.pipes.get("stderr")
        self.pid = int(self.status.readline())
        self.returncode = None
        self.waiter = threading.Thread(target=self.listen, daemon=True)
        self.waiter.start()

    def listen(self):
        line = self.status.readline()
        self.status.close()
        self.returncode = int(line) if line else -1

    def poll(self):
        return self.returncode

    def wait(self, timeout=None):
        self.waiter.join(timeout)
        if self.waiter.is_alive():
            raise subprocess.TimeoutExpired("a command", timeout)
        return self.returncode

    def kill(self):
        os.kill(self.pid, signal.SIGKILL)

    def communicate(self, input=None, timeout=None):
        texts = {}
        readers = [threading.Thread(
            target=lambda n=n: texts.__setitem__(n, self.pipes[n].read()),
            daemon=True) for n in ("stdout", "stderr") if n in self.pipes]
        for reader in readers:
            reader.start()
        if self.stdin:
            if input:
                self.stdin.write(input)
            self.stdin.close()
        self.wait(timeout)
        for reader in readers:
            reader.join(timeout)
        for name in ("stdout", "stderr"):
            if name in self.pipes:
                self.pipes[name].close()
        return texts.get("stdout"), texts.get("stderr")


def connect(path):
    """A connection of the person's to a Unix socket."""
    ours, theirs = socket.socketpair()
    with LOCK:
        socket.send_fds(the_person(), [json.dumps(
            {"connect": str(path)}).encode()], [theirs.fileno()])
    theirs.close()
    said, fds, _, _ = socket.recv_fds(ours, 1000, 1)
    ours.close()
    if not fds:
        raise ConnectionError(said.decode())
    return socket.socket(fileno=fds[0])


LOCK = threading.Lock()
PERSON = []


def the_person():
    """The socket to it; it ends when that is closed."""
    if PERSON:
        return PERSON[0]
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    launcher = os.fork()
    if launcher == 0:
        os.setsid()
        if os.fork() == 0:
            os.dup2(theirs.fileno(), 3, inheritable=True)
            os.closerange(4, 256)
            os.execve(sys.executable,
                      [sys.executable, str(Path(__file__).resolve())],
                      {"PATH": os.environ["PATH"]})
        os._exit(0)
    os.waitpid(launcher, 0)
    theirs.close()
    PERSON.append(ours)
    return ours


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    serve(socket.socket(fileno=3))
