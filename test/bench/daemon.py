"""The real daemon in a world of its own, and the two ways to talk to it."""
import base64
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "e2e/cli"))
import person  # noqa: E402

INITIALIZE = {"protocolVersion": "2025-06-18", "capabilities": {},
              "clientInfo": {"name": "claude-code", "version": "2.1.325"}}


class World:
    """A home, a run directory and a workspace below one folder."""

    def __init__(self, folder):
        self.home = folder / "home"
        self.workspace = folder / "workspace"
        self.locks = self.home / ".claude/ide"
        self.socket = folder / "run/dovetail/control.sock"
        config = self.home / ".config/dovetail"
        for path in (self.locks, self.workspace, config, folder / "run"):
            path.mkdir(parents=True, mode=0o700)
        (config / "dovetail.conf").write_text(
            "[limits]\nsessions = 500\nrequests_a_minute = 0\n"
            "[mcp]\ngrace_seconds = 0\n[policy]\nallow = silent.txt\n")
        self.env = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8",
                    "HOME": str(self.home),
                    "XDG_RUNTIME_DIR": str(folder / "run")}


class Daemon:
    """`dovetail serve`, from its lock file to its end."""

    def __init__(self, command, world):
        self.world = world
        self.process = subprocess.Popen(
            [*command, "serve", "--workspace", world.workspace], env=world.env,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        lock = wait_for(lambda: next(world.locks.glob("*.lock"), None))
        self.port = int(lock.stem)
        found = json.loads(lock.read_text())
        self.pid = found["pid"]
        self.token = found["authToken"]

    def memory_kib(self, field="VmRSS"):
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(status.split(f"{field}:")[1].split()[0])

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()


class Agent:
    """A WebSocket client that has said initialize."""

    def __init__(self, daemon, path="/"):
        self.socket = socket.create_connection(("127.0.0.1", daemon.port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.file = self.socket.makefile("rb")
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((
            f"GET {path} HTTP/1.1\r\n"
            f"Host: 127.0.0.1:{daemon.port}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Protocol: mcp\r\n"
            f"X-Claude-Code-Ide-Authorization: {daemon.token}\r\n\r\n"
        ).encode())
        status = self.file.readline()
        if b" 101 " not in status:
            raise RuntimeError(f"refused: {status.decode().strip()}")
        while self.file.readline() != b"\r\n":
            pass
        self.send(frame("initialize", INITIALIZE))
        self.receive()

    def send(self, bytes):
        self.socket.sendall(bytes)

    def receive(self):
        return json.loads(self.receive_bytes())

    def receive_bytes(self):
        """The next message; the daemon sends no fragments."""
        opcode, length = self.file.read(2)
        if length == 126:
            length, = struct.unpack("!H", self.file.read(2))
        elif length == 127:
            length, = struct.unpack("!Q", self.file.read(8))
        payload = self.file.read(length)
        return payload if opcode == 0x81 else self.receive_bytes()


class Control:
    """A client of the control socket."""

    def __init__(self, world):
        self.socket = person.connect(world.socket)
        self.file = self.socket.makefile("rb")
        self.call("hello", {"protocol": 1})

    def send(self, method, params):
        message = {"jsonrpc": "2.0", "id": 1, "method": method,
                   "params": params}
        self.socket.sendall(json.dumps(message).encode() + b"\n")

    def receive(self):
        answer = json.loads(self.file.readline())
        if "error" in answer:
            raise RuntimeError(answer["error"]["message"])
        return answer["result"]

    def call(self, method, params):
        self.send(method, params)
        return self.receive()


def frame(method, params):
    """One request as a masked text frame; the mask changes nothing."""
    message = {"method": method, "params": params, "jsonrpc": "2.0", "id": 4}
    payload = json.dumps(message, ensure_ascii=False).encode()
    if len(payload) < 126:
        head = struct.pack("!BB", 0x81, 0x80 | len(payload))
    elif len(payload) < 65536:
        head = struct.pack("!BBH", 0x81, 0xfe, len(payload))
    else:
        head = struct.pack("!BBQ", 0x81, 0xff, len(payload))
    return head + bytes(4) + payload


def wait_for(found, seconds=10):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = found()
        if value:
            return value
        time.sleep(0.005)
    raise RuntimeError("what was waited for did not come")
