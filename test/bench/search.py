"""Files of a large tree listed and searched: Dovetail beside ripgrep.

A call of an agent until its answer is there, beside the same question to
`rg` from its start to its end; both in turns, with the tree in memory.
"""
import statistics
import subprocess
import time
from shutil import which

from daemon import Agent, Daemon, frame
from measure import DOVETAIL, ratio

FOLDERS = 1000
NEEDLE = "needle_in_haystack"
#        name                 tool, its arguments                    rg / ours
CASES = [("search, few hits", "searchWorkspace", {"query": NEEDLE}, 1 / 1.3),
         ("search, expression", "searchWorkspace",
          {"query": r"needle_\w+\(\d*5\)", "isRegex": True}, 1 / 1.3),
         ("search, many hits", "searchWorkspace",
          {"query": "int word", "maxResults": 200}, 1 / 1.3),
         ("tree", "getFileTree", {"maxEntries": 2000}, 1 / 1.5),
         ("names", "findFiles", {"pattern": "f7.c"}, 1 / 1.5)]
RG = {"search, few hits": ["--fixed-strings", NEEDLE],
      "search, expression": [r"needle_\w+\(\d*5\)"],
      "search, many hits": ["--fixed-strings", "int word"],
      "tree": ["--files"],
      "names": ["--files"]}


def make_tree(root, count):
    """So many files in a repository, of 20 lines each."""
    for i in range(count):
        folder = root / f"d{i % 10}" / f"e{i % FOLDERS}"
        if i < FOLDERS:
            folder.mkdir(parents=True, exist_ok=True)
        lines = [f"\tint word{(i + k) % 997} = {k};" for k in range(20)]
        if i % 1000 == 0:
            lines.append(f"\t{NEEDLE}({i // 1000});")
        (folder / f"f{i // FOLDERS}.c").write_text("\n".join(lines) + "\n")
    (root / ".gitignore").write_text("*.o\nbuild/\n")
    git = ["git", "-C", root, "-c", "user.name=b", "-c", "user.email=b@b"]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "b"]):
        subprocess.run([*git, *words], check=True)


def call_ms(agent, tool, arguments):
    began = time.monotonic()
    agent.send(frame("tools/call", {"name": tool, "arguments": arguments}))
    result = agent.receive()["result"]
    took = (time.monotonic() - began) * 1e3
    if result.get("isError"):
        raise RuntimeError(result["content"][0]["text"])
    return took


def rg_ms(root, words):
    began = time.monotonic()
    subprocess.run(["rg", "--no-config", *words, root], check=True,
                   stdout=subprocess.DEVNULL)
    return (time.monotonic() - began) * 1e3


def measure(world, rounds, count):
    """{case: {"dovetail": ms, "rg": ms}}; None: there is no ripgrep."""
    if not which("rg"):
        return None
    make_tree(world.workspace, count)
    daemon, results = Daemon([DOVETAIL], world), {}
    agent = Agent(daemon, "/mcp")
    try:
        for name, tool, arguments, _ in CASES:
            times = {"dovetail": [], "rg": []}
            for _ in range(rounds + 1):
                times["dovetail"].append(call_ms(agent, tool, arguments))
                times["rg"].append(rg_ms(world.workspace, RG[name]))
            results[name] = {who: statistics.median(times[who][1:])
                             for who in times}
    finally:
        agent.socket.close()
        daemon.stop()
    return results


def judge(figures):
    return [ratio(f"{name}: rg / Dovetail", figures[name]["rg"],
                  figures[name]["dovetail"], target)
            for name, _, _, target in CASES] if figures else []


def print_table(figures, count):
    if not figures:
        print("ripgrep is not installed: search was not measured\n")
        return
    print(f"{count} files           {'Dovetail ms':>12}{'rg ms':>9}{'ratio':>7}")
    for name, each in figures.items():
        print(f"{name:22}{each['dovetail']:12.1f}{each['rg']:9.1f}"
              f"{each['dovetail'] / each['rg']:7.2f}")
    print()
