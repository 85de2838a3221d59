"""findReferences of cclsp and of Dovetail, with the same language server.

Both are what an MCP client starts on its standard input and output.  Cold is
from that start to the answer, with clangd's index on the disk and nothing
running; warm is the same question again.
"""
import json
import os
import shutil
import statistics
import subprocess
import time
from pathlib import Path

import projects
from daemon import INITIALIZE, person
from lsp import LANGUAGES, Question, Straight, path_of_programs
from measure import DOVETAIL, NODE, medians, ratio

_, CLANGD, _, _, COMMON, PLACES = LANGUAGES[0]
TARGETS = {"cold": 4, "warm": 1}  # cclsp's time / ours


class Stdio:
    """An MCP client of what it starts."""

    def __init__(self, command, root, env):
        self.process = subprocess.Popen(
            command, cwd=root, env=env, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.number = 0
        self.call("initialize", INITIALIZE)
        self.send({"method": "notifications/initialized"})

    def send(self, message):
        text = json.dumps({"jsonrpc": "2.0", **message})
        self.process.stdin.write(text.encode() + b"\n")
        self.process.stdin.flush()

    def call(self, method, params):
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        while line := self.process.stdout.readline():
            message = json.loads(line)
            if message.get("id") == self.number and "method" not in message:
                return message["result"]
        raise RuntimeError("the MCP server ended")

    def ask(self, tool, arguments):
        result = self.call("tools/call", {"name": tool,
                                          "arguments": arguments})
        text = result["content"][0]["text"]
        if result.get("isError"):
            raise RuntimeError(text)
        return text

    def stop(self):
        self.process.kill()  # the end of its input is not enough for all
        self.process.wait()


def cclsp(world):
    """What starts cclsp, and its question."""
    config = world.home / "cclsp.json"
    config.write_text(json.dumps({"servers": [{
        "extensions": ["c", "h"], "command": CLANGD,
        "rootDir": str(world.workspace)}]}))
    world.env["CCLSP_CONFIG_PATH"] = str(config)
    program = Path(os.environ["NPM_DIR"], "node_modules/cclsp/dist/index.js")
    return [NODE, program], ("find_references", {
        "file_path": str(world.workspace / "pool.c"),
        "symbol_name": COMMON})


def dovetail(world, asked):
    command = [DOVETAIL, "mcp", "--workspace", world.workspace]
    return command, (asked.tool, asked.arguments)


def ask_ms(peer, question):
    began = time.monotonic()
    answer = peer.ask(*question)
    return (time.monotonic() - began) * 1e3, answer


def measure_peer(world, command, question, calls):
    """Milliseconds of the first answer since the start, and of later ones."""
    began = time.monotonic()
    peer = Stdio(command, world.workspace, world.env)
    first = peer.ask(*question)
    cold = (time.monotonic() - began) * 1e3
    if f"work{projects.FILES // 2}.c" not in first:
        raise RuntimeError(f"not all references: {first[:200]}")
    ask_ms(peer, question)  # cclsp asks for more the second time
    warm = statistics.median(ask_ms(peer, question)[0] for _ in range(calls))
    peer.stop()
    # The daemon goes on, and its language server with it.
    person.Command([DOVETAIL, "stop", "--force"], world.workspace, world.env).wait()
    return {"cold_ms": cold, "warm_ms": warm}


def measure(world, rounds, calls):
    """{peer: {"cold_ms", "warm_ms"}}; None: a program is missing."""
    if "NPM_DIR" not in os.environ or not shutil.which("clangd"):
        return None
    world.env["PATH"] = path_of_programs()
    projects.make_c(world.workspace)
    asked = Question(world.workspace, ".c", "references", "findReferences",
                     COMMON)
    Straight(CLANGD, world.workspace, world.env, asked, PLACES).stop()
    peers = {"cclsp": cclsp(world), "dovetail": dovetail(world, asked)}
    turns = {name: [] for name in peers}
    for _ in range(rounds):
        for name, (command, question) in peers.items():
            turns[name].append(measure_peer(world, command, question, calls))
    return {name: medians(turns[name]) for name in turns}


def judge(figures):
    if not figures:
        return []
    return [ratio(f"findReferences, {how}: cclsp / Dovetail",
                  figures["cclsp"][f"{how}_ms"],
                  figures["dovetail"][f"{how}_ms"], target, 4)
            for how, target in TARGETS.items()]


def print_table(figures):
    if not figures:
        print("clangd or cclsp is not installed: cclsp was not measured\n")
        return
    print(f"{'findReferences':20}{'cold ms':>10}{'warm ms':>10}")
    for name, each in figures.items():
        print(f"{name:20}{each['cold_ms']:10.0f}{each['warm_ms']:10.1f}")
    print()
