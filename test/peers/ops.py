#!/usr/bin/python3
"""ops.py BUILD - what an operator's programs ask, by programs that are not ours:
Python's HTTP client, curl, and the reader of Prometheus' own library."""
import http.client
import json
import os
import subprocess
import sys
import time
from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families as parse

BUILD = sys.argv[1]
LOCKS = Path(os.environ["HOME"]) / ".claude/ide"
PATHS = ("/health", "/ready", "/status", "/metrics", "/events")
failed = False


def until(ready, what):
    end = time.monotonic() + 20
    while time.monotonic() < end:
        if found := ready():
            return found
        time.sleep(0.05)
    raise AssertionError(f"waited in vain for {what}")


class Daemon:
    def __init__(self):
        self.project = Path(os.environ["TMPDIR"]) / "ops \"project\""
        self.project.mkdir()
        self.process = subprocess.Popen(
            [f"{BUILD}/dovetail", "serve", "--workspace", self.project],
            stdout=subprocess.DEVNULL)
        self.port, self.token = until(self.find, "a lock")
        until(lambda: self.ask("/ready", token=None)[0] == 200, "the daemon")

    def find(self):
        """Port and token of ours: a daemon before us may not have ended."""
        for lock in LOCKS.glob("*.lock"):
            try:
                said = json.loads(lock.read_text())
            except FileNotFoundError:
                continue
            if said["workspaceFolders"] == [str(self.project)]:
                return int(lock.stem), said["authToken"]

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)

    def headers(self, token, more):
        auth = {"Authorization": f"Bearer {token}"} if token else {}
        return auth | more

    def ask(self, path, method="GET", token="", body=None, **more):
        """(status, headers, body); the daemon's token unless told."""
        token = self.token if token == "" else token
        link = self.connect()
        link.request(method, path, body=body,
                     headers=self.headers(token, more))
        answer = link.getresponse()
        body = answer.read()
        link.close()
        return answer.status, answer.headers, body

    def subscribe(self, **more):
        link = self.connect()
        link.request("GET", "/events", headers=self.headers(self.token, more))
        return link.getresponse()

    def stop(self):
        self.process.terminate()
        assert self.process.wait(20) == 0


def trial(name, run):
    global failed
    try:
        run()
        print(f"ok ops: {name}", flush=True)
    except Exception as error:
        failed = True
        print(f"not ok ops: {name}: {error!r}", flush=True)


def health():
    for path in ("/health", "/ready"):
        status, headers, body = daemon.ask(path, token=None)
        assert status == 200, status
        assert headers["Content-Type"] == "application/json"
        assert headers["Cache-Control"] == "no-store"
        said = json.loads(body)
        assert set(said) == {"status", "version"} and said["status"] == "ok"


def tokens():
    for path in PATHS[2:]:
        for token in (None, "wrong", daemon.token + "0"):
            status, headers, _ = daemon.ask(path, token=token)
            assert status == 401, (path, status)
            assert headers["WWW-Authenticate"].startswith("Bearer")
    status, _, _ = daemon.ask("/status", token=None, **{
        "X-Claude-Code-Ide-Authorization": daemon.token})
    assert status == 200, status


def places():
    for path in (*PATHS, "/none"):
        for name, value in (("Host", "evil.example"), ("Origin", "http://x"),
                            ("Origin", "null"),
                            ("Host", f"127.0.0.1.evil:{daemon.port}")):
            status, _, _ = daemon.ask(path, **{name: value})
            assert status == 403, (path, name, value, status)
    assert daemon.ask("/none")[0] == 404
    assert daemon.ask("/statusx")[0] == 404
    assert daemon.ask("/status?x=1")[0] == 200


def methods():
    for path in PATHS:
        for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS"):
            status, headers, _ = daemon.ask(path, method, body=b"x")
            assert status == 405, (path, method, status)
            assert headers["Allow"] == "GET, HEAD"
        status, headers, body = daemon.ask(path, "HEAD")
        assert (status, body) == (200, b""), (path, status, body)


def curl(*args):
    return subprocess.run(
        ["curl", "-sS", "--max-time", "20",
         "-H", f"Authorization: Bearer {daemon.token}", *args],
        capture_output=True, text=True, check=True).stdout


def with_curl():
    url = f"http://localhost:{daemon.port}"
    assert json.loads(curl(f"{url}/health"))["status"] == "ok"
    assert json.loads(curl(f"{url}/status"))["activeSessions"] == 0
    # One connection for several questions.
    out = curl("-w", "%{num_connects}\n", f"{url}/health", f"{url}/status")
    assert [line for line in out.split("\n") if line in "01"][:2] == ["1", "0"]


def status():
    said = json.loads(daemon.ask("/status")[2])
    assert said["workspaceFolders"] == [str(daemon.project)]
    assert said["editors"] == [{"name": "headless",
                                "circuitBreaker": "closed"}]
    assert said["reviewsWaiting"] == 0 and said["uptimeSeconds"] >= 0


def call_tools(count):
    import asyncio
    import websockets

    async def talk():
        async with websockets.connect(
                f"ws://127.0.0.1:{daemon.port}/", extra_headers={
                    "x-claude-code-ide-authorization": daemon.token}) as ws:
            async def ask(id, method, params):
                await ws.send(json.dumps({"jsonrpc": "2.0", "id": id,
                                          "method": method, "params": params}))
                return json.loads(await ws.recv())
            await ask(1, "initialize", {
                "protocolVersion": "2025-06-18", "capabilities": {},
                "clientInfo": {"name": "o\"d\\d", "version": "1"}})
            for i in range(count):
                await ask(i + 2, "tools/call", {
                    "name": "getWorkspaceFolders", "arguments": {}})
    asyncio.run(talk())


def check_histogram(samples):
    """As promtool does: counts grow with their bounds up to infinity."""
    buckets = [(float(s.labels["le"]), s.value) for s in samples
               if s.name.endswith("_bucket")]
    counts = [s.value for s in samples if s.name.endswith("_count")]
    sums = [s.value for s in samples if s.name.endswith("_sum")]
    assert buckets == sorted(buckets), buckets
    assert buckets[-1][0] == float("inf") and len(counts) == len(sums) == 1
    assert buckets[-1][1] == counts[0]
    return counts[0]


def metrics():
    call_tools(25)
    code, headers, body = daemon.ask("/metrics")
    assert code == 200
    assert headers["Content-Type"].startswith("text/plain; version=0.0.4")
    text = body.decode()
    assert text.endswith("\n")
    families = {f.name: f for f in parse(text)}
    for line in text.splitlines():
        if line.startswith("# TYPE"):
            _, _, name, kind = line.split(" ")
            assert text.count(f"# TYPE {name} ") == 1, name
            assert text.count(f"# HELP {name} ") == 1, name
            assert (kind == "counter") == name.endswith("_total"), name
    for family in families.values():
        assert family.documentation and family.type != "unknown", family
        for sample in family.samples:
            assert sample.labels.get("workspace", str(daemon.project)) == \
                str(daemon.project), sample
    calls = families["dovetail_calls"].samples
    assert [(s.labels["tool"], s.labels["status"], s.value) for s in calls] \
        == [("getWorkspaceFolders", "done", 25)], calls
    count = check_histogram(families["dovetail_call_duration_seconds"].samples)
    assert count == 25, count
    printed = subprocess.run([f"{BUILD}/dovetail", "metrics"], text=True,
                             capture_output=True, check=True).stdout
    assert {f.name for f in parse(printed)} == set(families)


def read_events(stream, enough):
    """Events until one has this data; as (id, name, data)."""
    events, fields = [], {}
    while line := stream.readline().decode():
        name, _, value = line.rstrip("\n").partition(": ")
        if line != "\n":
            fields[name] = value
        elif "data" in fields:
            data = json.loads(fields["data"])
            assert str(data["id"]) == fields["id"]
            assert data["kind"] == fields["event"]
            events.append(data)
            if enough(data):
                return events
            fields = {}
        else:
            fields = {}
    raise AssertionError("the stream ended")


def events():
    stream = daemon.subscribe()
    assert stream.status == 200
    assert stream.headers["Content-Type"] == "text/event-stream"
    # From now on: nothing of before comes.
    time.sleep(0.5)
    call_tools(2)
    heard = read_events(stream, lambda e: e["what"] == "disconnected")
    assert [e["what"] for e in heard] == [
        "connected", "initialized", "getWorkspaceFolders",
        "getWorkspaceFolders", "disconnected"], heard
    stream.close()
    # And again behind the second of them.
    stream = daemon.subscribe(**{"Last-Event-ID": str(heard[1]["id"])})
    again = read_events(stream, lambda e: e["what"] == "disconnected")
    assert again == heard[2:], again
    stream.close()


def crowd():
    streams = [daemon.subscribe() for _ in range(16)]
    assert all(s.status == 200 for s in streams)
    one_more = daemon.ask("/events")
    assert one_more[0] == 503 and one_more[1]["Retry-After"]
    for stream in streams:
        stream.close()
    until(lambda: b"dovetail_event_subscribers{workspace=" in
          daemon.ask("/metrics")[2] and
          daemon.ask("/metrics")[2].split(b"dovetail_event_subscribers{")[1]
          .split(b"\n")[0].endswith(b" 0"), "readers that left")


daemon = Daemon()
trial("/health and /ready say little, to everybody", health)
trial("the rest needs the token", tokens)
trial("Host and Origin are looked at on every path", places)
trial("GET and HEAD, and nothing else", methods)
trial("curl", with_curl)
trial("/status", status)
trial("/metrics are what Prometheus' library reads", metrics)
trial("/events, from now on and behind a number", events)
trial("/events has only so many readers", crowd)
trial("the daemon ends well", daemon.stop)
sys.exit(failed)
