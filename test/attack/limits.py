"""No input makes us large or slow: clients that ask and do not read.

Memory is judged with the real program only; a sanitizer keeps what was freed.
"""
import json
import os
import re
import socket
import subprocess
import time
from pathlib import Path

from attempts import attempt
from world import Relay, until

PROMISE = "not large or slow"
MIB = 1 << 20
CLIENTS = 64
REQUESTS = 195  # below limits.requests_a_minute
ALLOWED = 64 * MIB  # above idle
SLOWEST = 2.0  # seconds for one call of another agent, at the worst


# what is there

def daemon_pid(w):
    return json.loads(w.good("status", "--json"))["pid"]


def is_sanitized(w):
    return b"__asan_init" in Path(w.program).read_bytes()


def memory(pid):
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) * 1024


def place_of(w):
    lock = until(lambda: next(iter(
        (w.top / "home/.claude/ide").glob("*.lock")), None), "a lock")
    return int(lock.stem), json.loads(lock.read_text())["authToken"]


def begin(w, sessions=CLIENTS + 2):
    (w.top / "config/dovetail").mkdir(exist_ok=True)
    (w.top / "config/dovetail/dovetail.conf").write_text(
        f"[limits]\nsessions = {sessions}\n")
    w.good("start")
    big = w.file("big.txt", ("x" * 79 + "\n") * 7500)  # 600 KB
    return f"file://{big}"


def reading(uri, number):
    return json.dumps({"jsonrpc": "2.0", "id": number,
                       "method": "resources/read",
                       "params": {"uri": uri}}).encode()


INITIALIZE = json.dumps({
    "jsonrpc": "2.0", "id": "i", "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": {"name": "deaf", "version": "1"}}}).encode()


# clients that do not read

def frame(data):
    """A text of a client; a mask of zeroes is a mask."""
    size = bytes([0x80 | len(data)]) if len(data) < 126 else \
        b"\xfe" + len(data).to_bytes(2, "big")
    return b"\x81" + size + bytes(4) + data


class Deaf:
    """Sends without waiting, and never reads what comes back."""

    def __init__(self, sock):
        self.sock = sock
        self.sock.setblocking(False)
        self.left = b""

    def push(self):
        """Send what goes; False when the other side has hung up."""
        try:
            while self.left:
                self.left = self.left[self.sock.send(self.left):]
        except BlockingIOError:
            pass
        except OSError:
            return False
        return True

    def close(self):
        self.sock.close()


def deaf_ws(w, uri):
    port, token = place_of(w)
    sock = socket.create_connection(("127.0.0.1", port))
    sock.sendall((f"GET /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
                  "Upgrade: websocket\r\nConnection: Upgrade\r\n"
                  "Sec-WebSocket-Version: 13\r\n"
                  "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
                  f"Authorization: Bearer {token}\r\n\r\n").encode())
    assert sock.recv(12) == b"HTTP/1.1 101"
    client = Deaf(sock)
    client.left = frame(INITIALIZE) + b"".join(
        frame(reading(uri, n)) for n in range(REQUESTS))
    return client


def post(port, token, body, *headers):
    lines = [f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}",
             f"Authorization: Bearer {token}",
             "Content-Type: application/json",
             "Accept: application/json, text/event-stream",
             *headers, f"Content-Length: {len(body)}", "\r\n"]
    return "\r\n".join(lines).encode() + body


def deaf_http(w, uri):
    """One session, its requests sent one after the other on a connection."""
    port, token = place_of(w)
    sock = socket.create_connection(("127.0.0.1", port))
    sock.sendall(post(port, token, INITIALIZE))
    head = b""
    while b"\r\n\r\n" not in head:
        head += sock.recv(65536)
    session = re.search(rb"(?i)mcp-session-id: (\S+)", head)[1].decode()
    client = Deaf(sock)
    client.left = b"".join(
        post(port, token, reading(uri, n), f"Mcp-Session-Id: {session}")
        for n in range(REQUESTS))
    return client


class DeafRelay(Deaf):
    """`dovetail mcp` whose client does not read."""

    def __init__(self, w):
        self.process = subprocess.Popen(
            [w.program, "mcp"], cwd=w.project, env=w.env,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL)
        os.set_blocking(self.process.stdin.fileno(), False)
        self.left = b""

    def push(self):
        try:
            while self.left:
                sent = os.write(self.process.stdin.fileno(), self.left)
                self.left = self.left[sent:]
        except BlockingIOError:
            pass
        except OSError:
            return False
        return True

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


def deaf_stdio(w, uri):
    client = DeafRelay(w)
    client.left = INITIALIZE + b"\n" + b"".join(
        reading(uri, n) + b"\n" for n in range(REQUESTS))
    return client


class Command(Deaf):
    """A command of the person's that does not read."""

    def __init__(self, w):
        sock = socket.socket(socket.AF_UNIX)
        sock.connect(str(w.top / "run/dovetail/control.sock"))
        super().__init__(sock)


def deaf_command(w, uri):
    del uri
    client = Command(w)
    hello = {"jsonrpc": "2.0", "id": "h", "method": "hello",
             "params": {"protocol": 1}}
    client.left = json.dumps(hello).encode() + b"\n" + b"".join(
        json.dumps({"jsonrpc": "2.0", "id": n, "method": "metrics"}).encode()
        + b"\n" for n in range(20 * REQUESTS))
    return client


# the measure

def time_call(agent):
    start = time.monotonic()
    number = agent.call("tools/call", {"name": "getOpenEditors",
                                       "arguments": {}})
    end = start + 15
    while not any(m.get("id") == number for m in agent.messages):
        assert time.monotonic() < end, "another agent waits for ever"
        time.sleep(0.001)
    agent.messages.clear()
    return time.monotonic() - start


def time_status(w):
    start = time.monotonic()
    subprocess.run([w.program, "status"], cwd=w.project, env=w.env,
                   stdout=subprocess.DEVNULL, timeout=60, check=True)
    return time.monotonic() - start


def p95(times):
    return sorted(times)[(len(times) - 1) * 95 // 100] * 1000


def press(w, make, count=CLIENTS, seconds=6):
    """So many clients that never read, and another agent meanwhile."""
    uri = begin(w, count + 2)
    good = w.agent()
    for _ in range(20):  # it works here, and is known to read
        time_call(good)
    pid = daemon_pid(w)
    idle = most = memory(pid)
    clients = [make(w, uri) for _ in range(count)]
    calls, statuses = [], []
    try:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for client in clients:
                client.push()
            calls.append(time_call(good))
            most = max(most, memory(pid))
            if len(calls) % 10 == 1:
                statuses.append(time_status(w))
        most = max(most, memory(pid))
    finally:
        for client in clients:
            client.close()
    assert daemon_pid(w) == pid, "the daemon was started again"
    grown = (most - idle) / MIB
    said = (f"{grown:.1f} MiB more; another agent's call: p95 "
            f"{p95(calls):.1f} ms, slowest {max(calls) * 1000:.0f} ms; "
            f"status: p95 {p95(statuses):.0f} ms, slowest "
            f"{max(statuses) * 1000:.0f} ms")
    if is_sanitized(w):
        return said
    assert most - idle <= ALLOWED, said
    assert max(calls) < SLOWEST and max(statuses) < SLOWEST, said
    return said


def count_cuts(w):
    log = (w.top / "state/dovetail/dovetail.log").read_text()
    return log.count("that does not read was cut")


@attempt(PROMISE, "ws")
def websockets_that_never_read(w):
    said = press(w, deaf_ws)
    # With sanitizers it is too slow to fill its budget in that time.
    assert is_sanitized(w) or count_cuts(w), "nobody was cut"
    return f"{said}; {count_cuts(w)} were cut"


@attempt(PROMISE, "http")
def pipelined_posts_that_never_read(w):
    return press(w, deaf_http)


@attempt(PROMISE, "stdio")
def relays_that_never_read(w):
    return press(w, deaf_stdio)


@attempt(PROMISE, "control")
def commands_that_never_read(w):
    return press(w, deaf_command, 60)


@attempt(PROMISE, "stdio")
def a_result_above_the_whole_budget(w):
    uri = begin(w)
    (w.top / "config/dovetail/dovetail.conf").write_text(
        "[limits]\noutput_mib = 1\n")
    w.file("big.txt", "\x01" * (1 << 20))  # 6 MiB in JSON
    w.good("reload")
    relay = Relay(w)
    relay.shake()
    for _ in range(5):
        answer = relay.ask("resources/read", {"uri": uri})
        size = len(answer["result"]["contents"][0]["text"])
        assert size == 1 << 20, f"{size} bytes"
    relay.end()
    return "passes alone, again and again"


# connections

def is_open(sock):
    sock.setblocking(False)
    try:
        return sock.recv(1) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False


@attempt(PROMISE, "http")
def strangers_take_no_room(w):
    w.good("start")
    good = w.agent()
    port, _ = place_of(w)
    strangers = [socket.create_connection(("127.0.0.1", port))
                 for _ in range(600)]
    time.sleep(0.2)
    late = w.agent()  # one more with the token comes in, the oldest go
    assert time_call(good) < SLOWEST and time_call(late) < SLOWEST
    count = sum(map(is_open, strangers))
    for sock in strangers:
        sock.close()
    assert count <= 64, f"{count} without the token are kept"
    return f"{count} of 600 are kept, agents come and go"


@attempt(PROMISE, "control")
def many_idle_commands(w):
    w.good("start")
    pid = daemon_pid(w)
    socks = [Command(w).sock for _ in range(400)]
    took = time_status(w)
    count = len(os.listdir(f"/proc/{pid}/fd"))
    for sock in socks:
        sock.close()
    # 256 of them, each with a handle of its process.
    assert count < 600, f"{count} descriptors"
    return f"the oldest go, status took {took * 1000:.0f} ms"


@attempt(PROMISE, "control")
def many_waiting_commands(w):
    w.good("start")
    hello = {"jsonrpc": "2.0", "id": 0, "method": "hello",
             "params": {"protocol": 1}}
    wait = {"jsonrpc": "2.0", "id": 1, "method": "review/wait"}
    socks = []
    for _ in range(256):
        client = Command(w)
        client.left = f"{json.dumps(hello)}\n{json.dumps(wait)}\n".encode()
        client.push()
        socks.append(client)
    time.sleep(0.3)
    code, _, err = w.run("status")
    for sock in socks:
        sock.close()
    if code == 0:
        raise AssertionError("they do not wait")
    assert "too many commands" in err, err
    until(lambda: w.run("status")[0] == 0, "room again")
    return "one more is told so"
