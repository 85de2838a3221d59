"""Bad input made from good: frames, heads and messages with a few faults."""
import base64
import json
import re
import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "script"))
from world import (CLOSE, PING, TEXT, TOKEN_HEADER, frame,  # noqa: E402
                   request_head)

SCRIPTS = Path(__file__).resolve().parent.parent / "script/claude-code"
PIECES = (b"\0", b"\xff", b"\r\n", b"\n", b":", b" ", b"\t", b",", b'"', b"{",
          b"}", b"[", b"]", b"\\", b"\\u0000", b"\\ud800", b"1e999", b"-0",
          b"null", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80",
          b"99999999999999999999", b"Transfer-Encoding: chunked\r\n",
          b"Content-Length: 5\r\n", b"Content-Length: -1\r\n", b"\x88\x00",
          b"\x81\xfe\xff\xff", b"\x81\xff" + b"\x7f" * 8, b"\x09\x80",
          b"A" * 300, b"[" * 600, b'{"a":' * 600)


def mutate(random, data):
    """The data with one to four faults."""
    data = bytearray(data)
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        at = random.randrange(len(data) + 1)
        kind = random.randrange(6)
        if kind == 0 and at < len(data):
            data[at] ^= 1 << random.randrange(8)
        elif kind == 1 and at < len(data):
            data[at] = random.randrange(256)
        elif kind == 2:
            data[at:at] = random.choice(PIECES)
        elif kind == 3:
            del data[at:at + random.randrange(1, 20)]
        elif kind == 4:
            data[at:at] = data[at:at + random.randrange(1, 40)]
        elif random.random() < 0.2:
            del data[at:]
    return bytes(data)


def lines(who, world):
    """All that is sent in the transcripts by `who`, with real paths."""
    found = []
    for path in sorted(SCRIPTS.glob("*.txt")):
        for text in re.findall(rf"^{who}\d*> ([^@].*)$", path.read_text(),
                               re.M):
            text = text.replace("$WS", str(world.ws))
            found.append(re.sub(r"\$[A-Za-z]\w*", "/tmp/none", text).encode())
    return found


def messages(random, world):
    """JSON messages of agents, for ever: bytes broken, and values changed."""
    good = lines("agent", world)
    values = [7, -1, 0.5, "", "x" * 1000, None, True, [], {}, [[]], "/etc",
              {"a": {"b": []}}, "file:///%zz", "\0", "../..", 1 << 70]
    while True:
        text = random.choice(good)
        if random.random() < 0.5:
            yield mutate(random, text)
            continue
        try:
            message = json.loads(text)
        except ValueError:
            continue
        if isinstance(message, dict):
            change_value(random, message, values)
        yield json.dumps(message, ensure_ascii=random.random() < 0.5).encode()


def change_value(random, node, values):
    """Put another value somewhere into an object, or take one out."""
    while True:
        key = random.choice(list(node) or ["new"])
        if isinstance(node.get(key), dict) and random.random() < 0.7:
            node = node[key]
            continue
        if random.random() < 0.15:
            node.pop(key, None)
        else:
            node[key] = random.choice(values)
        return


def commands(random, world):
    """Lines for the control socket.  Nothing that would end the daemon, and
    nothing that would make it serve other folders."""
    good = lines("control", world)
    while True:
        text = mutate(random, random.choice(good)).replace(b"\n", b" ")
        if b"stop" not in text and b"workspace/open" not in text:
            yield text


def frames(random, world):
    """What a client may send behind its handshake, with faults."""
    texts = lines("agent", world)

    def make(opcode, payload, final=True):
        return frame(opcode, payload, final, random.randbytes(4))

    while True:
        text = random.choice(texts)
        half = len(text) // 2
        good = random.choice((
            make(TEXT, text),
            make(TEXT, text[:half], False) + make(PING, b"x")
            + make(0, text[half:]),
            make(PING, b"p" * random.randrange(126)),
            make(CLOSE, struct.pack(">H", random.randrange(65536)) + b"bye"),
            make(TEXT, b"\xc3\xa9" * random.randrange(40000)),
            make(random.randrange(16), text[:100]),
        ))
        yield mutate(random, good)


def heads(random, world):
    """Requests for a WebSocket, and for other things, with faults."""
    while True:
        headers = {"Sec-WebSocket-Key": base64.b64encode(
            random.randbytes(16)).decode()}
        if random.random() < 0.7:
            headers[TOKEN_HEADER] = world.token
        text, _ = request_head(world.port, headers)
        good = random.choice((
            text, text, text.replace("GET", "POST").replace(
                "\r\n\r\n", "\r\nContent-Length: 4\r\n\r\nbody"),
            text.replace("GET", "POST").replace(
                "\r\n\r\n", "\r\nTransfer-Encoding: chunked\r\n\r\n"
                "4\r\nbody\r\n0\r\n\r\n"),
            "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * 3,
        ))
        yield mutate(random, good.encode())
