"""MCP for every client: Dovetail beside the official TypeScript SDK.

Both serve the same 150 tools in sessions of 2025-11-25; the SDK's server is
given the list that Dovetail answers with.  The SDK is 1.32.2: its successor
2.4.0 was measured beside it and was no faster.
"""
import json
import statistics
import time

from daemon import Agent, Daemon, frame
from measure import (HERE, NODE, PROGRAMS, Server, load, medians, memory_kib,
                     on_core, ratio)

DOVETAIL = PROGRAMS / "bench-dovetail"
SDK = [NODE, HERE / "sdk_server.mjs"]
SESSIONS = 500
LIST = []
CALL = ["-c", "tool149", "-b", 200]
#        name           carrier  options                  the SDK's CPU / ours
CASES = [("list, stdio", "stdio", LIST, 10),
         ("list, HTTP", "http", LIST, 10),
         ("list, WebSocket", "ws", LIST, 10),
         ("call, stdio", "stdio", CALL, 5),
         ("call, HTTP", "http", CALL, 5),
         ("call, WebSocket", "ws", CALL, 5),
         (f"call, {SESSIONS} sessions", "http", [*CALL, "-n", SESSIONS], 5)]
MEMORY = 15  # the SDK's memory / ours
START = 20  # the SDK's time from start to the first list / ours


def write_tools(daemon, path):
    """What Dovetail lists, for the SDK's server to list."""
    agent = Agent(daemon, "/mcp")
    agent.send(frame("tools/list", {}))
    path.write_text(json.dumps(agent.receive()["result"]["tools"]))
    agent.socket.close()


class Dovetail:
    """The daemon; on stdio, `dovetail mcp` and the daemon behind it."""

    def __init__(self, daemon):
        self.daemon = daemon
        self.pid = daemon.pid

    def load(self, carrier, *options):
        world = self.daemon.world
        if carrier == "stdio":
            return load(carrier, "-s", self.pid, *options, env=world.env,
                        command=on_core(-1, [DOVETAIL, "mcp", "--workspace",
                                             world.workspace]))
        return load(carrier, "-p", self.daemon.port, "-s", self.pid,
                    "-t", self.daemon.token, *options)

    def stop(self):
        self.daemon.stop()


class Sdk(Server):
    """The SDK's server; on stdio, one that is started for it."""

    def __init__(self, tools):
        self.command = [*SDK, tools]
        super().__init__(self.command)

    def load(self, carrier, *options):
        if carrier == "stdio":
            return load(carrier, *options, command=on_core(-1, self.command))
        return super().load(carrier, *options)


def measure_case(servers, carrier, options, rounds):
    """{server: figures}"""
    turns = {"dovetail": [], "sdk": [], "tcp": []}
    for _ in range(rounds + 1):
        turns["dovetail"].append(servers["dovetail"].load(carrier, *options))
        turns["sdk"].append(servers["sdk"].load(carrier, *options))
        turns["tcp"].append(servers["tcp"].load_raw(turns["dovetail"][0],
                                                    *options))
    # In the first turn the SDK's server is not compiled yet.
    return {name: medians(turns[name][1:]) for name in turns}


def measure_start(servers, rounds):
    """Milliseconds from starting a server on stdio to its first list."""
    return {name: statistics.median(
        servers[name].load("stdio", "-m", 0)["first_us"]
        for _ in range(rounds)) / 1e3 for name in ("dovetail", "sdk")}


def measure(world, rounds, ms):
    daemon = Daemon(on_core(-1, [DOVETAIL]), world)
    servers = {"dovetail": Dovetail(daemon)}
    try:
        time.sleep(0.5)  # the store opens behind the lock file
        idle = {"dovetail": memory_kib(daemon.pid)}
        tools = world.home / "tools.json"
        write_tools(daemon, tools)
        servers["sdk"] = Sdk(tools)
        servers["tcp"] = Server([PROGRAMS / "bench-raw"])
        idle["sdk"] = memory_kib(servers["sdk"].pid)
        return {"idle_kib": idle,
                "start_ms": measure_start(servers, 3 * rounds),
                "cases": {name: measure_case(servers, carrier,
                                             [*options, "-m", ms], rounds)
                          for name, carrier, options, _ in CASES}}
    finally:
        for server in servers.values():
            server.stop()


def judge(figures):
    idle, cases = figures["idle_kib"], figures["cases"]
    start = figures["start_ms"]
    full = cases[CASES[-1][0]]
    return [
        *(ratio(f"CPU, MCP {case}: SDK / Dovetail",
                cases[case]["sdk"]["cpu_us"],
                cases[case]["dovetail"]["cpu_us"], target, 4)
          for case, _, _, target in CASES),
        ratio("start to first list, stdio: SDK / Dovetail", start["sdk"],
              start["dovetail"], START),
        ratio("idle RSS, MCP: SDK / Dovetail", idle["sdk"], idle["dovetail"],
              MEMORY),
        ratio(f"RSS, MCP, {SESSIONS} sessions: SDK / Dovetail",
              full["sdk"]["rss_kib"], full["dovetail"]["rss_kib"], MEMORY),
    ]


def print_table(figures):
    print(f"{'MCP':20}{'server':10}{'CPU us':>10}{'to SDK':>9}{'to TCP':>8}"
          f"{'calls/s':>10}{'p50 us':>10}{'p99 us':>10}{'RSS KiB':>10}")
    for case, servers in figures["cases"].items():
        for name, each in servers.items():
            cpu = each["cpu_us"]
            print(f"{case:20}{name:10}{cpu:10.1f}"
                  f"{cpu / servers['sdk']['cpu_us']:9.3f}"
                  f"{cpu / servers['tcp']['cpu_us']:8.2f}"
                  f"{each['per_second']:10.0f}{each['p50_us']:10.0f}"
                  f"{each['p99_us']:10.0f}{each['rss_kib']:10.0f}")
    idle, start = figures["idle_kib"], figures["start_ms"]
    print(f"\nMCP start to list    {start['dovetail']:.1f} ms"
          f" (SDK {start['sdk']:.1f} ms)")
    print(f"MCP idle             {idle['dovetail']} KiB"
          f" (SDK {idle['sdk']} KiB)\n")
