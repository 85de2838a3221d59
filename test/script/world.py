"""A daemon in a world of its own, and clients that speak to it.

What is spoken here is written once more, from the specifications and with
nothing but Python's own library, so that a fault of our codecs cannot hide
behind the same fault in the test.
"""
import base64
import hashlib
import json
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "e2e/cli"))
import person  # noqa: E402

PATIENCE = float(os.environ.get("PATIENCE", 10))  # seconds, for anything at all
TOKEN_HEADER = "X-Claude-Code-Ide-Authorization"
GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # RFC 6455 1.3
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
SANITIZERS = re.compile(
    r"(ERROR: \w+Sanitizer|runtime error:|SUMMARY: \w+Sanitizer).*")


class Failed(Exception):
    """What was expected did not happen; the text says what did."""


class Refused(Exception):
    """The answer to a handshake was no."""

    def __init__(self, status, body):
        super().__init__(f"{status}: {body.strip()}")
        self.status, self.body = status, body


class Closed(Exception):
    """The link is closed; `code` is 1006 where no close frame came."""

    def __init__(self, code, reason=""):
        super().__init__(f"closed with {code} {reason}")
        self.code, self.reason = code, reason


def mask(payload, key):
    """RFC 6455 5.3, all bytes at once."""
    size = len(payload)
    pad = (key * (size // 4 + 1))[:size]
    return (int.from_bytes(payload, "big") ^ int.from_bytes(pad, "big")) \
        .to_bytes(size, "big")


def frame(opcode, payload=b"", final=True, key=None):
    """One frame as a client sends it, masked with a key."""
    head = bytes([opcode | (0x80 if final else 0)])
    if len(payload) < 126:
        head += bytes([0x80 | len(payload)])
    elif len(payload) < 65536:
        head += struct.pack(">BH", 0xFE, len(payload))
    else:
        head += struct.pack(">BQ", 0xFF, len(payload))
    key = key or os.urandom(4)
    return head + key + mask(payload, key)


class Buffered:
    """Bytes of a socket by the piece; every wait has an end."""

    def __init__(self, sock):
        self.sock, self.bytes = sock, b""

    def fill(self, deadline):
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError("nothing came in time")
        self.sock.settimeout(left)
        try:
            more = self.sock.recv(1 << 18)
        except (ConnectionResetError, BrokenPipeError):
            more = b""
        if not more:
            raise Closed(1006, "the connection ended")
        self.bytes += more

    def take(self, count, deadline):
        while len(self.bytes) < count:
            self.fill(deadline)
        piece, self.bytes = self.bytes[:count], self.bytes[count:]
        return piece

    def until(self, mark, deadline):
        while mark not in self.bytes:
            self.fill(deadline)
        piece, self.bytes = self.bytes.split(mark, 1)
        return piece


def soon(seconds=None):
    return time.monotonic() + (PATIENCE if seconds is None else seconds)


def dial(port):
    sock = socket.create_connection(("127.0.0.1", port), PATIENCE)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return sock


def request_head(port, headers=(), path="/"):
    """The head of a good handshake, with `headers` over the usual ones."""
    fields = {
        "Host": f"127.0.0.1:{port}", "Connection": "Upgrade",
        "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(),
        "Sec-WebSocket-Protocol": "mcp", **dict(headers)}
    lines = [f"{name}: {value}" for name, value in fields.items()
             if value is not None]
    return f"GET {path} HTTP/1.1\r\n" + "\r\n".join(lines) + "\r\n\r\n", fields


def read_response(stream, deadline):
    """(status, headers, body) of one HTTP response with a Content-Length."""
    head = stream.until(b"\r\n\r\n", deadline).decode("latin-1")
    first, *rest = head.split("\r\n")
    headers = {name.lower(): value.strip() for name, value in
               (line.split(":", 1) for line in rest)}
    body = stream.take(int(headers.get("content-length", 0)), deadline)
    return int(first.split()[1]), headers, body.decode(errors="replace")


class WebSocket:
    """A client's end of a WebSocket."""

    def __init__(self, port, headers=(), path="/", sock=None):
        self.sock = sock or dial(port)
        self.stream = Buffered(self.sock)
        head, fields = request_head(port, headers, path)
        self.sock.sendall(head.encode())
        status, answer, body = read_response(self.stream, soon())
        if status != 101:
            self.sock.close()
            raise Refused(status, body)
        key = fields["Sec-WebSocket-Key"] + GUID
        digest = hashlib.sha1(key.encode()).digest()
        if answer.get("sec-websocket-accept") != \
                base64.b64encode(digest).decode():
            raise Failed("a wrong Sec-WebSocket-Accept")
        self.protocol = answer.get("sec-websocket-protocol")
        self.closed = None
        self.messages, self.pongs = [], 0

    def send(self, text):
        self.send_bytes(frame(TEXT, text.encode()))

    def send_bytes(self, data):
        self.sock.settimeout(PATIENCE)
        self.sock.sendall(data)

    def read_frame(self, deadline):
        first, second = self.stream.take(2, deadline)
        if not first & 0x80 or first & 0x70 or second & 0x80:
            raise Failed("the server's frame is fragmented, reserved or masked")
        size = second & 0x7F
        if size == 126:
            size, = struct.unpack(">H", self.stream.take(2, deadline))
        elif size == 127:
            size, = struct.unpack(">Q", self.stream.take(8, deadline))
        return first & 0x0F, self.stream.take(size, deadline)

    def receive(self, seconds=None):
        """The next message; pings are answered, a close raises Closed."""
        deadline = soon(seconds)
        while not self.messages:
            self.read_one(deadline)
        return self.messages.pop(0)

    def settle(self):
        """All that was sent is read there, and all it has said is here: a
        pong comes behind everything that was said before."""
        before = self.pongs
        try:
            self.send_bytes(frame(PING, b"settle"))
            while self.pongs == before:
                self.read_one(soon())
        except (Closed, ConnectionError):
            pass

    def read_one(self, deadline):
        if self.closed:
            raise self.closed
        try:
            opcode, payload = self.read_frame(deadline)
        except Closed as end:
            self.closed = end
            raise
        if opcode == TEXT:
            self.messages.append(payload.decode())
        elif opcode == PING:
            self.send_bytes(frame(PONG, payload))
        elif opcode == PONG:
            self.pongs += 1
        elif opcode == CLOSE:
            code = struct.unpack(">H", payload[:2])[0] if payload else 1005
            self.closed = Closed(code, payload[2:].decode())
            raise self.closed
        else:
            raise Failed(f"a frame with opcode {opcode}")

    def close(self, code=1000):
        if not self.closed:
            self.send_bytes(frame(CLOSE, struct.pack(">H", code)))
            try:
                while True:
                    self.read_one(soon())
            except Closed:
                pass
        self.sock.close()

    def drop(self):
        """End without a word, and without waiting for what was sent."""
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                             struct.pack("ii", 1, 0))
        self.sock.close()
        self.closed = Closed(1006)


class Lines:
    """A client of the control socket: one message per line."""

    def __init__(self, path, is_person):
        if is_person:
            self.sock = person.connect(path)
        else:
            self.sock = socket.socket(socket.AF_UNIX)
            self.sock.connect(path)
        self.sock.settimeout(PATIENCE)
        self.stream = Buffered(self.sock)

    def send(self, text):
        self.sock.sendall(text.encode() + b"\n")

    def receive(self, seconds=None):
        return self.stream.until(b"\n", soon(seconds)).decode()

    def settle(self):
        """Nothing comes here but what was asked for."""

    @property
    def messages(self):
        return [self.stream.bytes.decode()] if self.stream.bytes else []

    def close(self):
        self.sock.close()

    drop = close

    def call(self, method, **params):
        self.send(json.dumps({"jsonrpc": "2.0", "id": method, "method": method,
                              "params": params}))
        answer = json.loads(self.receive())
        if "error" in answer:
            raise Failed(answer["error"]["message"])
        return answer["result"]


class World:
    """A home, a workspace and a daemon, apart from everything else."""

    def __init__(self, dovetail, under=()):
        # Short, because the path of a Unix socket ends at 107 bytes.
        self.top = Path(tempfile.mkdtemp(prefix="dt-", dir="/tmp")).resolve()
        self.dovetail, self.under = str(Path(dovetail).resolve()), list(under)
        self.home, self.ws = self.top / "home", self.top / "ws"
        self.env = {**os.environ, "HOME": str(self.home),
                    "XDG_RUNTIME_DIR": str(self.top / "run"),
                    "XDG_STATE_HOME": str(self.top / "state"),
                    "XDG_CONFIG_HOME": str(self.top / "config"),
                    "TMPDIR": str(self.top), "PAGER": "cat", "NO_COLOR": "1"}
        for name in ("CLAUDE_CONFIG_DIR", "CLAUDECODE"):
            self.env.pop(name, None)
        self.log = self.top / "daemon.log"
        self.process = None
        for folder in (self.home, self.ws, self.top / "run"):
            folder.mkdir(mode=0o700)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        shutil.rmtree(self.top, ignore_errors=True)

    def start(self, *options):
        """Serve the workspace; returns when an agent could connect."""
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [*self.under, self.dovetail, "serve", "--workspace", self.ws,
                 *options], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                cwd=self.ws, env=self.env, start_new_session=True)
        deadline = soon(6 * PATIENCE)
        while "serving" not in self.log_text():
            if self.process.poll() is not None:
                raise Failed(f"the daemon did not start:\n{self.log_text()}")
            if time.monotonic() > deadline:
                raise Failed(f"the daemon hangs:\n{self.log_text()}")
            time.sleep(0.01)
        self.read_lock()

    def read_lock(self):
        path, = (self.home / ".claude/ide").glob("*.lock")
        self.port = int(path.stem)
        self.token = json.loads(path.read_text())["authToken"]

    def stop(self):
        """End the daemon as a person does; it must end well."""
        self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(6 * PATIENCE)
        except subprocess.TimeoutExpired:
            raise Failed("the daemon does not stop") from None
        self.check_log()
        if status:
            raise Failed(f"the daemon's exit status is {status}:\n"
                         + self.log_text()[-2000:])
        if list((self.home / ".claude/ide").glob("*")):
            raise Failed("the daemon left its lock file")

    def log_text(self):
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def check_log(self):
        """What a sanitizer found, or a crash that was mended by a restart."""
        text = self.log_text()
        found = SANITIZERS.search(text)
        if found or "died of signal" in text:
            raise Failed((found.group() if found else "a crash") + "\n" + text)

    def agent(self, path="/", token=None, **headers):
        return WebSocket(self.port, {
            TOKEN_HEADER: self.token if token is None else token,
            **headers}, path)

    def control(self, is_person=True):
        return Lines(str(self.top / "run/dovetail/control.sock"), is_person)

    def child(self, *args):
        """A command of the agents, which all are this very process."""
        return subprocess.run(
            [self.dovetail, *args], cwd=self.ws, env=self.env, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, timeout=3 * PATIENCE)

    def person(self, *args):
        """A command in the workspace; the daemon's wrapper is not for it."""
        command = person.Command([self.dovetail, *args], self.ws, self.env,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        out, err = command.communicate(timeout=3 * PATIENCE)
        return subprocess.CompletedProcess(args, command.returncode,
                                           out + err)
