"""What all measurements share: where things are, servers, load, medians."""
import json
import os
import socket
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
BUILD = Path(os.environ.get("BUILD", HERE.parent.parent / "build")).resolve()
PROGRAMS = BUILD / "test/bench"
DOVETAIL = BUILD / "dovetail"
NODE = os.environ.get("NODE", "node")
CORES = sorted(os.sched_getaffinity(0))


def on_core(core, command):
    """Server and client on cores of their own, where there are two."""
    if len(CORES) < 2:
        return command
    return ["taskset", "-c", str(CORES[core]), *command]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def listens(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def load(carrier, *options, command=(), env=None):
    """What bench-load prints."""
    output = subprocess.run(
        [*on_core(0, [PROGRAMS / "bench-load"]), carrier,
         *map(str, options), "--", *command],
        check=True, stdout=subprocess.PIPE, env=env).stdout
    return json.loads(output)


class Server:
    """A command that listens on the port that is its last argument."""

    def __init__(self, command):
        self.port = free_port()
        self.process = subprocess.Popen(
            on_core(-1, [*command, str(self.port)]), stdin=subprocess.DEVNULL)
        self.pid = self.process.pid
        while not listens(self.port):
            if self.process.poll() is not None:
                sys.exit(f"{command[0]} did not start")
            time.sleep(0.02)

    def load(self, carrier, *options):
        return load(carrier, "-p", self.port, "-s", self.pid, *options)

    def load_raw(self, like, *options):
        """bench-raw, with questions and answers as long as others'."""
        return self.load("raw", "-r",
                         f"{like['ask_bytes']},{like['reply_bytes']}", *options)

    def stop(self):
        self.process.kill()
        self.process.wait()


def memory_kib(pid):
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0])


def medians(rounds):
    return {key: statistics.median(each[key] for each in rounds)
            for key in rounds[0]}


def ratio(name, node, ours, target, near=2):
    """A target.  Time on a busy machine wavers, so in a smoke test half of a
    ratio is enough, or less where bare TCP is not far above it."""
    return {"name": name, "value": node / ours, "target": target,
            "holds": node / ours >= target,
            "is_near": node / ours >= target / near}
