"""An agent does not decide its own review, nor what else is the person's.

Each way to reach us plays an agent that has a change waiting; children of each
kind then try all that only the person may do.  An agent that says nothing of
itself is known by its connection alone.  What is open is in the table of
docs/internals/security.md, and is tried as well: when it is refused some day,
the table is wrong.
"""
import http.client
import json
import os
import shlex
import shutil
import socket
import subprocess
import sys
from pathlib import Path

from attempts import attempt
from world import Relay, edit_of, start_hook, until

PROMISE = "no agent decides"
TABLE = Path(__file__).resolve().parents[2] / "docs/internals/security.md"

ACTIONS = [
    "review accept ID", "review reject ID", "review apply ID", "stop",
    "restart", "reload", "config limits.calls 7", "policy allow true", "mute",
    "select a.txt:1", "hook uninstall claude --yes",
]


# the agents

class Http:
    """An MCP client over HTTP, which never says who it is."""

    def __init__(self, w):
        lock = until(lambda: next(iter(
            (w.top / "home/.claude/ide").glob("*.lock")), None), "a lock")
        self.port = int(lock.stem)
        self.token = json.loads(lock.read_text())["authToken"]
        answer = self.post(1, "initialize", {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "tester", "version": "1"}}).getresponse()
        answer.read()
        assert answer.status == 200, answer.status
        self.session = answer.headers["Mcp-Session-Id"]

    def post(self, id, method, params):
        self.conn = http.client.HTTPConnection("127.0.0.1", self.port)
        headers = {"Authorization": f"Bearer {self.token}",
                   "Content-Type": "application/json",
                   "Accept": "application/json, text/event-stream"}
        if id > 1:
            headers["Mcp-Session-Id"] = self.session
        self.conn.request("POST", "/mcp", json.dumps(
            {"jsonrpc": "2.0", "id": id, "method": method, "params": params}),
            headers)
        return self.conn

    def end(self):
        conn = http.client.HTTPConnection("127.0.0.1", self.port)
        conn.request("DELETE", "/mcp", headers={
            "Authorization": f"Bearer {self.token}",
            "Mcp-Session-Id": self.session})
        assert conn.getresponse().status == 204


def propose_http(w):
    agent = Http(w)
    w.held = agent.post(2, "tools/call", {
        "name": "proposeEdit", "arguments": {
            "changes": [{"path": str(w.project / "a.txt"), "text": "y\n"}]}})
    return agent


def propose_ws(w):
    agent = w.agent()
    agent.propose(w.project / "a.txt", "y\n")
    return agent


def propose_stdio(w):
    relay = Relay(w, "--workspace", w.project)
    w.agents.append(relay)
    relay.close = lambda: relay.end()
    relay.shake()
    relay.call("tools/call", {"name": "proposeEdit", "arguments": {
        "changes": [{"path": str(w.project / "a.txt"), "text": "y\n"}]}})
    return relay


def propose_hook(w):
    w.hook = start_hook(w, edit_of(w, w.project / "a.txt", "x", "y"))
    return w.hook


# How an agent comes, and what it leaves in the environment of its children.
WAYS = {
    "stdio": (propose_stdio, {"CODEX_THREAD_ID": "1"}),
    "http": (propose_http, {"GEMINI_CLI": "1"}),
    "ws": (propose_ws, {"CLAUDECODE": "1"}),
    "hook": (propose_hook, {"DOVETAIL_AGENT": "claude"}),
}

CLEAN = "env -i PATH=\"$PATH\" HOME=\"$HOME\" " \
    "XDG_RUNTIME_DIR=\"$XDG_RUNTIME_DIR\" " \
    "XDG_STATE_HOME=\"$XDG_STATE_HOME\" XDG_CONFIG_HOME=\"$XDG_CONFIG_HOME\" "

# What a child of each kind is, as a line for a shell; $TRY tries everything.
KINDS = {
    "a plain child": "$TRY",
    "a child in the background": "$TRY &",
    "a child with nohup": "nohup $TRY > /dev/null 2>&1 &",
    "a child in a session of its own": "setsid -f $TRY",
    "a child forked twice": "( ( $TRY & ) & )",
    "a child without an environment": CLEAN + "$TRY; true",
    "a child without an environment below a detached shell":
        f"setsid -f sh -c '{CLEAN} $TRY; true'",
    "a tmux server of its own":
        "tmux -L attack -f /dev/null new-session -d $TRY",
    "an at job": "echo $TRY | at now",
}


def prepare(w, id, name="told"):
    """The program that tries all of it, and where it tells how that ended."""
    told = w.top / name
    lines = [f"{w.program} {action.replace('ID', id)} < /dev/null "
             f"> /dev/null 2>> {told}.err; echo \"$? {action}\" >> {told}.part"
             for action in ACTIONS]
    script = w.top / f"try-{name}"
    script.write_text("#!/bin/sh\n" + "\n".join(lines) +
                      f"\nmv {told}.part {told}\n")
    script.chmod(0o755)
    return script, told


def tell(told):
    until(told.exists, "the end of the child")
    ended = dict(reversed(line.split(" ", 1))
                 for line in told.read_text().splitlines())
    return [action for action in ACTIONS if ended.get(action) != "4"]


def begin(w, way):
    w.file("a.txt", "x\n")
    w.good("start")
    w.good("hook", "install", "claude", "--yes")
    w.pid = json.loads(w.good("status", "--json"))["pid"]
    agent = WAYS[way][0](w)
    return agent, w.waiting(1)[0]["id"]


def is_untouched(w):
    status = json.loads(w.good("status", "--json"))
    assert status["pid"] == w.pid, "another daemon runs"
    assert status["mutes"] == [], "a mute"
    w.waiting(1)
    assert "7" != w.good("config", "limits.calls").strip(), "config"
    assert "DOVETAIL" in (w.top / "home/.claude/settings.json").read_text()
    assert (w.project / "a.txt").read_text() == "x\n"


def run_child(w, line, marks, script):
    subprocess.run(["sh", "-c", line], cwd=w.project, check=True,
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                   env=w.env | marks | {"TRY": str(script),
                                        "TMUX_TMPDIR": str(w.top)})


def missing(line):
    """A program that the line needs and this machine has not; or None."""
    return next((program for program in ("tmux", "at")
                 if f"{program} " in line and not shutil.which(program)), None)


PLAYED = {}  # way: kind: what was not refused


def play_all(w, way):
    """Children of all kinds at once, against one daemon."""
    _, id = begin(w, way)
    told = {}
    for number, (kind, line) in enumerate(KINDS.items()):
        if not missing(line):
            script, told[kind] = prepare(w, id, f"told{number}")
            run_child(w, line, WAYS[way][1], script)
    PLAYED[way] = {kind: tell(file) for kind, file in told.items()}
    is_untouched(w)


def add(way, kind, line):
    def function(w):
        if missing(line):
            return f"skipped: there is no {missing(line)} here"
        if way not in PLAYED:
            play_all(w, way)
        passed = PLAYED[way][kind]
        assert not passed, f"not refused: {passed}"
        return f"refused, {len(ACTIONS)} of {len(ACTIONS)}"
    function.__name__ = kind
    attempt(PROMISE, way)(function)


for each_way in WAYS:
    for each_kind in KINDS:
        add(each_way, each_kind, KINDS[each_kind])


# by the kernel's word alone: the agent has no mark

def add_unmarked(way):
    def an_agent_without_any_mark_tries_itself(w):
        _, id = begin(w, way)
        script, told = prepare(w, id)
        run_child(w, "$TRY", {}, script)
        assert not (passed := tell(told)), f"not refused: {passed}"
        is_untouched(w)
        return f"refused, {len(ACTIONS)} of {len(ACTIONS)}"
    attempt(PROMISE, way)(an_agent_without_any_mark_tries_itself)


for each_way in WAYS:
    add_unmarked(each_way)


@attempt(PROMISE, "ws")
def an_agent_that_says_it_is_another_process(w):
    agent, id = begin(w, "ws")
    gone = subprocess.Popen(["true"])
    gone.wait()
    for pid in (1, gone.pid, w.pid):
        agent.send({"method": "ide_connected", "params": {"pid": pid}})
    script, told = prepare(w, id)
    run_child(w, "$TRY", {}, script)
    assert not (passed := tell(told)), f"not refused: {passed}"
    is_untouched(w)  # and the person, who descends from 1, is one still
    return f"refused, {len(ACTIONS)} of {len(ACTIONS)}"


@attempt(PROMISE, "http")
def an_agent_whose_session_has_ended(w):
    agent, id = begin(w, "http")
    w.held.close()
    agent.end()
    until(lambda: not json.loads(w.good("status", "--json"))
          ["workspaces"][0]["sessions"], "the end of the session")
    script, told = prepare(w, id)
    run_child(w, "$TRY", {}, script)
    passed = [action for action in tell(told) if "ID" not in action]
    assert not passed, f"not refused: {passed}"
    assert json.loads(w.good("status", "--json"))["pid"] == w.pid
    return "refused; the review was withdrawn with the session"


# a child that says what it wants and is gone

VANISH = """
import os, socket, sys
for line in sys.argv[2:]:
    if os.fork() == 0:
        s = socket.socket(socket.AF_UNIX)
        s.connect(sys.argv[1])
        s.sendall(b'{"jsonrpc":"2.0","id":1,"method":"hello","params":'
                  b'{"protocol":1}}\\n' + line.encode() + b'\\n')
        os._exit(0)
    os.wait()
"""


def call(method, **params):
    return json.dumps({"jsonrpc": "2.0", "id": 2, "method": method,
                       "params": params})


def add_vanishing(way):
    def a_child_that_is_gone_before_it_is_looked_at(w):
        _, id = begin(w, way)
        lines = [call("review/decide", id=id, verdict="accept"),
                 call("review/decide", id=id, verdict="reject"),
                 call("mute"), call("policy/allow", names=["true"]),
                 call("stop"), call("stop", isRestart=True)]
        line = shlex.join([sys.executable, "-c", VANISH,
                           str(w.top / "run/dovetail/control.sock"),
                           *lines * 10])
        # Its parents are gone; of those that were too quick nothing is left.
        run_child(w, f"setsid -f {line}", WAYS[way][1], "")
        log = w.top / "state/dovetail/dovetail.log"
        until(lambda: log.read_text().count("was refused") >= 60,
              "the refusals")
        is_untouched(w)
        return "refused, 60 of 60"
    attempt(PROMISE, way)(a_child_that_is_gone_before_it_is_looked_at)


for each_way in WAYS:
    add_vanishing(each_way)


# other users

@attempt("no other user comes in", "http")
def another_user_with_the_right_token(w):
    if os.geteuid() != 0:
        return "skipped: only root can be another user"
    w.good("start")
    agent = Http(w)
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)
        heard = b""
        try:
            s = socket.create_connection(("127.0.0.1", agent.port))
            s.sendall((f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{agent.port}"
                       f"\r\nAuthorization: Bearer {agent.token}\r\n"
                       "Content-Type: application/json\r\nAccept: "
                       "application/json, text/event-stream\r\n"
                       "Content-Length: 2\r\n\r\n{}").encode())
            heard = s.recv(1000)
        except OSError:
            pass
        os.write(write, b"heard:" + heard)
        os._exit(0)
    os.waitpid(child, 0)
    heard = os.read(read, 2000)
    os.close(read)
    os.close(write)
    assert heard == b"heard:", heard
    log = (w.top / "state/dovetail/dovetail.log").read_text()
    assert "a connection of user 65534 was refused" in log
    return "refused, without a word"


# what is open

def is_open(w, row, line, marks):
    """It gets through, and the table says so in this row."""
    assert f"| {row} |" in TABLE.read_text(), f"{row!r} is not in the table"
    _, id = begin(w, "http")
    done = w.top / "done"
    script = w.top / "try"
    script.write_text(f"#!/bin/sh\n{w.program} review reject {id}\n"
                      f"echo $? > {done}.part; mv {done}.part {done}\n")
    script.chmod(0o755)
    run_child(w, line, marks, script)
    until(done.exists, "the end of the child")
    assert done.read_text() == "0\n", \
        f"it is refused by now ({done.read_text()!r}): mend the table"
    return "open (documented)"


@attempt(PROMISE, "shell")
def a_child_that_left_the_tree_and_wiped_its_environment(w):
    return is_open(w, "a child that leaves the tree and wipes its environment",
                   f"setsid -f {CLEAN} $TRY", WAYS["http"][1])


@attempt(PROMISE, "shell")
def a_detached_child_of_an_agent_that_leaves_no_mark(w):
    return is_open(w, "a detached child of an agent that leaves no mark",
                   "setsid -f $TRY", {})
