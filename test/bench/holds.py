#!/usr/bin/env python3
"""How long another agent's call waits while edits of 50 MB pass by.

    test/bench/holds.py [--mib N] [--rounds N]

An edit of a file of N MiB (default 50) is proposed, shown, accepted and written,
through MCP and through the hook; meanwhile a process of its own calls a tool of
the same daemon as fast as it is answered.  Printed are its slowest call and its
99th percentile among those that began while each step was under way, and how
long the loop was busy, its idle share for the probe's own calls included.  BUILD
is where the programs are.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True
from daemon import Agent, Control, Daemon, World, frame
from measure import DOVETAIL, on_core

TARGET_MS = 50
MIB = 1 << 20


def probe(port, token):
    """In a process of its own: when each call began and how long it took."""
    class Place:
        pass
    place = Place()
    place.port, place.token = port, token
    agent = Agent(place)
    question = frame("tools/call", {"name": "getOpenEditors", "arguments": {}})
    print("ready", flush=True)
    while True:
        began = time.monotonic()
        agent.send(question)
        agent.receive()
        took = time.monotonic() - began
        print(f"{began:.6f} {took:.6f}")
        time.sleep(0.002)


class Probe:
    def __init__(self, daemon, folder):
        self.path = folder / "probe.txt"
        self.process = subprocess.Popen(
            on_core(0, [sys.executable, "-u", __file__, "--probe",
                        str(daemon.port), daemon.token]),
            stdout=open(self.path, "w"))
        while "ready" not in self.path.read_text():
            time.sleep(0.05)

    def stop(self):
        self.process.terminate()
        self.process.wait()
        rows = [line.split() for line in
                self.path.read_text().splitlines()[1:-1]]
        return [(float(a), float(b)) for a, b in rows]


class Relay:
    """`dovetail mcp`, the client of which is us."""

    def __init__(self, world):
        self.process = subprocess.Popen(
            # The shell is the agent then, and who decides is none of it.
            ["sh", "-c", '"$0" mcp --workspace "$1"; exit', DOVETAIL,
             world.workspace], env=world.env,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.ask("initialize", {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "bench", "version": "1"}})
        self.tell({"method": "notifications/initialized"})

    def tell(self, message):
        line = json.dumps({"jsonrpc": "2.0"} | message, ensure_ascii=False)
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def send(self, method, params):
        self.tell({"id": 1, "method": method, "params": params})

    def answer(self):
        for line in self.process.stdout:
            message = json.loads(line)
            if message.get("id") == 1 and "method" not in message:
                return message
        raise RuntimeError("dovetail mcp has ended")

    def ask(self, method, params):
        self.send(method, params)
        return self.answer()

    def stop(self):
        self.process.stdin.close()
        self.process.wait()


def text_of(mib, word):
    line = f"a line of text, of a size that is usual, {word} %08d\n"
    count = mib * MIB // len(line % 0)
    return "".join(line % i for i in range(count))


def edited(text):
    """Every hundredth line is another."""
    lines = text.split("\n")
    for i in range(0, len(lines) - 1, 100):
        lines[i] = "changed " + lines[i]
    return "\n".join(lines)


class Steps:
    """What was done when, and how long the loop of the daemon was busy: that
    does not depend on what else the machine does."""

    def __init__(self, pid):
        self.rows = []
        self.path = Path(f"/proc/{pid}/task/{pid}/schedstat")

    def busy(self):
        return int(self.path.read_text().split()[0]) / 1e6

    def time(self, name, function):
        began, busy = time.monotonic(), self.busy()
        result = function()
        time.sleep(0.1)
        self.rows.append((name, began, time.monotonic(), self.busy() - busy))
        return result


class Person:
    """Decides by the control socket, as our commands do; these would read the
    texts into messages of their own, which have a limit."""

    def __init__(self, world):
        self.control = Control(world)
        self.control.socket.settimeout(60)

    def wait(self):
        """The id of the review that waits."""
        end = time.monotonic() + 30
        while time.monotonic() < end:
            reviews = self.list()["reviews"]
            if reviews:
                return reviews[0]["id"]
            time.sleep(0.05)
        raise RuntimeError("no review waits")

    def list(self, **options):
        return self.control.call("review/list", options)

    def show(self, id):
        self.control.send("review/get", {"id": id})
        answer = self.control.file.readline()
        if b'"error"' in answer[:200]:
            print(f"    show: {answer[:200].decode()}")

    def accept(self, id):
        self.control.call("review/decide", {"id": id, "verdict": "accept"})


def decide(steps, name, person, propose, finish):
    def proposed():
        propose()
        return person.wait()
    id = steps.time(f"{name}: propose", proposed)
    steps.time(f"{name}: list", lambda: person.list(isOpen=True))
    steps.time(f"{name}: show", lambda: person.show(id))

    def accept():
        person.accept(id)
        return finish()
    return steps.time(f"{name}: accept", accept)


def through_mcp(world, steps, person, path, old, new):
    path.write_text(old)
    relay = Relay(world)
    params = {"name": "proposeEdit", "arguments": {
        "write": True, "changes": [{"path": str(path), "text": new}]}}
    answer = decide(steps, "mcp", person,
                    lambda: relay.send("tools/call", params), relay.answer)
    if path.read_text() != new:
        print(f"    not written: {str(answer)[:300]}")
    relay.stop()


def through_hook(world, steps, person, path, old, new):
    path.write_text(old)
    question = json.dumps({
        "session_id": "s", "cwd": str(world.workspace),
        "permission_mode": "acceptEdits", "hook_event_name": "PreToolUse",
        "tool_name": "Write",
        "tool_input": {"file_path": str(path), "content": new}})
    hook = subprocess.Popen(
        ["sh", "-c", '"$0" hook claude; exit', DOVETAIL], env=world.env,
        cwd=world.workspace, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        text=True)

    def propose():
        hook.stdin.write(question)
        hook.stdin.close()
    answer = decide(steps, "hook", person, propose, hook.stdout.read)
    hook.wait()
    if '"allow"' not in answer:
        print(f"    not allowed: {answer[:300]}")


def measure(mib=50, rounds=1):
    """{step: (slowest, p99, busy)} in milliseconds."""
    folder = Path(tempfile.mkdtemp(prefix="dt-holds-"))
    world = World(folder)
    daemon = Daemon(on_core(-1, [str(DOVETAIL)]), world)
    steps = Steps(daemon.pid)
    probe = Probe(daemon, folder)
    person = Person(world)
    try:
        old = text_of(mib, "old")
        new = edited(old)
        steps.time("nothing", lambda: time.sleep(0.5))
        for _ in range(rounds):
            through_mcp(world, steps, person, world.workspace / "a.txt", old, new)
            through_hook(world, steps, person, world.workspace / "b.txt", old, new)
    finally:
        calls = probe.stop()
        daemon.stop()
    subprocess.run(["rm", "-rf", str(folder)], check=True)
    found, busy = {}, {}
    for name, began, ended, took_cpu in steps.rows:
        busy[name] = took_cpu
        for at, took in calls:
            if at >= began and at <= ended:
                found.setdefault(name, []).append(took * 1000)
    return {name: (max(times), sorted(times)[(len(times) - 1) * 99 // 100],
                   busy[name]) for name, times in found.items()}


def judge(found):
    return [{"name": f"another agent's slowest call, {name}, ms",
             "value": slowest, "target": TARGET_MS,
             "holds": slowest <= TARGET_MS, "is_near": slowest <= TARGET_MS}
            for name, (slowest, _, _) in found.items() if name != "nothing"]


def print_table(found):
    if found:
        print("\nanother agent's call while large edits pass by")
    for name, (slowest, p99, busy) in found.items():
        mark = "" if slowest <= TARGET_MS else "  <- above the target"
        print(f"  {name:20} slowest {slowest:7.1f} ms   p99 {p99:7.1f} ms   "
              f"loop busy {busy:7.1f} ms{mark}")


def main():
    if sys.argv[1:2] == ["--probe"]:
        probe(int(sys.argv[2]), sys.argv[3])
        return
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--mib", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=1)
    wanted = parser.parse_args()
    print_table(measure(wanted.mib, wanted.rounds))


if __name__ == "__main__":
    main()
