"""What one agent brings as its environment is used for nobody else."""
import copy
import http.client
import json
import subprocess

from attempts import attempt
from world import Relay, until

PROMISE = "environments"


def fake(w, *names):
    """A folder with programs that leave a mark, and a PATH that begins with
    it."""
    folder = w.top / "evil"
    folder.mkdir(exist_ok=True)
    for name in names:
        program = folder / name
        program.write_text(f"#!/bin/sh\necho \"$0 $*\" >>{w.top}/mark\n"
                           "exit 1\n")
        program.chmod(0o755)
    return f"{folder}:{w.env['PATH']}"


def marks(w):
    """How many of them were run; they are forgotten."""
    mark = w.top / "mark"
    if not mark.exists():
        return 0
    count = len(mark.read_text().splitlines())
    mark.unlink()
    return count


def repository(w):
    subprocess.run(["git", "init", "-q"], cwd=w.project, env=w.env, check=True)
    w.file("a.txt", "one\n")


def join(w, is_us=False, **env):
    """An agent by stdio: a shell of its own or, with is_us, this process."""
    agent = copy.copy(w)
    if not is_us:
        agent.program = w.top / "agent"
        agent.program.write_text(f'#!/bin/sh\n{w.program} "$@"\nexit $?\n')
        agent.program.chmod(0o755)
    relay = Relay(agent, "--workspace", w.project, **env)
    relay.shake()
    return relay


def use(relay, tool, **args):
    result = relay.ask("tools/call", {"name": tool, "arguments": args})
    return json.dumps(result)


CALLS = [("getGitStatus", {}), ("searchWorkspace", {"query": "one"}),
         ("findFiles", {"pattern": "*.txt"}),
         ("runCommand", {"command": "git", "args": ["status"]})]


def all_calls(relay):
    for tool, args in CALLS:
        use(relay, tool, **args)


class HttpAgent:
    """An MCP client by HTTP; it brings no environment."""

    def __init__(self, w):
        lock = until(lambda: next(iter(
            (w.top / "home/.claude/ide").glob("*.lock")), None), "a lock")
        self.port = int(lock.stem)
        self.head = {
            "Authorization": "Bearer " + json.loads(lock.read_text())["authToken"],
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream"}
        self.last_id = 0
        self.ask("initialize", {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "web", "version": "1"}})
        self.send({"method": "notifications/initialized"})

    def send(self, message):
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        link.request("POST", "/mcp", json.dumps({"jsonrpc": "2.0"} | message),
                     self.head)
        answer = link.getresponse()
        if answer.getheader("Mcp-Session-Id"):
            self.head["Mcp-Session-Id"] = answer.getheader("Mcp-Session-Id")
        text = answer.read().decode()
        link.close()
        return text

    def ask(self, method, params):
        self.last_id += 1
        text = self.send({"id": self.last_id, "method": method,
                          "params": params})
        assert '"result"' in text, text
        return text


def use_http(agent):
    for tool, args in CALLS:
        agent.ask("tools/call", {"name": tool, "arguments": args})


@attempt(PROMISE, "stdio")
def a_path_of_its_own_for_another_agents_calls(w):
    repository(w)
    other = join(w)
    evil = join(w, PATH=fake(w, "git", "rg"))
    all_calls(evil)
    assert marks(w), "the fake programs are not run at all"
    all_calls(other)
    assert not marks(w), "the other agent ran them"
    log = w.good("log", "--calls")
    assert f"{w.top}/evil/git" in log and "environment of tester" in log, log
    evil.end(), other.end()
    return "used for its own calls alone"


@attempt(PROMISE, "stdio")
def a_path_of_its_own_for_the_persons_calls(w):
    repository(w)
    w.good("start")
    evil = join(w, PATH=fake(w, "git", "rg"))
    for tool, args in CALLS:
        w.good("call", tool, json.dumps(args))
    assert not marks(w), "the person ran them"
    evil.end()
    return "not used"


@attempt(PROMISE, "http")
def a_path_of_its_own_for_an_agent_by_http(w):
    repository(w)
    w.good("start")
    evil = join(w, PATH=fake(w, "git", "rg"))
    web = HttpAgent(w)
    use_http(web)
    assert not marks(w), "the agent by HTTP ran them"
    evil.end()
    return "not used"


@attempt(PROMISE, "http")
def a_daemon_that_it_started_for_an_agent_by_http(w):
    repository(w)
    evil = join(w, PATH=fake(w, "git", "rg"))
    web = HttpAgent(w)
    use_http(web)
    assert not marks(w), "the daemon kept its PATH"
    pid = json.loads(w.good("status", "--json"))["pid"]
    with open(f"/proc/{pid}/environ", "rb") as file:
        assert b"DOVETAIL_STARTED_BY" in file.read()  # before it was cleaned
    log = w.good("log", "--calls")
    assert "environment of the daemon" in log and "/evil/" not in log, log
    evil.end()
    return "the daemon forgot it"


@attempt(PROMISE, "control")
def a_start_from_its_shell_for_all(w):
    repository(w)
    w.good("start")
    relay = join(w, is_us=True)
    # Not by the world's person: what this process starts is the agent's.
    subprocess.run([w.program, "start"], cwd=w.project, check=True,
                   env=w.env | {"PATH": fake(w, "git", "rg")},
                   stdout=subprocess.DEVNULL)
    web = HttpAgent(w)
    use_http(web)
    all_calls(relay)
    assert not marks(w), "its environment became the person's"
    relay.end()
    return "not taken for the person's"


@attempt(PROMISE, "stdio")
def a_language_server_of_its_own_for_another_agent(w):
    w.file("a.c", "int answer(void);\n")
    path = str(w.project / "a.c")
    evil = join(w, PATH=fake(w, "clangd", "clang-tidy"))
    use(evil, "getHover", filePath=path, line=1, column=5)
    assert marks(w), "the fake server is not run at all"
    other = join(w)
    for relay in (other, evil, other):
        use(relay, "getHover", filePath=path, line=1, column=5)
        use(relay, "getDiagnostics", filePath=path)
    assert not marks(w), "it was asked for another agent"
    evil.end(), other.end()
    return "used while it was alone"
