"""A verdict that was given is carried out.

The daemon is killed at random moments after verdicts were sent, a thousand
times.  After each kill a new one is started, and every change must be on disk
whole and said to be accepted, or not at all, and `review apply` must then write
it.  KILLS sets another number.
"""
import json
import os
import random
import signal
import socket
import subprocess
import time

from attempts import attempt
from world import until

PROMISE = "a verdict is carried out"
KILLS = int(os.environ.get("KILLS", "1000"))
LONGEST = 0.05  # seconds from the verdicts to the kill
# The files of the changes of one life: one, several, and several folders.
CHANGES = [["a"], ["b1", "b2", "sub/b3"], ["c"], ["d1", "d2"], ["e"]]


class Control:
    """The control socket, as the command line uses it."""

    def __init__(self, w):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(20)
        self.socket.connect(str(w.top / "run/dovetail/control.sock"))
        self.reader = self.socket.makefile("rb")
        self.id = 0
        self.pid = self.ask("hello", protocol=1)["pid"]

    def send(self, method, **params):
        self.id += 1
        self.socket.sendall(json.dumps(
            {"jsonrpc": "2.0", "id": self.id, "method": method,
             "params": params}).encode() + b"\n")
        return self.id

    def ask(self, method, **params):
        id = self.send(method, **params)
        while True:
            line = self.reader.readline()
            assert line, f"the daemon went away during {method}"
            answer = json.loads(line)
            if answer.get("id") == id:
                assert "result" in answer, answer
                return answer["result"]

    def close(self):
        self.reader.close()
        self.socket.close()


def start(w):
    done = subprocess.run([w.program, "start"], cwd=w.project, env=w.env,
                          capture_output=True, text=True, timeout=20)
    assert done.returncode == 0, done.stderr
    return Control(w)


def stat_of(pid):
    with open(f"/proc/{pid}/stat") as stat:
        return stat.read().rsplit(")", 1)[1].split()


def parent_of(pid):
    return int(stat_of(pid)[1])


def is_alive(pid):
    """A process that is gone but for its parent's asking has one thread; the
    others may still hold its files."""
    try:
        return stat_of(pid)[0] != "Z" or len(os.listdir(f"/proc/{pid}/task")) > 1
    except OSError:
        return False


def kill(child, parent):
    # The parent first: it would start another child.
    for pid in (parent, child):
        os.kill(pid, signal.SIGKILL)
    for pid in (parent, child):
        while is_alive(pid):
            time.sleep(0.0005)


def old_text(name):
    return f"old text of {name}\n" * 3


def new_text(name, life):
    return f"new text of {name} in life {life}\n" * 40


def start_agent(w, changes, life):
    """An agent by stdio that proposes all changes."""
    agent = subprocess.Popen(["sh", "-c", f"{w.program} mcp; true"],
                             cwd=w.project, env=w.env, stdin=subprocess.PIPE,
                             stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL,
                             start_new_session=True)

    def say(**message):
        agent.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode()
                          + b"\n")

    say(id=0, method="initialize",
        params={"protocolVersion": "2025-06-18", "capabilities": {},
                "clientInfo": {"name": "killer", "version": "1"}})
    say(method="notifications/initialized")
    for i, names in enumerate(changes):
        say(id=i + 1, method="tools/call", params={
            "name": "proposeEdit", "arguments": {
                "write": True,
                "changes": [{"path": str(w.project / name),
                             "text": new_text(name, life)}
                            for name in names]}})
    agent.stdin.flush()
    return agent


def propose(w, control, life):
    """The agent, and the ids of the changes that wait, by the first file."""
    agent = start_agent(w, CHANGES, life)
    end = time.monotonic() + 20
    while True:
        waiting = control.ask("review/list")["reviews"]
        if len(waiting) == len(CHANGES):
            break
        assert time.monotonic() < end, "the changes did not come"
        time.sleep(0.002)
    # The history answers in order: they are all in it now.
    control.ask("log/list", what="reviews", limit=1)
    return agent, {os.path.relpath(r["entries"][0]["path"], w.project): r["id"]
                   for r in waiting}


def on_disk(w, names, life):
    """'new', 'old', or what is wrong."""
    texts = [(w.project / name).read_text() for name in names]
    if texts == [new_text(name, life) for name in names]:
        return "new"
    if texts == [old_text(name) for name in names]:
        return "old"
    return f"torn: {texts}"


def temporary_files(w):
    return [path for path in w.project.rglob(".dovetail-*")]


def settled(control):
    until(lambda: not control.ask("review/list", states=["writing"])["reviews"],
          "the unfinished ones")


def check(w, control, ids, life, counts):
    settled(control)
    for names in CHANGES:
        review = control.ask("review/get", id=ids[names[0]])
        state, found = review["state"], on_disk(w, names, life)
        counts[state, found] = counts.get((state, found), 0) + 1
        assert (state, found) in (("accepted", "new"), ("orphaned", "old"),
                                  ("unwritten", "old")), (names, state, found)
        if found == "old":
            control.ask("review/apply", id=review["id"])
            assert on_disk(w, names, life) == "new", names
            state = control.ask("review/get", id=review["id"])["state"]
            assert state == "accepted", state
    assert not temporary_files(w), temporary_files(w)


def put_files(w):
    for names in CHANGES:
        for name in names:
            w.file(name, old_text(name))


def live(w, control, life, longest, counts):
    """One life of a daemon, from the files as they were to the kill; the next
    daemon."""
    put_files(w)
    parent = parent_of(control.pid)
    agent, ids = propose(w, control, life)
    # It would start a daemon of its own.
    os.killpg(agent.pid, signal.SIGSTOP)
    try:
        for id in ids.values():
            control.send("review/decide", id=id, verdict="accept")
        # Most of the work is done in the first moments.
        time.sleep(random.uniform(0, longest * random.choice([0.1, 0.4, 1])))
        kill(control.pid, parent)
    finally:
        control.close()
        os.killpg(agent.pid, signal.SIGKILL)
        agent.wait()
        agent.stdin.close()
    control = start(w)
    check(w, control, ids, life, counts)
    return control


@attempt(PROMISE, "stdio")
def the_daemon_is_killed_after_verdicts_were_sent(w):
    counts = {}
    control = start(w)
    began = time.monotonic()
    for life in range(KILLS):
        control = live(w, control, life, LONGEST, counts)
    control.close()
    said = ", ".join(f"{state} and {found} on disk: {count}" for
                     (state, found), count in sorted(counts.items()))
    return (f"{KILLS} kills in {time.monotonic() - began:.0f} s: {said}; all "
            "of the old ones were applied, nothing torn, no temporary file")


@attempt(PROMISE, "stdio")
def the_daemon_is_killed_while_it_writes_what_the_rules_allow(w):
    conf = w.top / "config/dovetail/dovetail.conf"
    conf.parent.mkdir(parents=True)
    conf.write_text("[policy]\nallow = *\n")
    several = [names for names in CHANGES if len(names) > 1]
    counts = {"new": 0, "old": 0}
    control = start(w)
    for life in range(KILLS // 10):
        put_files(w)
        parent = parent_of(control.pid)
        agent = start_agent(w, several, life)
        time.sleep(random.uniform(0, LONGEST))
        os.killpg(agent.pid, signal.SIGSTOP)
        kill(control.pid, parent)
        control.close()
        os.killpg(agent.pid, signal.SIGKILL)
        agent.wait()
        agent.stdin.close()
        control = start(w)
        settled(control)
        for names in several:
            found = on_disk(w, names, life)
            assert found in counts, found
            counts[found] += 1
        assert not temporary_files(w), temporary_files(w)
        assert not control.ask("log/list", what="reviews")["items"]
    control.close()
    return (f"{KILLS // 10} kills: {counts['new']} changes of several files "
            f"new, {counts['old']} old, none torn, no temporary file")
