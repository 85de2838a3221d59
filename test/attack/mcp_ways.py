"""MCP clients that ask and wait, one for each carrier: stdio, HTTP, WebSocket.

Each has ask(method, params), which returns the whole message as text, because a
secret may be anywhere in it, and close().
"""
import base64
import http.client
import itertools
import json
import os
import socket
import subprocess

HELLO = {"protocolVersion": "2025-06-18", "capabilities": {},
         "clientInfo": {"name": "attacker", "version": "1"}}
SECONDS = 30


def door(w):
    """(port, token) of the workspace."""
    for path in (w.top / "state/dovetail/workspaces").glob("*.json"):
        record = json.loads(path.read_text())
        return record["port"], record["token"]
    raise AssertionError("no workspace is served")


class Stdio:
    way = "stdio"

    def __init__(self, w):
        self.process = subprocess.Popen(
            [w.program, "mcp"], cwd=w.project, env=w.env,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.ids = itertools.count(1)
        self.ask("initialize", HELLO)
        self.write({"method": "notifications/initialized"})

    def write(self, message):
        line = json.dumps({"jsonrpc": "2.0"} | message) + "\n"
        self.process.stdin.write(line.encode())
        self.process.stdin.flush()

    def read(self):
        return self.process.stdout.readline().decode()

    def ask(self, method, params):
        number = next(self.ids)
        self.write({"id": number, "method": method, "params": params})
        while text := self.read():
            message = json.loads(text)
            if message.get("id") == number and "method" not in message:
                return text
        raise AssertionError("the other end is gone")

    def tool(self, name, **arguments):
        return self.ask("tools/call", {"name": name, "arguments": arguments})

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=SECONDS)
        self.process.stdout.close()


class WebSocket(Stdio):
    way = "ws"

    def __init__(self, w):
        port, token = door(w)
        self.socket = socket.create_connection(("127.0.0.1", port), SECONDS)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            (f"GET /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
             "Upgrade: websocket\r\nConnection: Upgrade\r\n"
             f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"
             "Sec-WebSocket-Protocol: mcp\r\n"
             f"Authorization: Bearer {token}\r\n\r\n").encode())
        self.stream = self.socket.makefile("rb")
        while self.stream.readline().strip():
            pass
        self.ids = itertools.count(1)
        self.ask("initialize", HELLO)
        self.write({"method": "notifications/initialized"})

    def write(self, message):
        data = json.dumps({"jsonrpc": "2.0"} | message).encode()
        size = (bytes([0x80 | len(data)]) if len(data) < 126 else
                bytes([0x80 | 126]) + len(data).to_bytes(2, "big"))
        # A mask of zeroes is a mask.
        self.socket.sendall(b"\x81" + size + bytes(4) + data)

    def read(self):
        while head := self.stream.read(2):
            size = head[1]
            if size >= 126:
                size = int.from_bytes(
                    self.stream.read(2 if size == 126 else 8), "big")
            data = self.stream.read(size)
            if head[0] == 0x81:
                return data.decode()
        return ""

    def close(self):
        self.stream.close()
        self.socket.close()


class Http(Stdio):
    way = "http"

    def __init__(self, w):
        self.port, token = door(w)
        self.link = http.client.HTTPConnection("127.0.0.1", self.port,
                                               timeout=SECONDS)
        self.head = {"Authorization": f"Bearer {token}",
                     "Content-Type": "application/json",
                     "Accept": "application/json, text/event-stream"}
        self.ids = itertools.count(1)
        self.ask("initialize", HELLO)
        self.post({"method": "notifications/initialized"})

    def post(self, message):
        body = json.dumps({"jsonrpc": "2.0"} | message)
        self.link.request("POST", "/mcp", body, self.head)
        answer = self.link.getresponse()
        text = answer.read().decode()
        session = answer.getheader("Mcp-Session-Id")
        if session:
            self.head["Mcp-Session-Id"] = session
        assert answer.status in (200, 202), (answer.status, text)
        return text

    def ask(self, method, params):
        number = next(self.ids)
        return self.post({"id": number, "method": method, "params": params})

    def close(self):
        self.link.close()


WAYS = (Stdio, Http, WebSocket)
