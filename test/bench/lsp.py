"""Questions about code: through Dovetail, and straight to the same server.

Both ask a server of their own, of the same version, about the same 200 files,
from the first byte of a question to the last byte of the answer, in turns of
many questions each.  The index is warm.  What Dovetail adds is the difference
of the medians; it may be 150 us or 5 %, whichever is more.  Beside it stands
what a program adds that only passes bytes on.
"""
import itertools
import json
import os
import statistics
import subprocess
import time
from pathlib import Path
from shutil import which

import projects
from daemon import Agent, Daemon, frame
from measure import DOVETAIL, NODE, PROGRAMS, medians, on_core

LEAST_US = 150
SHARE = 0.05
FAR = 20
MEMORY_KIB = 15 * 1024
WARM_SECONDS = 120
SMALL = {"a.json": '{"a": [1, 2]}\n', "a.css": "a { color: red; }\n",
         "a.html": "<html><body><p>a</p></body></html>\n"}
MANY = 1 + projects.FILES * projects.CALLS  # places of the common function

#            name         command, make, ending, common function, places
LANGUAGES = [("clangd", ["clangd", "--log=error"], projects.make_c, ".c",
              "pool_take", MANY + 1),
             ("pyright", ["pyright-langserver", "--stdio"],
              projects.make_python, ".py", "pool_take", MANY + projects.FILES),
             ("tsserver", ["typescript-language-server", "--stdio"],
              projects.make_typescript, ".ts", "poolTake",
              MANY + projects.FILES)]
#        name               method, tool, the common one (else its own)
CASES = [("hover", "hover", "getHover", True),
         ("definition", "definition", "goToDefinition", True),
         ("references, few", "references", "findReferences", False),
         ("references, many", "references", "findReferences", True)]
IDS = {".c": "c", ".py": "python", ".ts": "typescript"}


def path_of_programs():
    """PATH with the pinned programs in front."""
    npm = os.environ.get("NPM_DIR")
    extra = [str(Path(NODE).parent), f"{npm}/node_modules/.bin"] if npm else []
    return os.pathsep.join([*extra, os.environ["PATH"]])


class Straight:
    """A small client of one language server, on its pipes."""

    def __init__(self, command, root, env, warm, places):
        self.process = subprocess.Popen(
            on_core(-1, command), cwd=root, env=env, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.numbers = itertools.count(1)
        uri = root.as_uri()
        self.call("initialize", {
            "processId": os.getpid(), "rootUri": uri, "rootPath": str(root),
            "workspaceFolders": [{"uri": uri, "name": "bench"}],
            "capabilities": {"textDocument": {
                "hover": {"contentFormat": ["markdown", "plaintext"]},
                "definition": {"linkSupport": True}}}})
        self.tell("initialized", {})
        self.open(warm.path)
        wait_warm(lambda: len(self.call(warm.method, warm.params)), places)

    def write(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body)
                                 + body)
        self.process.stdin.flush()

    def read(self):
        """The bytes of the next message."""
        length, out = 0, self.process.stdout
        while line := out.readline().strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        if not length:
            raise RuntimeError("the language server ended")
        return out.read(length)

    def tell(self, method, params):
        self.write({"method": method, "params": params})

    def open(self, path):
        self.tell("textDocument/didOpen", {"textDocument": {
            "uri": path.as_uri(), "languageId": IDS[path.suffix],
            "version": 1, "text": path.read_text()}})

    def call(self, method, params):
        result, _ = self.call_us(method, params)
        return result

    def call_us(self, method, params):
        """The answer, and the microseconds until it was here."""
        number = next(self.numbers)
        body = {"id": number, "method": method, "params": params}
        began = time.monotonic()
        self.write(body)
        while True:
            answer = self.read()
            took = (time.monotonic() - began) * 1e6
            message = json.loads(answer)
            if message.get("id") == number and "method" not in message:
                break
            if "id" in message:
                self.write({"id": message["id"], "result": None})
        if "error" in message:
            raise RuntimeError(message["error"]["message"])
        return message["result"], took

    def stop(self):
        self.process.kill()
        self.process.wait()


class Through:
    """An agent of the daemon."""

    def __init__(self, daemon):
        self.agent = Agent(daemon, "/mcp")

    def call_us(self, tool, arguments):
        question = frame("tools/call", {"name": tool, "arguments": arguments})
        began = time.monotonic()
        self.agent.send(question)
        answer = self.agent.receive_bytes()
        took = (time.monotonic() - began) * 1e6
        result = json.loads(answer)["result"]
        if result.get("isError"):
            raise RuntimeError(result["content"][0]["text"])
        return result["structuredContent"], took

    def stop(self):
        self.agent.socket.close()


class Question:
    """The same question in both languages."""

    def __init__(self, root, ending, method, tool, word):
        self.path = root / f"work7{ending}"
        line, column = projects.place_of(self.path, word + "(")
        self.method, self.tool = f"textDocument/{method}", tool
        self.params = {"textDocument": {"uri": self.path.as_uri()},
                       "position": {"line": line, "character": column}}
        if method == "references":
            self.params["context"] = {"includeDeclaration": True}
        self.arguments = {"filePath": str(self.path), "line": line + 1,
                          "column": column + 1}


def wait_warm(ask, places):
    """Until all places are known."""
    end, count = time.monotonic() + WARM_SECONDS, 0
    while time.monotonic() < end:
        count = ask()
        if count >= places:
            return
        time.sleep(0.2)
    raise RuntimeError(f"{count} places instead of {places} after"
                       f" {WARM_SECONDS} s")


def cpu_us(pid):
    """What all threads of a process have used."""
    tasks = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(task.read_text().split()[0]) for task in tasks) / 1e3


def children_of(pid):
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


def median_us(client, calls, *question):
    """Of one turn, in which a client asks again and again."""
    return statistics.median(client.call_us(*question)[1]
                             for _ in range(calls))


def measure_language(world, daemon, language, rounds, calls):
    """{case: {"straight": us, "relay": us, "through": us, "cpu": us}}"""
    name, command, make, ending, common, places = language
    root = world.workspace / name
    root.mkdir()
    make(root)
    many = Question(root, ending, "references", "findReferences", common)
    # Who makes an index has it laid out in another way than who reads it.
    Straight(command, root, world.env, many, places).stop()
    through, results = Through(daemon), {}
    wait_warm(lambda: through.call_us(many.tool, many.arguments)[0]["total"],
              places)
    straight = Straight(command, root, world.env, many, places)
    relay = Straight([PROGRAMS / "bench-relay", *command], root, world.env,
                     many, places)
    try:
        for case, method, tool, is_common in CASES:
            asked = Question(root, ending, method, tool,
                             common if is_common else "work7")
            turns = []
            for _ in range(rounds):
                one = {"straight": median_us(straight, calls, asked.method,
                                             asked.params),
                       "relay": median_us(relay, calls, asked.method,
                                          asked.params)}
                began = cpu_us(daemon.pid)
                one["through"] = median_us(through, calls, asked.tool,
                                           asked.arguments)
                one["cpu"] = (cpu_us(daemon.pid) - began) / calls
                turns.append(one)
            results[case] = medians(turns)
    finally:
        straight.stop()
        relay.stop()
        through.stop()
    return results


def use_small(world, daemon):
    """One more server for each of these."""
    agent = Through(daemon)
    for name, text in SMALL.items():
        path = world.workspace / name
        path.write_text(text)
        agent.call_us("getDocumentSymbols", {"filePath": str(path)})
    agent.stop()


def measure(world, rounds, calls, languages):
    """Each case of each language, and what the daemon keeps of all this."""
    world.env["PATH"] = path_of_programs()
    daemon, cases = Daemon(on_core(-1, [DOVETAIL]), world), {}
    try:
        for language in LANGUAGES[:languages]:
            if which(language[1][0], path=world.env["PATH"]):
                cases[language[0]] = measure_language(world, daemon, language,
                                                      rounds, calls)
        if "NPM_DIR" in os.environ:
            use_small(world, daemon)
        time.sleep(1)
        return {"cases": cases, "memory_kib": daemon.memory_kib(),
                "servers": len(children_of(daemon.pid))}
    finally:
        daemon.stop()


def judge(figures):
    def added(name, straight_us, through_us):
        """Beside a machine that is busy with other things, what is added is
        not what we add; in a smoke test the server's own time is the measure."""
        value = through_us - straight_us
        target = max(LEAST_US, SHARE * straight_us)
        return {"name": f"us added, {name}", "value": value, "target": target,
                "holds": value <= target,
                "is_near": through_us <= FAR * straight_us}

    kib = figures["memory_kib"]
    return [*(added(f"{language}, {case}", each["straight"], each["through"])
              for language, cases in figures["cases"].items()
              for case, each in cases.items()),
            {"name": f"RSS with {figures['servers']} language servers, KiB",
             "value": kib, "target": MEMORY_KIB, "holds": kib <= MEMORY_KIB,
             "is_near": kib <= MEMORY_KIB}]


def print_table(figures):
    print(f"{'language server':28}{'straight us':>12}{'relay us':>10}"
          f"{'through us':>12}{'added us':>10}{'our CPU us':>12}")
    for language, cases in figures["cases"].items():
        for case, each in cases.items():
            print(f"{language + ', ' + case:28}{each['straight']:12.0f}"
                  f"{each['relay']:10.0f}{each['through']:12.0f}"
                  f"{each['through'] - each['straight']:10.0f}"
                  f"{each['cpu']:12.0f}")
    print(f"\n{figures['servers']} language servers   "
          f"{figures['memory_kib']} KiB of our own\n")
