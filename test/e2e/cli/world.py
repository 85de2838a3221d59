"""A machine of its own for one test: folders, a daemon, agents, terminals."""
import base64
import copy
import fcntl
import hashlib
import json
import os
import pty
import re
import select
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import termios
import threading
import time
from pathlib import Path

from person import Command

LIMIT = 20  # seconds for anything that is waited for


class World:
    def __init__(self, program):
        self.top = Path(tempfile.mkdtemp(prefix="dt-cli-")).resolve()
        self.project = self.top / "project"
        for name in ("home/.claude", "run", "state", "config", "tmp", "project"):
            (self.top / name).mkdir(parents=True, mode=0o700)
        self.program = str(Path(program).resolve())
        self.env = {
            "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8",
            "TERM": "xterm",
            "HOME": str(self.top / "home"),
            "XDG_RUNTIME_DIR": str(self.top / "run"),
            "XDG_STATE_HOME": str(self.top / "state"),
            "XDG_CONFIG_HOME": str(self.top / "config"),
            "TMPDIR": str(self.top / "tmp"),
            "EDITOR": "sed -i s/TWO/zwei/",
            "GIT_PAGER": "cat",
        }
        self.agents = []
        self.hooks = []

    def run(self, *args, cwd=None, **env):
        """(exit code, stdout, stderr) of one dovetail command."""
        command = self.begin(*args, cwd=cwd, **env)
        out, err = command.communicate(timeout=LIMIT)
        print(f"$ dovetail {' '.join(map(str, args))}  # {command.returncode}\n"
              f"{out}{err}", end="")
        return command.returncode, out, err

    def begin(self, *args, cwd=None, **env):
        """A command of the person that is not waited for."""
        return Command([self.program, *args], cwd or self.project,
                       self.env | env, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE)

    def good(self, *args, **options):
        code, out, err = self.run(*args, **options)
        assert code == 0, f"dovetail {args[0]}: exit {code}: {err}"
        return out

    def bad(self, code, sentence, *args, **options):
        """The command must fail like this, with one sentence."""
        found, _, err = self.run(*args, **options)
        assert found == code, f"dovetail {args[0]}: exit {found}, not {code}"
        assert err.startswith("dovetail: ") and err.count("\n") == 1, err
        assert sentence in err, f"{sentence!r} is not in {err!r}"

    def file(self, name, text):
        path = self.project / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    def as_sdk_client(self):
        """This world for programs that an MCP client started: the official
        SDK hands on these variables and no other."""
        client = copy.copy(self)
        client.env = {"HOME": self.env["HOME"], "LOGNAME": "me", "USER": "me",
                      "PATH": self.env["PATH"], "SHELL": "/bin/sh",
                      "TERM": "xterm"}
        return client

    def agent(self, **options):
        self.agents.append(Agent(self, **options))
        return self.agents[-1]

    def waiting(self, count):
        """The list of reviews, once this many wait."""
        def enough():
            reviews = json.loads(self.good("review", "list", "--json"))
            reviews = [r for r in reviews if r["state"] == "waiting"]
            return reviews if len(reviews) == count else None
        return until(enough, f"{count} reviews")

    def close(self):
        for hook in self.hooks:  # they would start the daemon again
            hook.kill()
            hook.wait()
        for agent in self.agents:
            agent.close()
        if self.run("stop", "--force")[0]:  # a test that failed is in the way
            os.kill(json.loads(self.run("status", "--json")[1])["pid"],
                    signal.SIGTERM)
        shutil.rmtree(self.top)
        # Where the daemon of a client without variables was.
        digest = hashlib.sha256(self.env["HOME"].encode()).hexdigest()
        shutil.rmtree(f"/tmp/dovetail-{os.getuid()}-{digest[:8]}",
                      ignore_errors=True)


def until(ready, what):
    end = time.monotonic() + LIMIT
    while time.monotonic() < end:
        found = ready()
        if found is not None and found is not False:
            return found
        time.sleep(0.05)
    raise AssertionError(f"waited in vain for {what}")


def start_hook(w, input, **env):
    text = input if isinstance(input, str) else json.dumps(input)
    hook = subprocess.Popen([w.program, "hook", "claude"], cwd=w.project,
                            env=w.env | env, text=True, stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    w.hooks.append(hook)
    hook.stdin.write(text)
    hook.stdin.close()
    hook.stdin = None
    return hook


def edit_of(w, path, old, new):
    return {
        "session_id": "s", "cwd": str(w.project), "permission_mode": "auto",
        "hook_event_name": "PreToolUse", "tool_name": "Edit",
        "tool_input": {"file_path": str(path), "old_string": old,
                       "new_string": new},
    }


def decision(hook):
    out, err = hook.communicate(timeout=20)
    assert hook.returncode == 0, err
    return json.loads(out)["hookSpecificOutput"]


class Agent:
    """What Claude Code does: MCP over a WebSocket found by the lock file."""

    def __init__(self, world, pid=None):
        lock = until(lambda: next(iter(
            (world.top / "home/.claude/ide").glob("*.lock")), None), "a lock")
        token = json.loads(lock.read_text())["authToken"]
        self.socket = socket.create_connection(("127.0.0.1", int(lock.stem)))
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            (f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{lock.stem}\r\n"
             "Upgrade: websocket\r\nConnection: Upgrade\r\n"
             f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"
             "Sec-WebSocket-Protocol: mcp\r\n"
             f"X-Claude-Code-Ide-Authorization: {token}\r\n\r\n").encode())
        self.stream = self.socket.makefile("rb")
        while self.stream.readline() not in (b"\r\n", b""):
            pass
        self.messages = []
        threading.Thread(target=self.listen, daemon=True).start()
        self.last_id = 0
        self.answer(self.call("initialize", {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "claude-code", "version": "2.1.325"}}))
        self.send({"method": "notifications/initialized"})
        if pid:
            self.send({"method": "ide_connected", "params": {"pid": pid}})
        self.answer(self.call("tools/list", {}))

    def send(self, message):
        data = json.dumps({"jsonrpc": "2.0"} | message).encode()
        if len(data) < 126:
            size = struct.pack(">B", 0x80 | len(data))
        elif len(data) < 65536:
            size = struct.pack(">BH", 0x80 | 126, len(data))
        else:
            size = struct.pack(">BQ", 0x80 | 127, len(data))
        # A mask of zeroes is a mask.
        self.socket.sendall(b"\x81" + size + bytes(4) + data)

    def listen(self):
        while head := self.stream.read(2):
            size = head[1]
            if size >= 126:
                size = int.from_bytes(self.stream.read(2 if size == 126 else 8),
                                      "big")
            data = self.stream.read(size)
            if head[0] == 0x81:
                self.messages.append(json.loads(data))

    def call(self, method, params):
        self.last_id += 1
        self.send({"id": self.last_id, "method": method, "params": params})
        return self.last_id

    def propose(self, path, text):
        return self.call("tools/call", {"name": "openDiff", "arguments": {
            "old_file_path": str(path), "new_file_path": str(path),
            "new_file_contents": text, "tab_name": f"tab of {path}"}})

    def answer(self, id):
        return until(lambda: next((m for m in self.messages
                                   if m.get("id") == id), None), "an answer")

    def verdict(self, id):
        """The texts of the answer to openDiff."""
        return [c["text"] for c in self.answer(id)["result"]["content"]]

    def notified(self, method):
        return until(lambda: next((m["params"] for m in self.messages
                                   if m.get("method") == method), None), method)

    def leave(self):
        """Be gone at once, as a CLI that is killed."""
        self.socket.shutdown(socket.SHUT_RDWR)

    def close(self):
        try:
            # The thread that listens holds the socket open otherwise.
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:  # closed before
            pass
        self.socket.close()


class Relay:
    """An MCP client that started `dovetail mcp`."""

    def __init__(self, world, *args, cwd=None, **env):
        self.process = subprocess.Popen(
            [world.program, "mcp", *map(str, args)], cwd=cwd or world.project,
            env=world.env | env, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.messages = []
        self.last_id = 0
        self.is_reading = threading.Event()
        self.is_reading.set()
        self.reader = threading.Thread(target=self.listen, daemon=True)
        self.reader.start()

    def listen(self):
        for line in self.process.stdout:
            self.is_reading.wait()
            self.messages.append(json.loads(line))

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        self.write(json.dumps({"jsonrpc": "2.0"} | message).encode() + b"\n")

    def call(self, method, params=None):
        self.last_id += 1
        self.send({"id": self.last_id, "method": method} |
                  ({} if params is None else {"params": params}))
        return self.last_id

    def answer(self, id):
        return until(lambda: next((m for m in self.messages if "method" not in m
                                   and m.get("id") == id), None), "an answer")

    def ask(self, method, params=None):
        return self.answer(self.call(method, params))

    def shake(self, **capabilities):
        answer = self.ask("initialize", {
            "protocolVersion": "2025-06-18", "capabilities": capabilities,
            "clientInfo": {"name": "tester", "version": "1"}})
        self.send({"method": "notifications/initialized"})
        return answer["result"]

    def end(self):
        """The exit code after the end of its input, and how long it took."""
        start = time.monotonic()
        self.process.stdin.close()
        code = self.process.wait(timeout=LIMIT)
        took = time.monotonic() - start
        self.reader.join()
        self.errors = self.process.stderr.read().decode()
        self.process.stdout.close()
        self.process.stderr.close()
        return code, took


class Terminal:
    """A dovetail command with a person before it."""

    def __init__(self, world, *args, **env):
        self.fd, slave = pty.openpty()
        self.command = Command([world.program, *args], world.project,
                               world.env | env, stdin=slave, stdout=slave,
                               stderr=slave, is_tty=True)
        os.close(slave)
        self.pid = self.command.pid
        self.screen = ""

    def read(self):
        ready, _, _ = select.select([self.fd], [], [], 0.05)
        try:
            data = os.read(self.fd, 65536) if ready else b""
        except OSError:  # how Linux says that the other end is closed
            data = b""
        self.screen += data.decode(errors="replace").replace("\r\n", "\n")

    def expect(self, text):
        """Wait for a text; what comes before it, without colours.  The next one
        begins behind it."""
        def seen():
            self.read()
            return text in self.screen
        try:
            until(seen, repr(text))
        except AssertionError as error:
            raise AssertionError(f"{error} on {self.screen!r}") from None
        before, _, self.screen = self.screen.partition(text)
        before = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", before)
        print(before + text)
        return before

    def type(self, keys):
        time.sleep(0.2)  # keys typed before the question do not count
        os.write(self.fd, keys.encode())

    def resize(self, rows, columns):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ,
                    struct.pack("HHHH", rows, columns, 0, 0))

    def signal(self, number):
        os.kill(self.pid, number)

    def is_usual(self):
        """Whether the terminal echoes and edits lines as before."""
        flags = termios.tcgetattr(self.fd)[3]
        return bool(flags & termios.ECHO and flags & termios.ICANON)

    def ended(self):
        """The exit code, once it has ended."""
        def over():
            self.read()
            return self.command.poll()
        return until(over, "the end of the command")
