#!/usr/bin/env python3
# Every command of the real program, with a daemon and agents on a machine of
# their own.  test/suites/cli.py [TEST...] runs some by hand.
# needs: git python3
# after: build-asan build-gcc
import base64
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import tomllib
import traceback
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent.parent / "e2e/cli"))
from world import (Relay, Terminal, World, decision, edit_of,  # noqa: E402
                   start_hook, until)

PROMPT = "[q]uit [?] "
HUNK_PROMPT = "Take this hunk [y,n,a,d,s,e,p,q,?]? "
TESTS = []


def test(function):
    TESTS.append(function)
    return function


@test
def the_daemon_starts_once_and_stops(w):
    assert "No daemon is running" in w.run("status")[1]
    w.bad(3, "dovetail start", "review", "list")
    out = w.good("start")
    assert f"Serving {w.project}" in out and "dovetail run claude" in out
    pid = json.loads(w.good("status", "--json"))["pid"]
    w.good("start")
    assert json.loads(w.good("status", "--json"))["pid"] == pid
    w.bad(1, f"pid {pid}", "serve")
    w.good("stop")
    code, out, _ = w.run("status", "--json")
    assert code == 3 and json.loads(out)["pid"] is None
    assert "No daemon" in w.good("stop")


def stat_of(pid):
    """(parent, group, session) of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return tuple(map(int, fields[1:4]))


@test
def a_daemon_is_nobodys_child(w):
    """Esc in an agent ends all that is below it: a hook, and what a hook has
    started, but no daemon."""
    a = w.file("a.txt", "one\n")
    text = json.dumps(edit_of(w, a, "one", "two"))
    leader = subprocess.Popen(
        ["sh", "-c", '"$0" hook claude <<END; wait\n$1\nEND\n', w.program,
         text], cwd=w.project, start_new_session=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env=w.env | {"CLAUDECODE": "1", "CLAUDE_CODE_SSE_PORT": "1",
                     "DOVETAIL_HOOK": "run:1"})
    until(lambda: w.run("status")[0] == 0, "the hook's daemon")
    w.waiting(1)
    child = json.loads(w.good("status", "--json"))["pid"]
    top = stat_of(child)[0]  # the process that brings it back
    parent, group, session = stat_of(top)
    assert group == session == top == stat_of(child)[2], (top, group, session)
    assert parent != leader.pid and session != stat_of(leader.pid)[2]
    above = []
    while parent > 1:
        above.append(parent)
        parent = stat_of(parent)[0]
    assert leader.pid not in above, above
    for pid in (top, child):
        names = {entry.partition(b"=")[0] for entry in
                 Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")}
        assert b"HOME" in names and not names & {
            b"CLAUDECODE", b"CLAUDE_CODE_SSE_PORT", b"DOVETAIL_HOOK"}, names
    os.killpg(leader.pid, signal.SIGKILL)
    leader.wait()
    assert json.loads(w.good("status", "--json"))["pid"] == child


@test
def a_daemon_gets_a_scope_of_its_own_from_systemd(w):
    """With a stand-in for systemd-run, one that works and one that does not."""
    (w.top / "run/systemd").mkdir()
    (w.top / "run/systemd/private").touch()
    (w.top / "bin").mkdir()
    fake = w.top / "bin/systemd-run"
    path = f"{w.top}/bin:{w.env['PATH']}"
    said = w.top / "said"
    for end, words in (('exec "$@"', True), ("exit 1", False)):
        fake.write_text(f'#!/bin/sh\necho "$@" > {said}\n'
                        'while [ "$1" != -- ]; do shift; done; shift\n' + end)
        fake.chmod(0o755)
        w.good("start", PATH=path)
        assert said.read_text().startswith("--user --scope"), said.read_text()
        assert "serve --background" in said.read_text()
        pid = json.loads(w.good("status", "--json"))["pid"]
        environ = Path(f"/proc/{pid}/environ").read_bytes()
        assert f"PATH={path}".encode() in environ
        said.unlink()
        w.good("stop")


@test
def language_servers_are_listed_with_what_to_install(w):
    assert "No file here is of a language" in w.good("lsp")
    (w.project / "a.gleam").write_text("pub fn main() { Nil }\n")
    (w.project / "a.c").write_text("int answer(void);\nint x = sizeof(answer);\n")
    told = w.good("lsp")
    assert "have one of these" in told and "gleam" in told
    assert "installing (not tested)" in told
    languages = json.loads(w.good("lsp", "--json"))["languages"]
    assert "gleam" in [each["language"] for each in languages]
    w.bad(3, "dovetail lsp", "lsp", "restart", "clangd")
    code, _, err = w.run("call", "getHover",
                         f"filePath={w.project}/a.gleam", "line=1")
    assert code == 1 and "no language server for gleam" in err
    found = [each for each in languages if each.get("server") == "clangd"]
    if found:
        told = w.good("call", "goToDefinition", f"filePath={w.project}/a.c",
                      "line=2", "symbol=answer")
        assert '"line":1,"column":5' in told and "adjusted" not in told
        told = w.good("call", "getHover", "symbol=answer")
        assert "found by its name" in told and f"{w.project}/a.c" in told
        assert "clangd: ready" in w.good("lsp")
        assert "1 language server ended" in w.good("lsp", "restart")


@test
def language_servers_of_the_person_are_used(w):
    """The three forms of dovetail.conf(5)."""
    if not shutil.which("clangd"):
        print("clangd is not here")
        return
    clangd = shutil.which("clangd")
    (w.top / "config/dovetail").mkdir()
    (w.top / "config/dovetail/dovetail.conf").write_text(
        "[lsp]\nserver = clangd: clangd --log=error\n"
        f"server = mine gleam,gleam-test: {clangd} --log=error\n"
        'settings = mine: {"any": {"thing": true}}\n')
    w.file("sub/a.gleam", "pub fn main() { Nil }\n")
    a = w.file("sub/a.c", "int answer(void);\nint x = sizeof(answer);\n")
    w.good("start")
    pid = json.loads(w.good("status", "--json"))["pid"]
    languages = json.loads(w.good("lsp", "--json"))["languages"]
    assert {"gleam": "mine"}.items() <= \
        {each["language"]: each.get("server") for each in languages}.items()
    hover = json.loads(w.good("call", "getHover", f"filePath={a}", "line=1",
                              "column=5"))
    assert "answer" in json.dumps(hover), hover
    assert "clangd: ready" in w.good("lsp")
    # Asked about its own language, ours of no root is started, too.
    w.run("call", "getHover", f"filePath={w.project}/sub/a.gleam", "line=1",
          "column=8")
    assert "mine: ready" in w.good("lsp")
    assert json.loads(w.good("status", "--json"))["pid"] == pid


@test
def many_starts_at_once_make_one_daemon(w):
    starts = [subprocess.Popen([w.program, "start"], cwd=w.project, env=w.env)
              for _ in range(8)]
    assert [s.wait() for s in starts] == [0] * 8
    assert len(json.loads(w.good("status", "--json"))["workspaces"]) == 1


def daemons_of(w):
    """The pids of the daemons with this world's home."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            env = (folder / "environ").read_bytes().split(b"\0")
            words = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if f"HOME={w.env['HOME']}".encode() in env and b"serve" in words:
            found.append(int(folder.name))
    return found


@test
def a_client_that_dropped_the_variables_finds_the_daemon(w):
    w.good("config", "review.on_review", "true")
    w.good("start")
    client = w.as_sdk_client()
    pid = json.loads(w.good("status", "--json"))["pid"]
    assert json.loads(client.good("status", "--json"))["pid"] == pid
    relay = Relay(client, "--workspace", w.project)
    relay.shake()
    hold(w, relay, "a.txt")
    w.waiting(1)
    assert client.good("review", "list") == w.good("review", "list")
    # The files of that daemon, too.
    assert client.good("config", "review.on_review") == "true\n"
    assert len(daemons_of(w)) == 2  # the daemon and its parent
    relay.end()
    client.good("stop")
    until(lambda: not daemons_of(w), "the end of the daemon")


@test
def a_daemon_of_a_client_without_variables_is_found(w):
    client = w.as_sdk_client()
    relay = Relay(client, "--workspace", w.project)
    relay.shake()
    state = json.loads(w.good("status", "--json"))
    assert [x["roots"] for x in state["workspaces"]] == [[str(w.project)]]
    w.good("start")
    assert json.loads(w.good("status", "--json"))["pid"] == state["pid"]
    w.bad(1, f"pid {state['pid']}", "serve")
    assert len(daemons_of(w)) == 2
    relay.end()
    w.good("stop")
    # Nobody holds the record now, so the variables count again.
    w.good("start")
    assert (w.top / "run/dovetail/control.sock").exists()


@test
def a_daemon_that_nobody_can_reach_is_named(w):
    w.good("start")
    pid = json.loads(w.good("status", "--json"))["pid"]
    parent = int(Path(f"/proc/{pid}/stat").read_text().split(") ")[1].split()[1])
    shutil.rmtree(w.top / "run/dovetail")
    client = w.as_sdk_client()
    client.bad(1, f"kill {parent}", "start")
    os.kill(parent, signal.SIGTERM)
    until(lambda: not daemons_of(w), "the end of the daemon")
    client.good("start")


@test
def a_home_that_cannot_be_written_keeps_no_record(w):
    w.env["HOME"] = "/dev/null"
    w.good("start")
    log = (w.top / "state/dovetail/dovetail.log").read_text()
    assert "clients without XDG_RUNTIME_DIR may not find us" in log, log


@test
def many_clients_and_shells_at_once_make_one_daemon(w):
    client = w.as_sdk_client()
    starts = [subprocess.Popen([w.program, "start"], cwd=w.project, env=env)
              for env in [w.env, client.env] * 4]
    assert [s.wait() for s in starts] == [0] * 8
    assert len(daemons_of(w)) == 2
    assert json.loads(w.good("status", "--json"))["pid"] == \
        json.loads(client.good("status", "--json"))["pid"]


@test
def restart_keeps_the_workspace_and_its_port(w):
    w.good("start")
    before = json.loads(w.good("status", "--json"))
    assert "runs again" in w.good("restart")
    after = json.loads(w.good("status", "--json"))
    assert before["pid"] != after["pid"]
    assert [x["port"] for x in before["workspaces"]] == \
        [x["port"] for x in after["workspaces"]]


@test
def run_starts_the_agent_with_the_port(w):
    claude = w.file("claude", "#!/bin/sh\necho \"$*\"; env\nexit 7\n")
    claude.chmod(0o755)
    code, out, _ = w.run("run", "claude", "--no-hook", "--", "--resume", "a b",
                         DOVETAIL_CLAUDE=str(claude), NO_PROXY="corp",
                         MY_TOKEN="x")
    status = json.loads(w.good("status", "--json"))["workspaces"][0]
    assert code == 7
    lines = out.splitlines()
    assert lines[0] == "--resume a b"
    assert f"CLAUDE_CODE_SSE_PORT={status['port']}" in lines
    assert "ENABLE_IDE_INTEGRATION=true" in lines
    assert "DOVETAIL_AGENT=claude" in lines
    assert "NO_PROXY=corp,127.0.0.1,localhost" in lines
    assert "no_proxy=corp,127.0.0.1,localhost" in lines
    assert "PATH" in status["environment"]
    assert "MY_TOKEN" not in status["environment"]
    w.bad(3, "DOVETAIL_CLAUDE", "run", "claude", DOVETAIL_CLAUDE="/none")
    w.bad(3, "npm install -g", "run", "claude", PATH="/none")
    w.bad(2, "run claude", "run", "emacs")


@test
def each_agent_has_the_environment_it_brought(w):
    """A fake git of one agent is not run for another, nor for the person."""
    evil = w.top / "evil"
    evil.mkdir()
    (evil / "git").write_text("#!/bin/sh\necho evil\n")
    (evil / "git").chmod(0o755)
    subprocess.run(["git", "init", "-q"], cwd=w.project, env=w.env, check=True)
    w.good("start")
    bad = Relay(w, "--workspace", w.project, PATH=f"{evil}:{w.env['PATH']}")
    good = Relay(w, "--workspace", w.project)
    bad.shake()
    good.shake()
    for relay, output in ((bad, "evil"), (good, "On branch"), (bad, "evil")):
        told = use(relay, "runCommand", command="git", args=["status"])
        assert told["stdout"].startswith(output), told
    lines = [json.loads(line) for line in
             w.good("log", "--calls", "--json").splitlines()]
    ran = [(x["what"], x["message"]) for x in lines if x["kind"] == "program"]
    names = [(what, message.split(", ")[0]) for what, message in ran]
    assert names == [(f"{evil}/git", "environment of tester"),
                     (shutil.which("git"), "environment of tester"),
                     (f"{evil}/git", "environment of tester")], names
    assert len({message for _, message in ran}) == 2, ran
    bad.end()
    good.end()


COMMANDS = ["hooks", "PreToolUse", 0, "hooks", 0, "command"]


def dig(value, path):
    for name in path:
        value = value[name]
    return value


@test
def run_gives_the_agent_the_hook_beside_its_own_settings(w):
    claude = w.file("claude", '#!/bin/sh\nfor i; do echo "$i"; done | base64 -w0')
    claude.chmod(0o755)

    def words(*args):
        out = w.good("run", "claude", *args, DOVETAIL_CLAUDE=str(claude))
        return base64.b64decode(out).decode().rstrip("\n")

    def settings(text):
        assert text.startswith("--settings\n")
        return json.JSONDecoder().raw_decode(text, text.index("{"))

    value, end = settings(words("--", "-p", "x"))
    command = dig(value, COMMANDS)
    assert command.endswith(f"exec '{w.program}' hook claude"), command
    gone = subprocess.run(
        ["sh", "-c", command.replace(w.program, "/nonexistent")], text=True,
        capture_output=True)
    assert gone.returncode == 2 and "not at /nonexistent any more" in \
        gone.stderr and "take its hook" in gone.stderr, gone
    given = '{"model":"m","hooks":{"Stop":[]}}'
    file = w.file("mine.json", given)
    for args in (["--settings", given], [f"--settings= {given}"]):
        text = words("--", "-c", *args, "--", "--settings", "y")
        value, end = settings(text)
        assert value["model"] == "m" and value["hooks"]["Stop"] == []
        assert dig(value, COMMANDS) == command
        assert text[end:].split() == ["-c", "--", "--settings", "y"]
    w.file("mine.json", given[:-1] + f',"key":"{"s" * 200000}"' + "}")
    for _ in range(2):
        option, name, *rest = words("--", "-c", "--settings", file).split("\n")
        value = json.loads(Path(name).read_text())
        assert option == "--settings" and rest == ["-c"]
        assert value["model"] == "m" and len(value["key"]) == 200000
        assert dig(value, COMMANDS) == command
        assert Path(name).stat().st_mode & 0o777 == 0o600
    assert len(list((w.top / "run/dovetail").glob("settings-*"))) == 1
    assert words("--no-hook", "--", "--settings", "x") == "--settings\nx"
    w.bad(2, "not JSON", "run", "claude", "--", "--settings", "{",
          DOVETAIL_CLAUDE=str(claude))
    w.bad(3, "none.json", "run", "claude", "--", "--settings", "none.json",
          DOVETAIL_CLAUDE=str(claude))


@test
def a_hook_waits_for_the_verdict(w):
    a = w.file("a.txt", "one\n")
    hook = start_hook(w, edit_of(w, a, "one", "two"))
    until(lambda: w.run("status")[0] == 0, "the hook starts no daemon")
    review = w.waiting(1)[0]
    assert "+two" in w.good("review", "show", review["id"])
    w.good("review", "accept", "--next")
    assert decision(hook)["permissionDecision"] == "allow"

    hook = start_hook(w, edit_of(w, a, "one", "two"))
    w.waiting(1)
    w.good("review", "accept", "--next", "--text-file", w.file("m", "grün"),
           "--comment", "in German")
    answer = decision(hook)
    assert answer["updatedInput"]["new_string"] == "grün"
    told = answer["additionalContext"]
    assert "\n-two\n+grün\n" in told and told.endswith("says: in German"), told

    hook = start_hook(w, edit_of(w, a, "one", "two"))
    w.waiting(1)
    w.good("review", "accept", "--next", "--comment", "thanks")
    assert decision(hook)["additionalContext"].endswith("says: thanks")

    hook = start_hook(w, edit_of(w, a, "one", "two"))
    w.waiting(1)
    w.good("review", "reject", "--next", "--comment", "later")
    assert decision(hook) == {
        "hookEventName": "PreToolUse", "permissionDecision": "deny",
        "permissionDecisionReason": "The person rejected this change: later"}


def configure(w, text):
    (w.top / "config/dovetail").mkdir(exist_ok=True)
    (w.top / "config/dovetail/dovetail.conf").write_text(text)


def pid_of(w):
    return json.loads(w.good("status", "--json"))["pid"]


@test
def a_hook_that_cannot_ask_lets_nothing_pass(w):
    edit = edit_of(w, w.file("a.txt", "one\n"), "one", "two")
    wrong = ("", "{", "[]", "{}", edit | {"tool_input": 7})
    for input in wrong:
        told = decision(start_hook(w, input))
        assert told["permissionDecision"] == "ask", (input, told)
        for word in "dovetail start", "dovetail.log", "hook uninstall claude":
            assert word in told["permissionDecisionReason"], told
    hook = start_hook(w, edit | {"tool_name": "Bash"})
    assert hook.communicate(timeout=20) == ("", "") and hook.returncode == 0
    # With -p nobody is there to be asked.
    told = decision(start_hook(w, "{", CLAUDE_CODE_SESSION_ATTENDED="0"))
    assert told["permissionDecision"] == "deny", told
    told = decision(start_hook(w, "{", CLAUDE_CODE_SESSION_ATTENDED="1"))
    assert told["permissionDecision"] == "ask", told
    configure(w, "[hook]\nwhen_down = deny\n")
    assert decision(start_hook(w, "{"))["permissionDecision"] == "deny"
    configure(w, "[hook]\nwhen_down = allow\n")
    hook = start_hook(w, "{", CLAUDE_CODE_SESSION_ATTENDED="0")
    out, _ = hook.communicate(timeout=20)
    assert hook.returncode == 0 and list(json.loads(out)) == ["systemMessage"]


@test
def a_hook_takes_no_word_of_a_daemon_it_does_not_understand(w):
    """One of another version, one that hangs up, one that talks nonsense."""
    edit = edit_of(w, w.file("a.txt", "one\n"), "one", "two")
    (w.top / "run/dovetail").mkdir(mode=0o700)
    name = w.top / "run/dovetail/control.sock"
    older = (b'{"jsonrpc":"2.0","id":0,"error":{"code":-32012,"message":'
             b'"the daemon is of another version: run `dovetail restart`"}}\n')
    for answer, why in ((older, "of another version"), (b"", "went away"),
                        (b"allow\n", ""), (b'{"output":""}\n', "")):
        server = socket.socket(socket.AF_UNIX)
        server.bind(str(name))
        server.listen(8)
        hook = start_hook(w, edit)
        server.settimeout(0.2)
        while hook.poll() is None:
            try:
                link, _ = server.accept()
            except TimeoutError:
                continue
            with link:
                link.recv(4096)
                link.sendall(answer)
        told = decision(hook)
        assert told["permissionDecision"] == "ask", told
        assert why in told["permissionDecisionReason"], told
        server.close()
        name.unlink()


@test
def a_hook_without_a_way_to_answer_stops_the_edit(w):
    """Exit code 2 is how the CLI is told without words."""
    with open("/dev/full", "w") as full:
        hook = subprocess.Popen([w.program, "hook", "claude"], cwd=w.project,
                                env=w.env, stdin=subprocess.DEVNULL,
                                stdout=full, stderr=subprocess.PIPE, text=True)
        _, err = hook.communicate(timeout=20)
    assert hook.returncode == 2 and "cannot print the answer" in err, err


@test
def words_of_manual_mode_go_with_the_next_prompt(w):
    prompt = {"session_id": "s", "cwd": str(w.project),
              "hook_event_name": "UserPromptSubmit", "prompt": "go on"}
    cli = subprocess.Popen(
        ["sh", "-c", 'while read -r _; do "$0" hook claude <"$1"; echo "|$?"; done',
         w.program, w.file("prompt", json.dumps(prompt))], cwd=w.project,
        env=w.env, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT)

    def said():
        cli.stdin.write("\n")
        cli.stdin.flush()
        out, _, code = cli.stdout.readline().rpartition("|")
        assert code == "0\n", code
        return json.loads(out)["hookSpecificOutput"] if out else None

    assert said() is None
    assert w.run("status")[0] == 3, "a prompt starts no daemon"
    w.good("start")
    agent = w.agent(pid=cli.pid)
    a = w.file("a.txt", "one\n")
    assert said() is None
    for verdict, comment in (("reject", "no\tTWO"), ("accept", "fine"),
                             ("reject", "")):
        agent.propose(a, "two\n")
        w.waiting(1)
        w.good("review", verdict, "--next", "--comment", comment)
        w.waiting(0)
    assert said() == {
        "hookEventName": "UserPromptSubmit", "additionalContext":
        f"The person rejected your change of {a}: no\tTWO\n"
        f"The person accepted your change of {a} and says: fine\n"}
    assert said() is None
    pid = json.loads(w.good("status", "--json"))["pid"]
    os.kill(pid, signal.SIGSTOP)
    try:
        began = time.monotonic()
        assert said() is None and time.monotonic() - began < 5
    finally:
        os.kill(pid, signal.SIGCONT)
        cli.stdin.close()
        cli.wait()


@test
def a_hook_goes_on_with_its_review_whatever_becomes_of_the_daemon(w):
    w.good("start")
    a = w.file("a.txt", "one\n")
    hook = start_hook(w, edit_of(w, a, "one", "TWO"))
    review = w.waiting(1)[0]
    person = Terminal(w, "review")  # writes zwei for TWO, and does not decide
    person.expect(PROMPT)
    person.type("e")
    person.expect("zwei")
    person.expect(PROMPT)
    person.type("q")
    person.ended()

    def kill_all():
        child = pid_of(w)
        parent = stat_of(child)[0]
        os.kill(parent, signal.SIGKILL)
        os.kill(child, signal.SIGKILL)

    for end in (lambda: os.kill(pid_of(w), signal.SIGKILL), kill_all,
                lambda: w.good("stop", "--force"), lambda: w.good("restart")):
        before = pid_of(w)
        end()
        until(lambda: w.run("review", "list")[0] == 0 and pid_of(w) != before,
              "the daemon does not come back")
        again = w.waiting(1)[0]
        assert again["id"] == review["id"], (review, again)
        assert again["openedMs"] == review["openedMs"]
        assert again["entries"][0]["isEdited"], again
        assert hook.poll() is None and a.read_text() == "one\n"
    w.good("review", "accept", review["id"])
    assert decision(hook)["permissionDecision"] == "allow"
    log = [json.loads(line) for line in w.good("log", "--json").splitlines()]
    assert [r["state"] for r in log if r.get("id") == review["id"]] == \
        ["writing"], log


@test
def a_verdict_given_while_the_hook_looked_away_is_answered_at_once(w):
    w.good("start")
    hook = start_hook(w, edit_of(w, w.file("a.txt", "one\n"), "one", "two"))
    id = w.waiting(1)[0]["id"]
    os.kill(hook.pid, signal.SIGSTOP)
    w.good("stop", "--force")
    w.good("start")
    w.good("review", "reject", id, "--comment", "seen later")
    os.kill(hook.pid, signal.SIGCONT)
    told = decision(hook)
    assert told["permissionDecision"] == "deny"
    assert "seen later" in told["permissionDecisionReason"], told


@test
def a_hook_whose_agent_is_gone_ends_and_starts_no_daemon(w):
    w.good("start")
    configure(w, "[hook]\nhang_seconds = 5\n")
    edit = edit_of(w, w.file("a.txt", "one\n"), "one", "two")
    hook = start_hook(w, edit)
    w.waiting(1)
    hook.stdout.close()
    assert hook.wait(timeout=20) == 1
    w.waiting(0)  # this process, which stands for the CLI, lives
    ours, its = socket.socketpair()  # as the CLI has it
    hook = subprocess.Popen([w.program, "hook", "claude"], cwd=w.project,
                            env=w.env, text=True, stdin=subprocess.PIPE,
                            stdout=its)
    w.hooks.append(hook)
    its.close()
    hook.stdin.write(json.dumps(edit))
    hook.stdin.close()
    w.waiting(1)
    ours.close()
    w.good("stop", "--force")
    assert hook.wait(timeout=20) == 1
    assert w.run("status")[0] == 3


@test
def a_hook_whose_program_is_gone_asks(w):
    program = w.program
    w.program = shutil.copy(program, w.top / "dovetail")
    a = w.file("a.txt", "one\n")
    hook = start_hook(w, edit_of(w, a, "one", "two"))
    until(lambda: w.run("status")[0] == 0, "the daemon")
    w.waiting(1)
    child = pid_of(w)
    os.unlink(w.program)
    w.program = program
    os.kill(stat_of(child)[0], signal.SIGKILL)
    os.kill(child, signal.SIGKILL)
    told = decision(hook)
    assert told["permissionDecision"] == "ask", told
    assert "did not start" in told["permissionDecisionReason"], told


@test
def a_daemon_that_hangs_is_noticed_and_said(w):
    w.good("start")
    a = w.file("a.txt", "one\n")
    configure(w, "[hook]\nhang_seconds = 10\n")
    patient = start_hook(w, edit_of(w, a, "one", "two"))
    w.waiting(1)
    configure(w, "[hook]\nhang_seconds = 5\n")
    hook = start_hook(w, edit_of(w, a, "one", "three"))
    id = next(r["id"] for r in w.waiting(2))
    pid = pid_of(w)
    os.kill(pid, signal.SIGSTOP)
    try:
        late = start_hook(w, edit_of(w, a, "one", "four"),
                          CLAUDE_CODE_SESSION_ATTENDED="0")
        told = decision(hook)
        assert told["permissionDecision"] == "ask", told
        assert f"(pid {pid}) does not answer: `kill -CONT {pid}`" in \
            told["permissionDecisionReason"], told
        assert decision(late)["permissionDecision"] == "deny"
        assert "the edit goes on waiting" in patient.stderr.readline()
    finally:
        os.kill(pid, signal.SIGCONT)
    assert "answers again" in patient.stderr.readline()
    # What it finds when it wakes up: one of the two does not wait any more.
    assert w.waiting(1)[0]["id"] == id
    w.good("review", "accept", id)
    assert decision(patient)["permissionDecision"] == "allow"


@test
def stop_asks_while_changes_wait(w):
    w.good("start")
    w.agent().propose(w.file("a.txt", "x\n"), "y\n")
    w.waiting(1)
    pid = pid_of(w)
    w.bad(1, "1 change waits for a verdict", "stop")
    person = Terminal(w, "stop")
    person.expect("1 change waits for a verdict.")
    person.expect("[y/N] ")
    person.type("n\n")
    assert person.ended() == 1 and pid_of(w) == pid
    assert "1 change waited" in w.good("restart")
    w.agent().propose(w.file("a.txt", "x\n"), "y\n")
    w.waiting(1)
    person = Terminal(w, "stop")
    person.expect("[y/N] ")
    person.type("y\n")
    person.expect("The daemon has stopped.")
    assert person.ended() == 0
    assert w.run("status")[0] == 3


def state_of(w, id):
    return json.loads(w.good("review", "show", id, "--json"))["state"]


@test
def a_killed_hook_takes_its_edit_back(w):
    w.good("start")
    edit = edit_of(w, w.file("a.txt", "one\n"), "one", "TWO")
    hook = start_hook(w, edit)
    id = w.waiting(1)[0]["id"]
    hook.terminate()  # as Esc does; this process is the CLI, and lives
    hook.communicate(timeout=20)
    until(lambda: state_of(w, id) == "withdrawn", "the review goes on waiting")
    time.sleep(2)
    assert state_of(w, id) == "withdrawn" and w.good("review", "list") == ""
    assert "  withdrawn  change a.txt" in w.good("log")

    # What the person has made of it stays in sight.
    hook = start_hook(w, edit)
    id = w.waiting(1)[0]["id"]
    person = Terminal(w, "review")
    person.expect(PROMPT)
    person.type("e")
    person.expect(PROMPT)
    hook.kill()
    hook.communicate(timeout=20)
    person.expect("The agent took it back.")
    person.expect("No change waits")
    person.type("q")
    person.ended()
    assert "withdrawn, with your edits" in w.good("review", "list")


@test
def a_hook_that_dies_with_its_cli_leaves_an_orphan(w):
    w.good("start")
    edit = edit_of(w, w.file("a.txt", "one\n"), "one", "two")
    # The first shell is the CLI, the second the one it runs hooks with.
    cli = subprocess.Popen(
        ["sh", "-c", 'CLAUDE_PID=$$ sh -c \'"$0" hook claude <"$1"; :\' "$0" "$1";'
         ' :', w.program, w.file("edit", json.dumps(edit))],
        cwd=w.project, env=w.env, start_new_session=True)
    id = w.waiting(1)[0]["id"]
    os.killpg(cli.pid, signal.SIGKILL)
    cli.wait()
    until(lambda: state_of(w, id) == "orphaned", "the edit is lost")
    assert "orphaned" in w.good("review", "list")


@test
def status_says_whose_edits_are_reviewed(w):
    assert w.good("status", "--line") == "dovetail: not running\n"
    assert not list((w.top / "run").rglob("*.sock")), "it started a daemon"
    w.good("start")
    assert w.good("status", "--line") == "dovetail: project, no agent\n"
    assert w.good("status", "--line", cwd="/") == "dovetail: not served\n"
    w.bad(2, "--line", "status", "--line", "--json")
    cli, lone = (subprocess.Popen(["sleep", "60"], cwd=w.project, env=w.env | env)
                 for env in ({}, {"HOME": str(w.top)}))
    agent = w.agent(pid=cli.pid)
    try:
        out = w.good("status")
        assert "in manual and plan mode only: it has no hook" in out, out
        assert w.good("status", "--line") == \
            "dovetail: project, 1 agent, NOT reviewed\n"
        w.good("hook", "install", "claude", "--yes")
        out = w.good("status")
        assert "its edits are reviewed: the hook is in " in out, out
        assert "pass without asking" not in out
        agent.propose(w.file("a.txt", "x\n"), "y\n")
        w.waiting(1)
        assert w.good("status", "--line") == \
            "dovetail: project, 1 agent, reviewed, 1 waiting\n"
        session = json.loads(
            w.good("status", "--json"))["workspaces"][0]["sessions"][0]
        assert session["isReviewed"] and session["hook"] == "settings"
        other = w.agent(pid=lone.pid)
        until(lambda: "1 NOT reviewed" in w.good("status", "--line"), "it")
        other.leave()
        policy(w, "allow = a\nrecord = b\nask = c\n")
        w.good("reload")
        assert "2 rules let changes pass without asking: " in w.good("status")
        until(lambda: "reviewed by rules" in w.good("status", "--line"), "it")
    finally:
        for process in (cli, lone):
            process.kill()
            process.wait()


UNREVIEWED = "What an agent changes through its shell (sed, a heredoc) is not " \
    "reviewed yet."


@test
def what_is_not_reviewed_is_said_wherever_reviews_are_promised(w):
    top = Path(__file__).parent.parent.parent
    for name in ("README.md", "man/dovetail.1", "docs/protocol/claude-hook.md"):
        assert UNREVIEWED in " ".join((top / name).read_text().split()), name
    w.good("start")
    assert UNREVIEWED not in w.good("status")
    w.agent()
    assert f"    {UNREVIEWED}\n" in w.good("status")
    assert UNREVIEWED in w.good("hook", "install", "claude", "--yes")
    claude = w.file("claude", "#!/bin/sh\n")
    claude.chmod(0o755)
    run = Terminal(w, "run", "claude", DOVETAIL_CLAUDE=str(claude))
    run.expect(UNREVIEWED)
    assert run.ended() == 0
    assert UNREVIEWED in w.good("demo", "--answers", "aaa")


@test
def status_says_that_an_mcp_client_is_seen_in_part(w):
    w.good("start")
    relay = Relay(w)
    relay.shake()
    assert w.good("status", "--line") == \
        "dovetail: project, 1 agent, only proposals reviewed\n"
    assert "only what it proposes is reviewed: what it writes by itself is " \
        "not seen" in w.good("status")
    session = json.loads(
        w.good("status", "--json"))["workspaces"][0]["sessions"][0]
    assert not session["isReviewed"] and session["hook"] == "proposes"
    w.agent()
    assert w.good("status", "--line") == \
        "dovetail: project, 2 agents, 1 NOT reviewed\n"
    relay.end()


@test
def a_prompt_waits_for_no_daemon_that_hangs(w):
    w.good("start")
    pid = json.loads(w.good("status", "--json"))["pid"]
    os.kill(pid, signal.SIGSTOP)
    try:
        began = time.monotonic()
        assert w.good("status", "--line") == ""
        assert time.monotonic() - began < 5
    finally:
        os.kill(pid, signal.SIGCONT)


@test
def run_says_what_it_gave_the_agent(w):
    # The shell is the CLI, so that its process is the one that run was.
    claude = w.file("claude", '#!/bin/sh\necho $$ "$DOVETAIL_HOOK"\n')
    claude.chmod(0o755)
    for word, *args in (["run"], ["off", "--no-hook"]):
        out = w.good("run", "claude", *args, DOVETAIL_CLAUDE=str(claude))
        pid, said = out.split()
        assert said == f"{word}:{pid}", out
    own = w.file(".claude/settings.json", '{"disableAllHooks": true}')
    for args, is_told in ([], True), (["--no-hook"], False):
        _, _, err = w.run("run", "claude", *args, DOVETAIL_CLAUDE=str(claude))
        assert (f"{own} turns hooks off" in err) == is_told, err


@test
def the_hook_is_installed_and_uninstalled_to_the_byte(w):
    file = w.top / "home/.claude/settings.json"
    backup = Path(f"{file}.dovetail-backup")
    install = ("hook", "install", "claude", "--yes")
    uninstall = ("hook", "uninstall", "claude", "--yes")
    w.bad(1, "--yes", "hook", "install", "claude")
    assert not file.exists()
    assert "+++ b" in w.good(*install)
    assert dig(json.loads(file.read_text()), COMMANDS).endswith(
        f"exec '{w.program}' hook claude")
    assert "already" in w.good(*install) and not backup.exists()
    w.good(*uninstall)
    assert not file.exists()
    usual = w.program
    w.program = shutil.copy(usual, w.top / "dt")
    w.good(*install)
    assert "already" in w.good(*install)
    w.good(*uninstall)
    assert not file.exists()
    w.program = usual
    assert "no hook" in w.good(*uninstall)

    before = '{\n\t"model" : "x",  "hooks":{ "Stop":[] }}'
    file.write_text(before)
    file.chmod(0o640)
    w.good(*install)
    assert json.loads(file.read_text())["hooks"]["Stop"] == []
    assert json.loads(file.read_text())["env"] == {"DOVETAIL_AGENT": "claude"}
    assert backup.read_text() == before and file.stat().st_mode & 0o777 == 0o640
    w.good(*install)
    assert backup.read_text() == before
    w.good(*uninstall)
    assert file.read_text() == before and not backup.exists()

    w.good(*install)
    file.write_text(file.read_text().replace('"x"', '"y"'))
    w.good(*uninstall)
    assert file.read_text() == before.replace('"x"', '"y"')

    # One of an older version, which let edits pass when it could not run.
    w.good(*install)
    text = json.loads(file.read_text())
    entry = dig(text, COMMANDS[:-1])
    assert entry["onFailure"] == "block"
    assert "dovetail review" in entry["statusMessage"]
    del entry["onFailure"], entry["statusMessage"]
    file.write_text(json.dumps(text))
    w.good(*install)
    assert dig(json.loads(file.read_text()), COMMANDS[:-1])["onFailure"] == \
        "block"
    w.good(*uninstall)
    assert json.loads(file.read_text()) == \
        json.loads(before.replace('"x"', '"y"'))


@test
def what_changes_under_a_question_is_left_alone(w):
    file = w.top / "home/.claude/settings.json"
    for before, now in (None, "{}"), ('{"a":1}', '{"a":2}'):
        if before:
            file.write_text(before)
        person = Terminal(w, "hook", "install", "claude")
        person.expect("[y/N] ")
        file.write_text(now)
        person.type("y\n")
        person.expect("has changed meanwhile")
        assert person.ended() == 1 and file.read_text() == now
    w.good("hook", "install", "claude", "--yes")
    person = Terminal(w, "hook", "uninstall", "claude")
    person.expect("[y/N] ")
    file.write_text("{}")
    person.type("y\n")
    person.expect("has changed meanwhile")
    assert person.ended() == 1 and file.read_text() == "{}"


@test
def the_hook_goes_where_the_options_say(w):
    w.good("hook", "install", "claude", "--project", "--yes")
    assert (w.project / ".claude/settings.json").exists()
    w.good("hook", "uninstall", "claude", "--project", "--yes")
    real = w.top / "dotfiles.json"
    real.write_text("{}\n")
    config = w.top / "claude-config"
    config.mkdir()
    (config / "settings.json").symlink_to(real)
    w.good("hook", "install", "claude", "--user", "--yes",
           CLAUDE_CONFIG_DIR=str(config))
    assert (config / "settings.json").is_symlink()
    assert "PreToolUse" in real.read_text()
    assert not (w.top / "home/.claude/settings.json").exists()
    w.bad(2, "name one", "hook", "install", "claude", "--user", "--project")
    w.bad(2, "only for claude", "hook", "install", "emacs")
    real.write_text("{ // no\n}")
    w.bad(2, "not JSON", "hook", "install", "claude", "--yes",
          CLAUDE_CONFIG_DIR=str(config))
    assert real.read_text() == "{ // no\n}"
    w.bad(2, "which hook", "hook")


@test
def scripts_accept_and_reject(w):
    w.good("start")
    agent = w.agent()
    a = w.file("a.txt", "one\ntwo\n")
    first = agent.propose(a, "one\nTWO\n")
    w.waiting(1)
    second = agent.propose(w.project / "new.txt", "fresh\n")
    review = w.waiting(2)[0]
    listed = w.good("review", "list").splitlines()
    assert listed[0].startswith(f"{review['id'][:8]}  change a.txt"), listed
    assert "create new.txt" in listed[1]
    shown = w.good("review", "show", review["id"][:8])
    assert "--- a/a.txt\n+++ b/a.txt\n" in shown and "\n-two\n+TWO\n" in shown
    assert "dovetail review\n" in w.good("status")
    w.good("review", "accept", review["id"][:6])
    assert agent.verdict(first) == ["FILE_SAVED", "one\nTWO\n"]
    w.good("review", "reject", "--next", "--comment", "no")
    assert agent.verdict(second)[0] == "DIFF_REJECTED"
    assert a.read_text() == "one\ntwo\n", "the agent writes, not we"


@test
def a_text_of_the_person_is_what_the_agent_gets(w):
    w.good("start")
    agent = w.agent()
    mine = w.file("mine", "grün\n")
    id = agent.propose(w.file("a.txt", "x\n"), "y\n")
    w.good("review", "accept", "--wait", "10", "--text-file", mine)
    assert agent.verdict(id) == ["FILE_SAVED", "grün\n"]
    mine.write_bytes(b"\xff")
    w.bad(2, "not UTF-8", "review", "accept", "--next", "--text-file", mine)


@test
def waiting_ends_in_time_and_names_are_checked(w):
    w.good("start")
    began = time.monotonic()
    w.bad(3, "in time", "review", "accept", "--next", "--wait", 1)
    assert 0.9 < time.monotonic() - began < 5
    w.bad(3, "--wait", "review", "accept", "--next")
    w.bad(2, "either its ID or --next", "review", "accept")
    w.bad(2, "either its ID or --next", "review", "accept", "ab", "--next")
    w.bad(3, "review", "review", "show", "0123456789")
    w.bad(3, "--all", "review", "list", cwd="/")
    assert w.good("review", "list", "--all", cwd="/") == ""


@test
def files_are_changed_by_tools(w):
    policy(w, "allow = **")
    file = w.project / "a.c"
    file.write_text("int   one;\nint two;\n")
    edit = {"type": "insert", "line": 2, "column": 1, "text": "long "}

    def call(tool, **arguments):
        return json.loads(w.good("call", tool, json.dumps(arguments)))

    assert call("editText", filePath=str(file), edits=[edit])["written"]
    assert file.read_text() == "int   one;\nlong int two;\n"
    found = call("searchAndReplace", pattern="two", replacement="drei")
    assert found["verdict"] == "none" and len(found["changes"]) == 1
    assert "diff" not in found["changes"][0], found
    assert "--- a/a.c\n+++ b/a.c\n" in found["diff"], found
    agent = Relay(w)
    agent.shake()
    id = use(agent, "beginTransaction")["transactionId"]
    staged = use(agent, "stageEdit", transactionId=id, filePath=str(file),
                 operation="searchReplace", search="two", replace="zwei")
    assert "--- a/a.c\n+++ b/a.c\n" in staged["diff"], staged
    agent.end()
    # A person's calls are a session each, and the transaction outlives them.
    call("beginTransaction", transactionId="mine")
    call("stageEdit", transactionId="mine", filePath=str(file),
         operation="searchReplace", search="one", replace="uno")
    call("stageEdit", transactionId="mine", filePath=f"{w.project}/new.c",
         operation="content", newContent="x\n")
    cannot(w, "its session has ended", "commitTransaction", "transactionId=x")
    assert call("commitTransaction", transactionId="mine")["written"]
    assert file.read_text() == "int   uno;\nlong int two;\n"
    cannot(w, "it is over", "stageEdit", "transactionId=mine",
           f"filePath={file}", "operation=content", "newContent=x")
    file.write_text("int   one;\nlong int two;\n")
    code, _, err = w.run("call", "replaceBlock", f"filePath={file}",
                         "oldContent=int", "newContent=x")
    assert code == 1 and "oldContent is in the file 2 times" in err, err
    assert "edits[" not in err and "replaceAll" not in err, err
    if shutil.which("clang-format"):
        assert call("formatDocument", filePath=str(file))["written"]
        assert file.read_text().startswith("int one;\n")
    if shutil.which("clangd"):
        done = call("renameSymbol", filePath=str(file), line=1, column=5,
                    newName="uno")
        assert done["written"], done
        assert file.read_text().startswith("int uno;\n")
        done = call("renameSymbol", filePath=str(file), symbol="uno",
                    newName="eins")
        assert done["written"], done
        assert file.read_text().startswith("int eins;\n")
        cannot(w, "is not in", "renameSymbol", f"filePath={file}",
               "symbol=nobody", "newName=x")
    assert call("deleteFile", filePath=str(file))["written"]
    assert not file.exists()


@test
def folders_are_made_and_deleted_into_the_trash(w):
    policy(w, "allow = **")
    w.good("start")
    trash = w.top / "home/.local/share/Trash"

    def call(tool, **arguments):
        return json.loads(w.good("call", tool, json.dumps(arguments)))

    sub = w.project / "sub"
    assert call("createFile", filePath=str(sub / "x"),
                isDirectory=True)["written"]
    assert (sub / "x").is_dir()
    cannot(w, "there already", "createFile", f"filePath={sub}/x",
           "isDirectory=true")
    for name in ("one", "x/two"):
        w.file(f"sub/{name}", name)
    code, _, err = w.run("call", "deleteFile", f"filePath={sub}")
    assert code == 1 and "say recursive" in err and (sub / "one").exists()
    (sub / "link").symlink_to("one")
    cannot(w, "neither a file nor a folder", "deleteFile", f"filePath={sub}",
           "recursive=true")
    (sub / "link").unlink()
    trash.mkdir(parents=True)
    done = call("deleteFile", filePath=str(sub), recursive=True)
    assert done["written"] and not sub.exists(), done
    where = {c["path"]: c.get("trashedTo") for c in done["changes"]}
    assert Path(where[f"{sub}/x/two"]).read_text() == "x/two", where
    assert where[f"{sub}/"] is None and len(where) == 4, where
    info = (trash / "info/two.trashinfo").read_text()
    assert info.startswith(f"[Trash Info]\nPath={sub}/x/two\n"), info
    gone = w.file("gone", "x")
    done = call("deleteFile", filePath=str(gone), useTrash=False)
    assert "trashedTo" not in done["changes"][0] and not gone.exists(), done
    policy(w, "")
    w.good("reload")
    call("createFile", filePath=str(sub), isDirectory=True, wait=False)
    [review] = w.waiting(1)
    assert "create sub/" in w.good("review", "list")
    person = Terminal(w, "review")
    person.expect(PROMPT)
    person.type("a")
    person.expect("Accepted.")
    person.type("q")
    assert person.ended() == 0 and sub.is_dir()


@test
def what_steers_other_programs_is_never_an_ordinary_change(w):
    policy(w, "allow = **")
    w.good("start")
    make_repository(w)
    hook = w.project / ".git/hooks/pre-commit"
    for name in (hook, w.project / "sub/.GIT/config"):
        cannot(w, "belongs to git", "createFile", f"filePath={name}",
               "content=x")
        cannot(w, "belongs to git", "proposeEdit", "write=true",
               "changes=" + json.dumps({"path": str(name), "text": "x"}))
    assert not hook.exists()
    tool(w, "createFile", f"filePath={w.project}/.vscode/tasks.json",
         "content=x", "wait=false")
    [review] = w.waiting(1)
    assert review["entries"][0]["isSettings"], review
    assert "tasks.json (SETTINGS)" in w.good("review", "list")
    shown = w.good("review", "show", review["id"])
    assert "CAREFUL: .vscode/tasks.json steers" in shown, shown


def mode(path):
    return oct(path.lstat().st_mode & 0o777)


@test
def projects_get_the_person_s_umask_and_our_files_none(w):
    policy(w, "allow = **\n[run]\nallow = touch")
    before = os.umask(0o022)
    try:
        w.good("start")
    finally:
        os.umask(before)
    w.good("call", "createFile", f"filePath={w.project}/new/a.txt",
           "content=x")
    w.good("call", "runCommand", "command=touch", "args=made.txt")
    assert mode(w.project / "new") == "0o755"
    assert mode(w.project / "new/a.txt") == "0o644"
    assert mode(w.project / "made.txt") == "0o644"
    ours = [*(w.top / "run").rglob("*"), *(w.top / "state").rglob("*")]
    names = {path.name for path in ours}
    assert "dovetail.log" in names and "control.sock" in names, names
    for path in ours:
        assert mode(path)[-2:] == "00", (path, mode(path))


@test
def an_agent_cannot_decide(w):
    w.good("start")
    shell = subprocess.Popen(
        ["sh", "-c", f"read go; {w.program} review accept --next; "
         "echo exit $?"], cwd=w.project, env=w.env, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    w.agent(pid=shell.pid).propose(w.file("a.txt", "x\n"), "y\n")
    w.waiting(1)
    out, err = shell.communicate("go\n")
    assert "exit 4" in out and "agent" in err, out + err
    w.waiting(1)


@test
def what_is_open_is_told_as_it_is_documented(w):
    def rows(text):
        return [(a.strip(), b.strip()) for a, b in
                re.findall(r"^  (\S.*)\n    (\S.*)$", text, re.M)]
    code, out, _ = w.run("status", "--security")
    assert code == 3
    told = rows(out)
    page = Path(__file__).parents[2] / "docs/internals/security.md"
    _, _, table = page.read_text().partition("| who can still do it | why |\n")
    documented = [tuple(cell.strip() for cell in line.split("|")[1:3])
                  for line in table.splitlines()[1:] if line.startswith("|")]
    assert told == documented and len(told) > 5, (told, documented)
    w.good("start")
    assert "no agent is connected" in w.good("status", "--security")
    w.agent()
    hook = start_hook(w, edit_of(w, w.file("a.txt", "one\n"), "one", "two"),
                      DOVETAIL_AGENT="claude")
    w.waiting(1)
    out = w.good("status", "--security")
    assert f"claude-code (pid {os.getpid()}) is known by its connection, its " \
        "hook, DOVETAIL_AGENT\n" in out, out
    w.good("review", "reject", "--next")
    decision(hook)
    relay = Relay(w, "--workspace", w.project)
    relay.shake()
    out = w.good("status", "--security")
    assert f"tester (pid {os.getpid()}) is known by its connection; no mark" \
        in out, out
    relay.end()
    w.bad(2, "name one of", "status", "--security", "--json")


PERSONS = [  # what only the person may do; the first ones need no daemon
    ("stop",), ("restart",), ("config", "limits.calls", "7"),
    ("policy", "allow", "true"), ("policy", "disallow", "git"),
    ("hook", "install", "claude", "--yes"),
    ("hook", "uninstall", "claude", "--yes"),
    ("reload",), ("mute",), ("unmute",), ("terminals",),
]


@test
def only_the_person_stops_and_configures(w):
    def files():
        return sorted(str(p) for top in ("config", "home")
                      for p in (w.top / top).rglob("*"))
    before = files()
    for command in PERSONS[:7]:
        w.bad(4, "an agent cannot", *command, DOVETAIL_AGENT="claude")
    assert files() == before
    w.good("start", CLAUDECODE="1")
    before = files()
    pid = json.loads(w.good("status", "--json", CLAUDECODE="1"))["pid"]
    for variable in ("CLAUDECODE", "GEMINI_CLI", "OPENCODE", "DOVETAIL_RUN"):
        for command in PERSONS:
            w.bad(4, f"{variable} in the environment of process", *command,
                  **{variable: "1"})
    # An environment that was cleaned is not enough: its parent has one.
    clean = " ".join(f"{name}='{value}'" for name, value in w.env.items())
    for command in PERSONS:
        tried = subprocess.run(
            ["sh", "-c", f"env -i {clean} {w.program} {' '.join(command)}; "
             "exit $?"], cwd=w.project, env=w.env | {"QWEN_CODE": "1"},
            capture_output=True, text=True)
        assert tried.returncode == 4 and "QWEN_CODE" in tried.stderr, tried
    assert files() == before
    # What the daemon was started with is not what it hands on.
    assert json.loads(w.good("status", "--json"))["pid"] == pid
    assert w.good("config", "limits.calls", CLAUDECODE="1")
    assert w.good("policy", CLAUDECODE="1")
    w.good("call", "getWorkspaceFolders", CLAUDECODE="1")
    w.good("config", "limits.calls", "7")
    w.good("policy", "allow", "true")
    w.good("restart")


@test
def context_reaches_the_agent(w):
    w.good("start")
    a = w.file("a.txt", "one\ntwo\nthree\n")
    odd = w.file("odd:2", "x\n")
    agent = w.agent()
    w.good("select", "a.txt:2:1-2:3")
    params = agent.notified("selection_changed")
    assert params["text"] == "tw" and params["filePath"] == str(a), params
    w.good("mention", "odd:2:1")
    params = agent.notified("at_mentioned")
    assert params["filePath"] == str(odd) and params["lineStart"] == 0, params
    w.good("open", "a.txt:3:2")
    w.good("select", "--clear")
    w.bad(3, "there is no file b.txt", "open", "b.txt:1")
    w.bad(2, "lines only", "mention", "a.txt:1:1")
    w.bad(2, "range", "open", "a.txt:1-2")
    w.bad(2, "--clear", "select")


@test
def the_configuration_is_read_and_written(w):
    assert "log.level = warn\n" in w.good("config")
    w.good("start")
    w.good("config", "log.level", "debug")
    assert w.good("config", "log.level") == "debug\n"
    w.bad(2, "one of", "config", "log.level", "loud")
    w.bad(3, "dovetail config", "config", "no.such")
    conf = w.top / "config/dovetail/dovetail.conf"
    conf.write_text("[log]\ncolour = red\n")
    assert "dovetail.conf:2: there is no key" in w.good("reload")
    assert "colour" in w.good("status")


def policy(w, text):
    conf = w.top / "config/dovetail/dovetail.conf"
    conf.parent.mkdir(exist_ok=True)
    conf.write_text("[policy]\n" + text)
    return conf


@test
def the_policy_is_shown_and_says_what_would_win(w):
    runs = ("run without asking: git npm cargo go pytest jest vitest tsc "
            "eslint biome\n")
    assert w.good("policy") == "otherwise: ask\n" + runs
    conf = policy(w, "ask = **/migrations/** | kind:test\n"
                     "ask = lines>200\nrecord = *\n")
    own = w.file(".dovetail.conf", "[policy]\ndeny = gen/** agent:claude\n")
    assert w.good("policy") == (
        f"{conf}:2: ask = **/migrations/** | kind:test\n"
        f"{conf}:3: ask = lines>200\n{conf}:4: record = *\n"
        f"{own}:2: deny = gen/** agent:claude\notherwise: ask\n"
        + runs)
    rules = json.loads(w.good("policy", "--json"))
    assert [(r["action"], r["line"], r["isRepository"])
            for r in rules["rules"]] == [
        ("ask", 2, False), ("ask", 3, False), ("record", 4, False),
        ("deny", 2, True)]
    assert not rules["isBroken"]

    def check(*args, **options):
        found = json.loads(w.good("policy", "check", "--json", *args, **options))
        return found["action"], found["rule"] and found["rule"]["line"]
    w.file("a.c", "x\n")
    assert check("a.c") == ("record", 4)
    assert check("a.c", "--lines", 200) == ("record", 4)
    assert check("a.c", "--lines", 201, "--agent", "claude-code") == ("ask", 3)
    assert check("db/migrations/1.sql", "--lines=300") == ("ask", 2)
    assert check("a_test.c", "--kind", "delete") == ("ask", 2)
    assert check("gen/a") == ("deny", 2)
    assert check("gen/a", "--agent", "gemini-cli") == ("record", 4)
    assert check("/etc/hosts") == ("ask", None)
    (w.project / "sub").mkdir()
    (w.project / ".git").mkdir()
    assert check("../gen/a", cwd=w.project / "sub") == ("deny", 2)
    out = w.good("policy", "check", "a.c", "--lines", 300)
    assert out == ("ask: a.c (change), 300 lines, claude-code\n"
                   f"by {conf}:3: ask = lines>200\n"), out
    out = w.good("policy", "check", "new.c")
    assert out.startswith("record: new.c (create), 1 line, claude-code\n")
    out = w.good("policy", "check", ".git/config")
    assert "because no rule fits" in out and "kind:settings" in out, out
    assert f"not by {conf}:4: record = *" in out, out
    w.bad(2, "--kind is one of", "policy", "check", "a", "--kind", "test")
    w.bad(2, "say what to check", "policy", "check")


@test
def a_policy_with_a_mistake_asks_about_everything(w):
    conf = policy(w, "ask = kind:tset\nallow = *\n")
    code, out, err = w.run("policy", "check", "a.c")
    assert code == 0 and out.startswith("ask: a.c"), out
    assert "because a rule cannot be read" in out
    assert f"{conf}:2: there is no kind \"tset\" of change" in err
    assert "nothing is allowed without asking" in err
    w.good("start")
    assert f"{conf}:2: there is no kind" in w.good("status")
    agent = w.agent()
    agent.propose(w.file("a.c", "1\n"), "2\n")
    w.waiting(1)


@test
def a_person_sees_only_what_the_policy_asks_about(w):
    policy(w, "ask = lines>200\nrecord = *\n")
    w.good("start")
    agent = w.agent()
    a = w.file("a.txt", "one\n")
    small = agent.propose(a, "two\n")
    assert agent.verdict(small) == ["FILE_SAVED", "two\n"]
    large = agent.propose(a, "x\n" * 200)
    w.waiting(1)
    w.good("review", "accept", "--next")
    assert agent.verdict(large)[0] == "FILE_SAVED"


@test
def every_command_explains_itself(w):
    for name in ("demo", "run", "review", "hook", "log", "status", "top",
                 "metrics", "open", "select", "mention", "mute", "unmute",
                 "start", "stop", "restart", "serve",
                 "reload", "config", "policy", "tools", "help"):
        assert w.good(name, "--help") == w.good("help", name)
        assert f"  {name} " in w.good("help")
    for name in ("list", "show", "accept", "reject", "apply"):
        assert w.good("review", name, "--help") == w.good("help", "review", name)
    for name in ("show", "export", "import"):
        assert w.good("log", name, "--help") == w.good("help", "log", name)
    assert w.good("policy", "check", "--help") == w.good("help", "policy", "check")
    w.bad(2, "dovetail help", "nonsense")
    w.bad(2, "--nonsense", "status", "--nonsense")
    assert json.loads(w.good("tools", "--json"))
    assert w.good("--version").startswith("dovetail ")


@test
def a_person_accepts_edits_and_rejects(w):
    w.good("start")
    agent = w.agent()
    person = Terminal(w, "review")
    person.expect("No change waits")
    a = w.file("a.txt", "one\ntwo\n")
    first = agent.propose(a, "one\nTWO\n")
    shown = person.expect(PROMPT)
    assert "claude-code wants to change a.txt" in shown
    person.type("e")
    shown = person.expect(PROMPT)
    assert "zwei" in shown and "TWO" not in shown
    person.type("a")
    person.expect("Accepted.")
    assert agent.verdict(first) == ["FILE_SAVED", "one\nzwei\n"]
    second = agent.propose(a, "1\n")
    person.expect(PROMPT)
    person.type("r")
    person.expect("Why")
    person.type("too short\n")
    person.expect("Rejected.")
    assert agent.verdict(second)[0] == "DIFF_REJECTED"
    person.expect("No change waits")
    os.write(person.fd, b"\x03")
    assert person.ended() == 0 and person.is_usual()
    assert not list((w.top / "tmp").iterdir())


@test
def keys_typed_too_early_accept_nothing(w):
    w.good("start")
    agent = w.agent()
    person = Terminal(w, "review")
    person.expect("No change waits")
    person.type("aaa")
    agent.propose(w.file("a.txt", "x\n"), "y\n")
    person.expect(PROMPT)
    time.sleep(0.5)
    w.waiting(1)
    person.type("q")
    assert person.ended() == 0


@test
def an_edit_outlives_next_and_a_signal(w):
    w.good("start")
    agent = w.agent()
    agent.propose(w.file("a.txt", "two\n"), "TWO\n")
    w.waiting(1)
    agent.propose(w.file("b.txt", "x\n"), "y\n")
    w.waiting(2)
    person = Terminal(w, "review")
    for key, name in (("e", "a.txt"), ("n", "a.txt"), ("n", "b.txt")):
        assert name in person.expect(PROMPT)
        person.type(key)
    assert "zwei" in person.expect(PROMPT)
    person.signal(signal.SIGTERM)
    person.expect("Your edits are kept in ")
    assert person.ended() == 0 and person.is_usual()
    kept = list((w.top / "tmp").glob("*/*/b/a.txt"))
    assert [k.read_text() for k in kept] == ["zwei\n"]


@test
def a_change_decided_elsewhere_is_left(w):
    w.good("start")
    agent = w.agent()
    agent.propose(w.file("a.txt", "x\n"), "y\n")
    person = Terminal(w, "review")
    person.expect(PROMPT)
    w.good("review", "accept", "--next")
    person.expect("Decided elsewhere")
    person.expect("No change waits")
    pid = json.loads(w.good("status", "--json"))["pid"]
    os.kill(pid, signal.SIGKILL)
    person.expect("The daemon went away")
    person.expect("No change waits")
    person.signal(signal.SIGKILL)
    person.ended()


@test
def the_log_tells_who_asked_and_who_decided(w):
    w.good("start")
    assert w.good("log") == ""
    agent = w.agent()
    a = w.file("a.txt", "one\ntwo\n")
    agent.propose(a, "one\nTWO\n")
    id = w.waiting(1)[0]["id"]
    assert "  waiting    change a.txt  claude-code\n" in w.good("log")
    w.good("review", "reject", id, "--comment", "too loud")
    agent.propose(w.project / "new.txt", "x\n")
    w.waiting(1)
    mine = w.file("mine", "mine\n")
    w.good("review", "accept", "--next", "--text-file", mine)
    assert "writing    create new.txt" in w.good("log").splitlines()[-1]
    w.file("new.txt", "mine\n")  # as the agent would
    until(lambda: "accepted" in w.good("log"), "it was seen on disk")
    session, first, second = w.good("log").splitlines()
    assert f"  connected  claude-code 2.1.325 in {w.project}" in session
    assert f"  {id[:8]}  rejected   change a.txt  claude-code, by " in first
    assert "(terminal), after " in first and first.endswith(": too loud")
    assert "accepted   create new.txt" in second
    items = [json.loads(line) for line in w.good("log", "--json").splitlines()]
    assert [i["type"] for i in items] == ["session", "review", "review"]
    assert items[1]["comment"] == "too loud"
    assert items[1]["surface"] == "terminal"
    assert items[1]["session"] == items[0]["id"]
    assert w.good("log", "--reviews", "--limit", 1).splitlines() == [second]
    assert w.good("log", "--sessions").splitlines() == [session]
    assert "\n-two\n+TWO\n" in w.good("log", "show", id[:8])
    assert "\n+mine\n" in w.good("log", "show", items[2]["id"][:8])
    w.bad(3, "no review", "log", "show", "0123456789")
    agent.close()
    w.good("stop")
    w.bad(3, "dovetail start", "log")
    # What is not served any more is still told, by its whole name.
    w.good("start", "--workspace", w.top / "home")
    last = w.good("log", cwd=w.top / "home").splitlines()[-1]
    assert "  left       claude-code 2.1.325 in " in last
    assert f"change {a}  " in w.good("log", cwd=w.top / "home")
    assert "\n-two\n+TWO\n" in w.good("log", "show", id[:8])


@test
def the_log_is_followed(w):
    w.good("start")
    person = Terminal(w, "log", "-f")
    agent = w.agent()
    person.expect("connected  claude-code")
    agent.propose(w.file("a.txt", "x\n"), "y\n")
    person.expect("waiting    change a.txt")
    w.waiting(1)
    w.good("review", "accept", "--next")
    person.expect("writing    change a.txt")
    w.file("a.txt", "y\n")
    person.expect("accepted   change a.txt")
    agent.close()
    person.expect("left       claude-code")
    time.sleep(2.5)  # a look of its own finds nothing to tell twice
    person.read()
    assert person.screen.count("\n") == 1, person.screen
    os.write(person.fd, b"\x03")
    assert person.ended() == -signal.SIGINT


@test
def who_follows_the_log_is_told_nothing_older(w):
    w.good("start")
    agents = [w.agent() for _ in range(3)]
    until(lambda: w.good("log", "--sessions").count("connected") == 3, "them")
    person = Terminal(w, "log", "-f", "--limit", "1")
    person.expect("connected  claude-code")
    agents[0].close()
    assert "connected" not in person.expect("left       claude-code")
    os.write(person.fd, b"\x03")
    assert person.ended() == -signal.SIGINT


@test
def what_the_log_leaves_out_is_told(w):
    w.good("start")
    w.bad(2, "at most 1000", "log", "--limit", 1001)
    w.bad(2, "at most 1000", "log", "--calls", "--limit", 1001)
    w.good("log")  # the database is there by then
    db = sqlite3.connect(w.top / "state/dovetail/dovetail.db")
    for count, is_told in (999, False), (1001, True):
        with db:
            db.execute("DELETE FROM session")
            db.executemany(
                "INSERT INTO session (id, workspace, root, agent, version,"
                " connected_ms) VALUES (?, 'w', '/', 'a', '1', ?)",
                ((f"{n:032x}", n + 1) for n in range(count)))
        code, out, err = w.run("log", "--limit", 0)
        assert code == 0 and out.count("\n") == min(count, 1000)
        assert ("older ones are left out" in err) == is_told, err
        assert w.run("log", "--limit", 1000)[2] == ""
    db.close()


def call_tool(agent, name, **arguments):
    return agent.answer(agent.call("tools/call",
                                   {"name": name, "arguments": arguments}))


@test
def calls_are_kept_and_followed(w):
    w.good("start")
    assert w.good("log", "--calls") == ""
    agent = w.agent()
    call_tool(agent, "getWorkspaceFolders")
    call_tool(agent, "openFile")
    lines = w.good("log", "--calls").splitlines()
    assert len(lines) == 2, lines
    assert "  done       getWorkspaceFolders   claude-code  " in lines[0]
    assert "  refused    openFile " in lines[1] and "missing" in lines[1]
    items = [json.loads(line)
             for line in w.good("log", "--calls", "--json").splitlines()]
    assert [i["what"] for i in items] == ["getWorkspaceFolders", "openFile"]
    assert items[0]["id"] < items[1]["id"] and items[0]["tookUs"] > 0
    assert w.good("log", "--calls", "--limit", 1).splitlines() == lines[1:]
    assert w.good("log", "--calls", "--limit", 0).splitlines() == lines
    w.bad(2, "--calls goes alone", "log", "--calls", "--reviews")
    person = Terminal(w, "log", "--calls", "-f", "--limit", "1")
    person.expect("openFile")
    call_tool(agent, "getOpenEditors")
    person.expect("getOpenEditors")
    os.write(person.fd, b"\x03")
    assert person.ended() == -signal.SIGINT


@test
def what_happened_is_exported_and_imported(w):
    w.good("start")
    agent = w.agent()
    for _ in range(3):
        call_tool(agent, "getWorkspaceFolders")
    file = w.top / "out.jsonl"
    w.good("log", "export", file)
    assert file.stat().st_mode & 0o777 == 0o600
    text = file.read_text()
    assert w.good("log", "export", "-") == text
    items = [json.loads(line) for line in text.splitlines()]
    assert [i["id"] for i in items] == list(range(1, len(items) + 1))
    assert [i["what"] for i in items][:4] == ["started", "served",
                                              "connected", "initialized"]
    assert w.good("log", "import", file) == \
        f"0 events imported, {len(items)} known already, 0 bad lines skipped\n"
    agent.close()
    w.good("stop")
    (w.top / "state/dovetail/dovetail.db").unlink()
    w.good("start")
    lines = text.splitlines()
    bad = w.top / "bad.jsonl"
    bad.write_bytes(b"\n".join([
        lines[0].encode(), b"", b"{", b"\xff\xfe", b"a\0b", b'{"id":1}',
        b"x" * 70000, *(line.encode() for line in lines[2:])]))
    out = w.good("log", "import", bad)
    assert out.startswith(f"{len(items) - 1} events imported, 0 known already, "
                          "5 bad lines skipped (the first is line 3: "), out
    w.file("bad.jsonl", "\0\n{\n")
    assert "(the first is line 1: " in w.good("log", "import", "bad.jsonl")
    kept = [json.loads(line)
            for line in w.good("log", "export", "-").splitlines()]
    for item in [items[0], *items[2:]]:
        there = [k for k in kept if k["atMs"] == item["atMs"]
                 and k["what"] == item["what"]]
        assert there, item
    w.bad(3, "none.jsonl", "log", "import", "none.jsonl")
    w.bad(1, "none/x", "log", "export", w.top / "none/x")


@test
def metrics_are_printed_and_written(w):
    w.bad(3, "dovetail start", "metrics")
    w.good("start")
    call_tool(w.agent(), "getWorkspaceFolders")
    text = w.good("metrics")
    assert f'dovetail_sessions{{workspace="{w.project}"}} 1\n' in text
    assert ',tool="getWorkspaceFolders",status="done"} 1\n' in text
    file = w.top / "dovetail.prom"
    file.write_text("old")
    assert w.good("metrics", "--output", file) == ""
    assert "# TYPE dovetail_calls_total counter\n" in file.read_text()
    assert file.stat().st_mode & 0o777 == 0o644


@test
def top_shows_what_goes_on(w):
    w.bad(3, "dovetail start", "top")
    w.good("start")
    agent = w.agent()
    call_tool(agent, "getWorkspaceFolders")
    out = w.good("top", "--once")
    assert "1 workspace, 1 agent" in out and f"{w.project} (port " in out
    assert "claude-code 2.1.325" in out
    assert "\ngetWorkspaceFolders " in out and "RECENT\n" in out
    assert "\x1b" not in out
    seen = json.loads(w.good("top", "--json"))
    assert seen["top"]["workspaces"][0]["tools"][0]["calls"] == 1
    assert seen["events"][-1]["what"] == "getWorkspaceFolders"
    person = Terminal(w, "top")
    person.resize(24, 80)
    person.expect("\x1b[?1049h")
    person.expect("getWorkspaceFolders")
    person.expect("q quits")
    call_tool(agent, "getOpenEditors")
    person.expect("getOpenEditors")
    person.resize(5, 30)
    person.signal(signal.SIGWINCH)
    person.expect("\x1b[5;1H")
    person.type("q")
    assert person.ended() == 0
    assert "\x1b[?1049l" in person.screen and person.is_usual()
    person = Terminal(w, "top")
    person.expect("q quits")
    os.write(person.fd, b"\x03")
    assert person.ended() == 0 and person.is_usual()


@test
def a_restarted_daemon_has_the_same_files_open(w):
    w.good("start")
    a = w.file("a.txt", "1\n")
    w.good("open", a)
    agent = w.agent()
    call_tool(agent, "getOpenEditors")
    w.good("restart")
    again = w.agent()
    answer = call_tool(again, "getOpenEditors")
    assert str(a) in json.dumps(answer), answer
    folder = w.top / "state/dovetail/checkpoints"
    assert [f.stat().st_mode & 0o777 for f in folder.iterdir()] == [0o600]


@test
def a_socket_that_is_there_already_is_used(w):
    folder = w.top / "run/dovetail"
    folder.mkdir(mode=0o700)
    path = folder / "control.sock"
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(path))
    listener.listen(16)
    inode = path.stat().st_ino

    # A shell knows its own pid; the program takes its place.  It is bash: dash
    # knows no descriptor of two digits.
    script = 'LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" serve 3<&%d' % \
        listener.fileno()
    # The command comes first, as it does with systemd, and waits.
    start = subprocess.Popen([w.program, "start"], cwd=w.project, env=w.env,
                             stdout=subprocess.PIPE, text=True)
    time.sleep(0.2)
    daemon = subprocess.Popen(["bash", "-c", script, w.program], cwd="/",
                              env=w.env, pass_fds=[listener.fileno()])
    out, _ = start.communicate(timeout=20)
    assert start.returncode == 0 and f"Serving {w.project}" in out, out
    status = json.loads(w.good("status", "--json"))
    assert [x["root"] for x in status["workspaces"]] == [str(w.project)]
    # A daemon that crashes comes back on the same socket.
    os.kill(status["pid"], signal.SIGKILL)
    until(lambda: json.loads(w.good("status", "--json"))["restarts"] == 1,
          "the next run")
    w.good("stop")
    assert daemon.wait(20) == 0
    # It was lent, so it stays for the next one.
    assert path.stat().st_ino == inode
    path.unlink()


@test
def what_is_kept_is_not_moved_listed_or_committed(w):
    w.file(".env", "TOKEN=hidden\n")
    w.file("a.txt", "one\n")
    (w.project / ".ssh").mkdir()
    w.file(".ssh/id_rsa", "hidden\n")
    policy(w, "allow = **\n[context]\ndeny = private\n")
    (w.project / "private/deep").mkdir(parents=True)
    w.file("private/deep/x.c", "hidden\n")
    w.good("start")
    env, ssh, free = (w.project / name for name in (".env", ".ssh", "free"))
    for tool_name, *args in (
            ("renameFile", f"oldPath={env}", f"newPath={free}"),
            ("renameFile", f"oldPath={ssh}", f"newPath={free}"),
            ("deleteFile", f"filePath={env}"),
            ("deleteFile", f"filePath={ssh}", "recursive=true"),
            ("deleteFile", f"filePath={w.project}/private", "recursive=true"),
            ("getFileTree", f"directory={ssh}"),
            ("getFileTree", f"directory={w.project}/private/deep"),
            ("getBufferContent", f"filePath={w.project}/private/deep/x.c")):
        cannot(w, "kept from agents", tool_name, *args)
    listed = tool(w, "getFileTree", "includeHidden=true")["entries"]
    assert ".env" in listed and "a.txt" in listed, listed
    assert not any("ssh" in name or "private" in name for name in listed)
    make_repository(w)
    cannot(w, "kept from agents", "gitAdd", f"files={json.dumps([str(env)])}")
    cannot(w, "kept from agents", "gitCommit", "message=m",
           f"files={json.dumps([str(ssh)])}")
    made = tool(w, "gitCommit", "message=m", "addAll=true")
    assert made["files"] == [str(w.project / "a.txt")], made
    assert (ssh / "id_rsa").exists() and not free.exists()
    # A rule does not write it; a person may.
    made = tool(w, "createFile", f"filePath={env}", "content=mine",
                "overwrite=true", "wait=false")
    assert made["verdict"] == "waiting" and "hidden" not in json.dumps(made)
    assert env.read_text() == "TOKEN=hidden\n"
    w.good("review", "accept", "--next")
    until(lambda: env.read_text() == "mine", "the new text")


@test
def what_is_secret_does_not_leave(w):
    w.file(".env", "TOKEN=hidden\n")
    w.file("a.txt", "one\ntwo\n")
    (w.project / "notes.txt").symlink_to(".env")
    w.good("start")
    agent = w.agent()
    time.sleep(1.2)  # it listens now
    w.good("select", "a.txt:1-2")
    agent.notified("selection_changed")
    assert "No agent is told: .env is kept" in w.good("select", ".env:1")
    assert "leads to .env" in w.good("select", "notes.txt:1")
    assert "No agent is told" in w.good("open", ".env")
    assert w.good("select", "--clear") == ""
    w.bad(4, ".env* is denied (built in)", "mention", ".env")
    w.bad(4, "notes.txt is kept from agents", "mention", "notes.txt")
    w.good("mention", "a.txt:2")
    agent.notified("at_mentioned")
    assert "hidden" not in json.dumps(agent.messages)
    # A person's own patterns, and exceptions.
    w.good("config", "context.deny", "*.txt")
    w.bad(4, "(dovetail.conf:2)", "mention", "a.txt")
    w.good("config", "context.allow", "a.txt .env")
    w.good("mention", "a.txt")
    assert w.good("config", "context.allow") == "a.txt .env\n"
    w.bad(2, "opens a brace", "config", "context.deny", "{a")
    left = w.good("log", "--audit").splitlines()
    assert "  left       selection a.txt  claude-code, 2 lines, 7 bytes" in \
        left[0], left
    assert "  denied     selection .env  claude-code" in left[1], left
    assert left[1].endswith(": .env is kept from agents: .env* is denied "
                            "(built in)"), left
    assert any("  left       mention a.txt  claude-code, 1 line" in line
               for line in left), left
    items = [json.loads(line)
             for line in w.good("log", "--audit", "--json").splitlines()]
    assert {i["type"] for i in items} == {"audit"}
    assert items[0]["bytes"] == 7 and items[0]["lines"] == 2
    assert items[0]["path"] == str(w.project / "a.txt")
    assert "hidden" not in w.good("log", "--audit", "--json")
    assert len(w.good("log", "--audit", "--limit", 1).splitlines()) == 1
    w.bad(2, "stands alone", "log", "--audit", "--reviews")
    assert "selection" not in w.good("log")


@test
def the_audit_is_followed(w):
    w.file("a.txt", "one\n")
    w.file("key.pem", "x\n")
    w.good("start")
    w.agent()
    time.sleep(1.2)
    person = Terminal(w, "log", "--audit", "-f")
    w.good("select", "a.txt:1")
    person.expect("left       selection a.txt  claude-code, 1 line, 3 bytes")
    w.good("select", "key.pem:1")
    person.expect("denied     selection key.pem")
    os.write(person.fd, b"\x03")
    assert person.ended() == -signal.SIGINT


@test
def agents_can_be_muted(w):
    w.file("a.txt", "one\n")
    w.good("start")
    agent = w.agent()
    time.sleep(1.2)
    assert "not connected now" in w.good("mute", "aider", "--for", "2h")
    assert "until `dovetail unmute`" in w.good("mute", "claude")
    status = w.good("status")
    assert "  aider is muted until " in status
    assert "  claude is muted until `dovetail unmute`" in status
    assert ", muted\n" in status
    w.good("select", "a.txt:1")
    w.bad(4, "that agent is muted", "mention", "a.txt", "--agent", "claude")
    w.good("restart")
    assert "  claude is muted" in w.good("status")
    w.bad(3, "no mute of nobody", "unmute", "nobody")
    w.good("unmute", "claude")
    assert "no notice is given" in w.good("mute", "--for", "90s")
    assert "all agents are muted until " in w.good("status")
    w.bad(4, "agents are muted", "mention", "a.txt")
    assert "agents are muted" in w.good("select", "a.txt:1")
    assert not [m for m in agent.messages if "method" in m]
    for wrong in ("30", "m", "0m", "-1h", "1w", "367d", ""):
        w.bad(2, "--for takes", "mute", "--for", wrong)
    assert "Told again" in w.good("unmute")
    assert "No agent was muted" in w.good("unmute")
    assert "muted" not in w.good("status")


@test
def what_is_too_old_is_forgotten(w):
    w.good("start")
    agent = w.agent()
    agent.propose(w.file("a.txt", "x\n"), "y\n")
    w.waiting(1)
    w.good("review", "reject", "--next")
    agent.close()
    until(lambda: "left" in w.good("log"), "the end of the session")
    w.good("stop")
    database = sqlite3.connect(w.top / "state/dovetail/dovetail.db")
    for table, column in (("review", "decided"), ("session", "disconnected")):
        database.execute(f"UPDATE {table} SET {column}_ms = {column}_ms"
                         " - 100 * 86400000")
    database.commit()
    database.close()
    w.good("config", "store.keep_days", "101")
    w.good("start")
    assert len(w.good("log").splitlines()) == 2
    w.good("config", "store.keep_days", "99")
    w.good("restart")
    assert w.good("log") == ""


def nothing_is_left_of_demo(w):
    """No folder, and soon no process: a daemon gives up its lock, then ends."""
    top = str(w.top / "tmp")
    assert os.listdir(top) == []

    def is_over():
        for process in Path("/proc").glob("[0-9]*"):
            try:
                if f"={top}/dovetail-demo-".encode() in \
                        (process / "environ").read_bytes():
                    return False
            except OSError:  # not ours, or gone
                pass
        return True
    until(is_over, "the end of all processes")


@test
def the_demo_is_decided_in_the_same_terminal(w):
    person = Terminal(w, "demo", EDITOR="sed -i s/cat/TWO/")
    shown = person.expect(PROMPT)
    assert "demo-agent wants to change wordcount.py" in shown
    assert "re.findall" in shown
    person.type("a")
    person.expect("wrote wordcount.py.")
    assert "wants to create test_wordcount.py" in person.expect(PROMPT)
    person.type("e")
    assert "The TWO, the hat" in person.expect(PROMPT)
    person.type("a")
    person.expect("wrote test_wordcount.py.")
    person.expect(PROMPT)
    person.type("n")
    person.expect("until this one is decided")
    person.expect(PROMPT)
    person.type("r")
    person.expect("Why")
    person.type("\x03")  # back; the agent goes on waiting
    person.expect(PROMPT)
    person.type("r")
    person.expect("Why")
    person.type("still used\n")
    person.expect("left wordcount_old.py alone.")
    person.expect("What just happened")
    end = person.expect("run claude")
    assert "with your edit, on disk: 5 lines" in end, end
    assert '("still used"), on disk: 6 lines' in end, end
    assert person.ended() == 0 and person.is_usual()
    nothing_is_left_of_demo(w)
    assert not list((w.top / "state").iterdir()), "the history is theirs"
    assert not list((w.top / "run").iterdir())
    assert not list((w.top / "home/.claude").iterdir())


@test
def a_demo_that_is_left_leaves_nothing(w):
    for leave in ("\x03", "q", signal.SIGTERM, signal.SIGHUP):
        person = Terminal(w, "demo")
        person.expect(PROMPT)
        person.type("e")
        person.expect(PROMPT)
        if isinstance(leave, str):
            person.type(leave)
        else:
            person.signal(leave)
        person.expect("You left early")
        assert person.ended() == 0 and person.is_usual()
        nothing_is_left_of_demo(w)


@test
def a_demo_stopped_before_its_first_question_leaves_nothing(w):
    for delay in range(0, 200, 10):
        person = Terminal(w, "demo")
        time.sleep(delay / 1000)
        person.signal(signal.SIGTERM)
        person.ended()
        nothing_is_left_of_demo(w)


@test
def a_terminal_without_colours_gets_none(w):
    for env, has_colours in ({}, True), ({"TERM": "dumb"}, False), \
            ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True):
        person = Terminal(w, "demo", GIT_CONFIG_COUNT="1",
                          GIT_CONFIG_KEY_0="color.ui",
                          GIT_CONFIG_VALUE_0="never", **env)
        until(lambda: person.read() or PROMPT in person.screen, "a question")
        assert ("\x1b[" in person.screen) == has_colours, person.screen
        person.type("q")
        person.ended()


@test
def the_diff_and_its_pager_have_no_colours_either(w):
    w.good("start")
    w.agent().propose(w.file("a.txt", "one\n"), "two\n")
    w.waiting(1)
    for env, has_colours in ({}, True), ({"TERM": "dumb"}, False), \
            ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True):
        person = Terminal(w, "review", GIT_PAGER="sed s/^/PAGED/", **env)
        until(lambda: person.read() or PROMPT in person.screen, "a question")
        assert ("\x1b[" in person.screen) == has_colours, person.screen
        is_paged = env.get("TERM") != "dumb"
        assert ("PAGED" in person.screen) == is_paged, person.screen
        person.type("q")
        person.ended()


@test
def scripts_play_the_demo_beside_a_daemon(w):
    w.good("start")
    before = json.loads(w.good("status", "--json"))
    out = w.good("demo", "--answers", "ear", EDITOR="sed -i s/import/IMPORT/")
    assert "+IMPORT re" in out and "with your edit" in out
    assert "emptied" not in out and out.count("demo-agent wants") == 4
    assert "emptied wordcount_old.py" in w.good("demo", "--answers", "rra")
    assert "You left early" in w.good("demo", "--answers", "a")
    nothing_is_left_of_demo(w)
    after = json.loads(w.good("status", "--json"))
    assert before["pid"] == after["pid"]
    assert before["workspaces"] == after["workspaces"]
    w.bad(1, "--answers", "demo")
    w.bad(2, "--answers takes", "demo", "--answers", "aax")
    w.bad(2, "--answers takes", "demo", "--answers", "")


def lines(count):
    return "".join(f"line {i}\n" for i in range(1, count + 1))


def answer(person, keys):
    """Answer the questions about hunks; what was shown with each."""
    shown = []
    for key in keys:
        shown.append(person.expect(HUNK_PROMPT))
        person.type(key)
    return shown


@test
def a_change_is_taken_hunk_by_hunk(w):
    w.good("start")
    agent = w.agent()
    old = lines(40).replace("line 20\n", "line 20\r\n")
    new = (old.replace("line 3\n", "LINE 3\n")
           .replace("line 5\n", "\tTWO \x1b[7m grün\n")
           .replace("line 20\r\n", "line 20\r\nnew TWO\r\n")
           .replace("line 40\n", "line 40"))
    a = w.file("a.txt", old)
    id = agent.propose(a, new)
    person = Terminal(w, "review")
    person.expect(PROMPT)
    person.type("h")
    shown = answer(person, "?sny")
    assert "@@ -1,8 +1,8 @@" in shown[0], shown[0]
    assert "+\tTWO <U+001B>[7m grün" in shown[0], "it cannot drive the terminal"
    assert "leave it out" in shown[1]
    assert "(1/4)" in shown[2] and "LINE 3" in shown[2]
    assert "TWO" not in shown[2] and "TWO" in shown[3]
    shown = answer(person, "ed")
    assert "+new TWO<U+000D>" in shown[0]
    assert "\\ No newline at end of file" in shown[1]
    person.expect("2 of 4 hunks taken.")
    shown = person.expect(PROMPT)
    assert "It is shown with your changes, as it would be written." in shown
    assert "LINE 3" not in shown and "+new zwei" in shown and "Yours: " in shown
    w.waiting(1)
    person.type("a")
    person.expect("Accepted.")
    wanted = (old.replace("line 5\n", "\tTWO \x1b[7m grün\n")
              .replace("line 20\r\n", "line 20\r\nnew zwei\r\n"))
    assert agent.verdict(id) == ["FILE_SAVED", wanted]
    person.expect("No change waits")
    person.type("q")
    assert person.ended() == 0
    assert not list((w.top / "tmp").iterdir())


@test
def all_hunks_are_the_proposal_and_none_asks_to_reject(w):
    w.good("start")
    agent = w.agent()
    a = w.file("a.txt", lines(30))
    new = lines(30).replace("line 1\n", "").replace("line 30\n", "end")
    person = Terminal(w, "review")
    person.expect("No change waits")
    first = agent.propose(a, new)
    person.expect(PROMPT)
    person.type("h")
    answer(person, "ya")
    person.expect("2 of 2 hunks taken.")
    assert "Yours: " not in person.expect(PROMPT)
    person.type("a")
    assert agent.verdict(first) == ["FILE_SAVED", new]
    second = agent.propose(a, new)
    person.expect(PROMPT)
    person.type("h")
    answer(person, "nq")  # back: nothing is decided
    person.expect(PROMPT)
    person.type("h")
    answer(person, "d")
    person.expect("Reject it? [y/n] ")
    person.type("n")
    person.expect(PROMPT)
    w.waiting(1)
    person.type("h")
    answer(person, "nn")
    person.expect("Reject it? [y/n] ")
    person.type("y")
    person.expect("Why")
    person.type("all of it\n")
    person.expect("Rejected.")
    assert agent.verdict(second)[0] == "DIFF_REJECTED"
    # A new file is one hunk.
    third = agent.propose(w.project / "new.txt", "fresh\n")
    person.expect(PROMPT)
    person.type("h")
    assert "@@ -0,0 +1,1 @@" in answer(person, "y")[0]
    person.expect("1 of 1 hunk taken.")
    person.expect(PROMPT)
    person.type("a")
    assert agent.verdict(third)[0] == "FILE_SAVED"
    # Ctrl-C leaves at any question.
    agent.propose(a, new)
    person.expect(PROMPT)
    person.type("h")
    person.expect(HUNK_PROMPT)
    person.type("\x03")
    assert person.ended() == 0 and person.is_usual()
    w.waiting(1)


@test
def what_is_left_without_saving_is_not_accepted(w):
    w.good("start")
    agent = w.agent()
    editor = w.file("editor", "#!/bin/sh\nexit 0\n")
    editor.chmod(0o755)
    a = w.file("a.txt", "one\n")
    id = agent.propose(a, "two\n")
    person = Terminal(w, "review", EDITOR=str(editor))
    person.expect(PROMPT)
    person.type("e")
    assert "Nothing was edited." in person.expect(PROMPT)
    person.type("h")
    answer(person, "e")
    person.expect("Nothing was edited.")
    answer(person, "q")  # the same hunk again: it was not taken
    person.expect(PROMPT)
    # An editor that fails after it saved has changed nothing either.
    w.file("editor", '#!/bin/sh\necho half >"$1"\nexit 1\n')
    person.type("e")
    assert "ended with 1" in person.expect(PROMPT)
    person.type("s")
    shown = person.expect(PROMPT)
    assert "half" not in shown and "Yours: " not in shown
    w.waiting(1)
    # One that saves after it was left is not accepted unseen.
    file = next((w.top / "tmp").glob("*/*/b/a.txt"))
    file.write_text("late\n")
    person.type("a")
    shown = person.expect(PROMPT)
    assert "it was saved since" in shown and "+late" in shown
    assert w.waiting(1)[0]["entries"][0]["isEdited"]
    person.type("b")
    shown = person.expect(PROMPT)
    assert "+two" in shown and "Yours: " not in shown
    assert not w.waiting(1)[0]["entries"][0]["isEdited"], "it is dropped"
    w.file("editor", '#!/bin/sh\necho mine >"$1"\n')
    person.type("e")
    assert "Yours: " in person.expect(PROMPT)
    # What is there now is what it is shown against.
    a.write_text("changed\n")
    w.file("editor", '#!/bin/sh\necho mine2 >"$1"\n')
    person.type("e")
    shown = person.expect(PROMPT)
    assert "has changed on disk" in shown and "-changed\n+mine2\n" in shown
    a.write_text("one\n")
    person.type("a")
    person.expect("Accepted.")
    assert agent.verdict(id) == ["FILE_SAVED", "mine2\n"]
    person.type("q")
    assert person.ended() == 0
    assert not list((w.top / "tmp").iterdir())


@test
def a_comment_goes_with_an_accepted_change(w):
    w.good("start")
    hook = start_hook(w, edit_of(w, w.file("a.txt", "one\n"), "one", "two"))
    person = Terminal(w, "review")
    person.expect(PROMPT)
    person.type("c")
    person.expect("Words for the agent")
    person.type("\x03")
    person.expect(PROMPT)
    w.waiting(1)
    person.type("c")
    person.expect("Words for the agent")
    person.type("mind the gap\n")
    person.expect("Accepted.")
    assert decision(hook)["additionalContext"].endswith("says: mind the gap")
    person.type("q")
    assert person.ended() == 0


FILE_PROMPT = "Take this file [y,n,h,e,a,d,q,?]? "


def propose_four(w):
    """A change of four files that is written when accepted."""
    for name in ("a.txt", "b.txt", "d.txt"):
        w.file(name, lines(20))
    new = lines(20).replace("line 2\n", "TWO\n").replace("line 19\n", "LINE 19\n")
    changes = [{"path": str(w.project / name)} | what for name, what in (
        ("a.txt", {"text": new}), ("b.txt", {"text": new}),
        ("c.txt", {"text": "new\n"}), ("d.txt", {"kind": "delete"}))]
    return new, subprocess.Popen(
        [w.program, "call", "proposeEdit",
         json.dumps({"changes": changes, "write": True})],
        cwd=w.project, env=w.env, text=True, stdout=subprocess.PIPE)


@test
def several_files_are_revised_one_by_one(w):
    w.good("start")
    new, call = propose_four(w)
    w.waiting(1)
    person = Terminal(w, "review")
    person.expect(PROMPT)
    person.type("e")
    shown = person.expect(FILE_PROMPT)
    assert "(1/4) change a.txt" in shown and "+TWO" in shown
    person.type("?")
    assert "leave it out" in person.expect(FILE_PROMPT)
    person.type("e")
    shown = person.expect(FILE_PROMPT)  # about the same file
    assert "(1/4)" in shown and "+zwei" in shown
    person.type("e")
    assert "Nothing was edited." in person.expect(FILE_PROMPT)
    person.type("y")
    assert "(2/4) change b.txt" in person.expect(FILE_PROMPT)
    person.type("h")
    answer(person, "ny")
    shown = person.expect(FILE_PROMPT)
    assert "+LINE 19" in shown and "+TWO" not in shown
    person.type("y")
    assert "(3/4) create c.txt" in person.expect(FILE_PROMPT)
    person.type("n")
    shown = person.expect(FILE_PROMPT)
    assert "(4/4) delete d.txt" in shown and "-line 1\n" in shown
    person.type("d")
    person.expect("2 of 4 files taken.")
    shown = person.expect(PROMPT)
    assert "Yours: " in shown and "+zwei" in shown and "+TWO" not in shown
    assert "  c.txt is left out.\n  d.txt is left out.\n" in shown
    assert "+new" not in shown and "-line 1\n" not in shown
    w.waiting(1)
    assert not (w.project / "c.txt").exists()
    # What was left out can be taken again, and all of it dropped.
    person.type("h")
    for key in "yyyn":
        shown = person.expect(FILE_PROMPT)
        assert (", left out so far" in shown) == ("(3/4)" in shown or "(4/4)" in shown)
        person.type(key)
    person.expect("3 of 4 files taken.")
    assert "+new" in person.expect(PROMPT)
    person.type("a")
    person.expect("Accepted.")
    told = json.loads(call.communicate(timeout=20)[0])
    assert [c.get("leftOut", False) for c in told["changes"]] == \
        [False, False, False, True]
    assert [c.get("edited", False) for c in told["changes"]] == \
        [True, True, False, False]
    assert told["written"]
    texts = [(w.project / name).read_text() for name in
             ("a.txt", "b.txt", "c.txt", "d.txt")]
    assert texts == [new.replace("TWO", "zwei"),
                     lines(20).replace("line 19\n", "LINE 19\n"), "new\n",
                     lines(20)]
    assert "delete d.txt (left out)" in w.good("log")
    person.expect("No change waits")
    person.type("q")
    assert person.ended() == 0
    assert not list((w.top / "tmp").iterdir())


@test
def edits_of_several_files_outlive_their_agent(w):
    w.good("start")
    new, call = propose_four(w)
    id = w.waiting(1)[0]["id"]
    person = Terminal(w, "review")
    person.expect(PROMPT)
    person.type("e")
    for key in "yeya":  # the second file is edited
        person.expect(FILE_PROMPT)
        person.type(key)
    person.expect("4 of 4 files taken.")
    assert "Yours: " in person.expect(PROMPT)
    call.kill()
    call.communicate()
    person.expect("writes your text to the file")
    person.expect("No change waits")
    person.type("q")
    assert person.ended() == 0
    assert not list((w.top / "tmp").iterdir()), "it is with the review"
    assert "orphaned, with your edits" in w.good("review", "list")
    w.good("review", "apply", id, "--yes")
    assert [(w.project / name).read_text() for name in ("a.txt", "b.txt", "c.txt")] \
        == [new, new.replace("TWO", "zwei"), "new\n"]
    assert not (w.project / "d.txt").exists()


@test
def to_leave_out_every_file_asks_to_reject(w):
    w.good("start")
    _, call = propose_four(w)
    w.waiting(1)
    person = Terminal(w, "review")
    person.expect(PROMPT)
    person.type("h")
    person.expect(FILE_PROMPT)
    person.type("q")
    person.expect(PROMPT)
    person.type("h")
    person.expect(FILE_PROMPT)
    person.type("d")
    person.expect("Reject it? [y/n] ")
    person.type("n")
    person.expect(PROMPT)
    person.type("a")
    person.expect("[y/n] ")
    person.type("n")
    person.expect(PROMPT)
    w.waiting(1)
    person.type("b")
    assert "+TWO" in person.expect(PROMPT)
    person.type("h")
    person.expect(FILE_PROMPT)
    person.type("d")
    person.expect("[y/n] ")
    person.type("y")
    person.expect("Why")
    person.type("none of it\n")
    person.expect("Rejected.")
    told = json.loads(call.communicate(timeout=20)[0])
    assert told["verdict"] == "rejected" and told["comment"] == "none of it"
    person.type("q")
    assert person.ended() == 0
    assert not list((w.top / "tmp").iterdir())


@test
def a_file_that_is_not_utf_8_is_taken_as_a_whole(w):
    w.good("start")
    agent = w.agent()
    a = w.file("a.txt", b"caf\xe9\n" + lines(20).encode())
    id = agent.propose(a, "café\n" + lines(20).replace("line 20", "LINE 20"))
    person = Terminal(w, "review")
    shown = person.expect(PROMPT)
    assert "not UTF-8" in shown and "+café" in shown
    person.type("h")
    person.expect("as a whole")
    person.expect(PROMPT)
    person.type("r")
    person.expect("Why")
    person.type("\n")
    person.expect("Rejected.")
    assert agent.verdict(id)[0] == "DIFF_REJECTED"
    assert a.read_bytes().startswith(b"caf\xe9\n")
    person.type("q")
    assert person.ended() == 0


@test
def a_diff_of_5000_lines_is_shown_resized_and_taken(w):
    w.good("start")
    agent = w.agent()
    old = lines(50000)
    new = "".join(line.replace("line", "LINE") if i % 10 == 0 else line
                  for i, line in enumerate(old.splitlines(True)))
    id = agent.propose(w.file("a.txt", old), new)
    person = Terminal(w, "review", GIT_PAGER="less -R", LESS="")
    person.resize(24, 80)
    person.expect(":")
    person.resize(50, 132)
    person.type("G")
    person.expect("LINE 49991")
    person.resize(10, 40)
    person.type("q")
    began = time.monotonic()
    person.expect(PROMPT)
    person.type("h")
    shown = answer(person, "yns")
    assert "+LINE 1\n" in shown[0] and "(1/5000)" in shown[0]
    person.resize(24, 80)
    person.expect("cannot be split")
    answer(person, "d")
    person.expect("1 of 5000 hunks taken.")
    person.expect("(END)")
    person.type("q")
    person.expect(PROMPT)
    assert time.monotonic() - began < 10
    person.type("a")
    assert agent.verdict(id) == ["FILE_SAVED",
                                 old.replace("line 1\n", "LINE 1\n", 1)]
    person.type("q")
    assert person.ended() == 0 and person.is_usual()


@test
def what_fills_the_terminal_does_not_hide_the_question(w):
    w.good("start")
    agent = w.agent()
    person = Terminal(w, "review")
    person.resize(24, 80)
    person.expect("q ends")
    head = "claude-code wants to change a.txt"
    agent.propose(w.file("a.txt", "x\n"), "y\n")
    assert person.expect(PROMPT).count(head) == 1
    person.type("a")
    person.expect("Accepted.")
    id = agent.propose(w.file("a.txt", lines(40)), lines(40).upper())
    shown = person.expect(PROMPT)
    assert head in shown.partition("+LINE 40\n")[2], "it is out of sight"
    person.type("h")
    cut = answer(person, "?")[0].partition("hunks\n")[2]
    assert cut.count("\n") == 22 + 1, cut  # and the question itself
    assert "... and 59 more lines; p prints all of them\n" in cut
    assert "+LINE 1\n" not in cut
    assert "-line 21\n" in answer(person, "p")[0]
    assert "+LINE 40\n" in answer(person, "?")[0]
    assert "... and 59 more" in answer(person, "y")[0]
    person.expect("1 of 1 hunk taken.")
    person.expect(PROMPT)
    person.type("a")
    assert agent.verdict(id) == ["FILE_SAVED", lines(40).upper()]
    person.type("q")
    assert person.ended() == 0


@test
def what_a_terminal_would_hide_is_spelled_out(w):
    w.good("start")
    agent = w.agent()
    a = w.file("a.txt", "\x0c\none\ntwo\n")
    told = "It has hidden characters"
    hidden = {"\x1b[8mevil\x1b[m": "<U+001B>[8mevil<U+001B>[m",
              "\x9b8m": "<U+009B>8m", "\u202eabc": "<U+202E>abc",
              "a\u200bb": "a<U+200B>b", "<U+200B>": "<U+003C>U+200B>"}
    for pager in "cat", "less -FRX", "":
        person = Terminal(w, "review", GIT_PAGER=pager)
        agent.propose(a, "\x0c\nONE\ntwo\n")
        assert told not in person.expect(PROMPT)
        person.type("r\n")
        person.expect("Rejected.")
        for text, shown in hidden.items():
            agent.propose(a, f"\x0c\none\n{text}\ntwo\n")
            seen = person.expect(PROMPT)
            assert (told in seen) == (text != "<U+200B>"), seen
            assert f"+{shown}\n" in seen, seen
            person.type("r\n")
            person.expect("Rejected.")
        person.type("q")
        assert person.ended() == 0
    name = w.project / "b\u202ecod.txt"
    agent.propose(name, "\u2066x\n")
    assert "b<U+202E>cod.txt" in w.good("review", "list")
    id = w.waiting(1)[0]["id"]
    person = Terminal(w, "review", "show", id, NO_COLOR="1")
    seen = person.expect("+<U+2066>x")
    assert person.ended() == 0 and "b<U+202E>cod.txt" in seen, seen
    _, out, err = w.run("review", "show", id)
    assert "\u2066x" in out and "spells them out" in err, (out, err)
    w.good("review", "reject", "--next", "--comment", "\u202eno")
    assert "<U+202E>no" in w.good("log")


def propose_two(w, *texts):
    """A change of a.txt and b.txt, which hold "one"; the process that waits."""
    changes = [{"path": str(w.file(name, "one\n")), "text": text}
               for name, text in zip(("a.txt", "b.txt"), texts)]
    return w.begin("call", "proposeEdit", json.dumps({"changes": changes}))


def control(w, method, **params):
    """What the daemon answers to a command."""
    with socket.socket(socket.AF_UNIX) as s:
        s.connect(str(next((w.top / "run").rglob("*.sock"))))
        lines = s.makefile("rw")

        def ask(id, method, params):
            lines.write(json.dumps({"jsonrpc": "2.0", "id": id, "method": method,
                                    "params": params}) + "\n")
            lines.flush()
            return json.loads(lines.readline())

        ask(1, "hello", {"protocol": 1})
        return ask(2, method, params)


@test
def a_part_of_a_change_is_accepted(w):
    w.good("start")
    paths = [w.file(name, "one\n") for name in ("a.txt", "b.txt", "c.txt")]
    changes = [{"path": str(path), "text": "two\n"} for path in paths]
    call = subprocess.Popen(
        [w.program, "call", "proposeEdit",
         json.dumps({"changes": changes, "write": True})],
        cwd=w.project, env=w.env, text=True, stdout=subprocess.PIPE)
    id = w.waiting(1)[0]["id"]

    def decide(*files):
        return control(w, "review/decide", id=id, verdict="accept",
                       files=list(files))

    out = {"isLeftOut": True}
    for files, why in (([out], "has 3 files"), ([out] * 3, "reject it instead")):
        assert why in decide(*files)["error"]["message"]
    answer = decide({}, {"text": "mine\n"}, out)
    assert answer["result"]["state"] == "accepted", answer
    told = json.loads(call.communicate(timeout=20)[0])
    assert told["verdict"] == "accepted" and told["written"]
    first, second, third = told["changes"]
    assert "edited" not in first and "leftOut" not in first
    assert second["edited"] and second["text"] == "mine\n"
    assert third["leftOut"] and "text" not in third
    assert "c.txt" not in told["diff"]
    assert [path.read_text() for path in paths] == ["two\n", "mine\n", "one\n"]
    entries = json.loads(w.good("review", "show", id, "--json"))["entries"]
    assert [e.get("isLeftOut", False) for e in entries] == [False, False, True]


@test
def every_file_of_a_change_is_looked_at(w):
    w.good("start")
    calls = []
    person = Terminal(w, "review")
    person.resize(24, 80)
    person.expect("q ends")
    head = "wants to change a.txt, change b.txt"
    calls.append(propose_two(w, "two\n", lines(40)))
    shown = person.expect(PROMPT).partition("+line 40\n")
    assert head in shown[2] and "q leads to the question" in shown[0]
    (w.project / "b.txt").write_text("changed\n")
    person.type("s")
    assert "  b.txt has changed on disk" in person.expect(PROMPT)
    assert "changed since" in w.good("review", "list")
    person.type("r")
    person.expect("Why")
    person.type("\n")
    person.expect("Rejected.")
    calls.append(propose_two(w, "two\n", "\x1b[8mevil\x1b[m\n"))
    assert "It has hidden characters" in person.expect(PROMPT)
    person.type("q")
    assert person.ended() == 0
    paths = [w.project / name for name in ("a.txt", "b.txt")]
    id = w.waiting(1)[0]["id"]
    assert w.good("review", "reject", id[:8]) == \
        "".join(f"rejected {path}\n" for path in paths)
    calls.append(propose_two(w, "two\n", "zwei\n"))
    id = w.waiting(1)[0]["id"]
    calls[2].kill()
    until(lambda: "orphaned" in w.good("review", "list"), "an orphan")
    paths[1].write_text("changed\n")
    w.bad(1, "--force", "review", "apply", id)
    assert w.good("review", "apply", id, "--yes", "--force") == \
        "".join(f"written {path}\n" for path in paths)
    for call in calls:
        call.wait()


@test
def watching_rings_the_bell(w):
    w.good("start")
    agent = w.agent()
    person = Terminal(w, "review", "--watch")
    assert "\a" not in person.expect("No change waits")
    person.expect("q ends")
    agent.propose(w.file("a.txt", "x\n"), "y\n")
    assert "\a" in person.expect(PROMPT)
    agent.propose(w.file("b.txt", "x\n"), "y\n")
    person.expect("\a")
    for _ in "ab":
        person.type("a")
        person.expect("Accepted.")
    person.expect("No change waits")
    person.type("q")
    assert person.ended() == 0 and person.is_usual()
    quiet = Terminal(w, "review")
    quiet.expect("q ends")
    agent.propose(w.file("a.txt", "x\n"), "y\n")
    assert "\a" not in quiet.expect(PROMPT)
    quiet.type("q")
    assert quiet.ended() == 0


@test
def the_queue_says_whose_change_it_is(w):
    w.good("start")
    other = w.top / "other"
    other.mkdir()
    a = w.file("a.txt", "one\n")
    first, second = w.agent(), w.agent()
    first.propose(a, "1\n")
    w.waiting(1)
    id = second.propose(a, "2\n")
    sessions = [r["session"][:4] for r in w.waiting(2)]
    w.good("start", "--workspace", other)
    listed = w.good("review", "list", "--all", cwd="/").splitlines()
    assert f"in {w.project}  claude-code {sessions[0]}" in listed[0]
    assert "1 of 2 of this file" in listed[0]
    assert "2 of 2 of this file" in listed[1]
    person = Terminal(w, "review", "--all")
    shown = person.expect(PROMPT)
    assert f"claude-code {sessions[0]} wants to change a.txt in {w.project}" \
        in shown and "1 of 2]" in shown
    assert "number 1 of 2 changes of this file" in shown
    person.type("a")
    person.expect("Accepted.")
    person.expect(PROMPT)
    a.write_text("1\n")  # as the agent does now
    person.type("s")
    assert "has changed on disk" in person.expect(PROMPT)
    assert "the file has changed since" in w.good("review", "list")
    person.type("a")
    assert second.verdict(id) == ["FILE_SAVED", "2\n"]
    person.type("q")
    assert person.ended() == 0


@test
def an_edit_outlives_its_agent_and_is_applied(w):
    w.good("start")
    agent = w.agent()
    a = w.file("a.txt", "one\ntwo\n")
    a.chmod(0o751)
    agent.propose(a, "one\nTWO\n")
    person = Terminal(w, "review")
    person.expect(PROMPT)
    person.type("e")
    person.expect("zwei")
    person.expect(PROMPT)
    id = w.waiting(1)[0]["id"]
    w.bad(1, "waits for the verdict", "review", "apply", id, "--yes")
    agent.leave()
    assert "The agent no longer waits" in person.expect("writes your text to the file")
    person.expect("No change waits")
    person.type("q")
    assert person.ended() == 0
    assert not list((w.top / "tmp").iterdir()), "it is with the review"
    assert "orphaned, with your edits" in w.good("review", "list")
    assert "1 change is left" in (again := Terminal(w, "review")).expect("q ends")
    again.type("q")
    again.ended()
    w.bad(1, "--yes", "review", "apply", id)
    a.write_text("changed\n")
    w.bad(1, "--force", "review", "apply", id, "--yes")
    assert a.read_text() == "changed\n"
    a.write_text("one\ntwo\n")
    person = Terminal(w, "review", "apply", id[:8])
    assert "+zwei" in person.expect("Apply: change a.txt? [y/n] ")
    person.type("n")
    assert person.ended() == 0 and a.read_text() == "one\ntwo\n"
    person = Terminal(w, "review", "apply", id[:8])
    person.expect("[y/n] ")
    person.type("y")
    person.expect("written")
    assert person.ended() == 0 and a.read_text() == "one\nzwei\n"
    assert a.stat().st_mode & 0o7777 == 0o751
    assert w.good("review", "list") == ""
    shown = json.loads(w.good("review", "show", id, "--json"))
    assert shown["state"] == "accepted"
    assert shown["entries"][0]["final"] == "one\nzwei\n"


@test
def a_command_runs_when_a_review_opens(w):
    tool = w.file("tool", '#!/bin/sh\necho "$@" "$PWD" >>"$0.said"\n')
    tool.chmod(0o755)
    w.good("config", "review.on_review", f"{tool} -x")
    w.good("start")
    a = w.file("a.txt", "x\n")
    w.agent().propose(a, "y\n")
    id = w.waiting(1)[0]["id"]
    said = w.project / "tool.said"
    until(lambda: said.exists() and said.read_text().endswith("\n"), "the tool")
    assert said.read_text() == f"-x claude-code {a} {id} {w.project}\n"


# MCP clients

def sessions(w):
    status = json.loads(w.good("status", "--json"))
    return [s["agent"] for x in status["workspaces"] for s in x["sessions"]]


def hold(w, relay, name):
    """A call that waits for a person."""
    return relay.call("tools/call", {"name": "proposeEdit", "arguments": {
        "changes": [{"path": str(w.file(name, "one\n")), "text": "two\n"}]}})


@test
def an_mcp_client_is_served_by_stdio(w):
    relay = Relay(w, "--workspace", w.project)
    assert relay.shake()["serverInfo"]["name"] == "dovetail"
    assert relay.ask("tools/list")["result"]["tools"]
    assert sessions(w) == ["tester"]
    relay.write(b"garbage\n\n")
    until(lambda: next((m for m in relay.messages if
                        m.get("error", {}).get("code") == -32700), None),
          "an answer to garbage")
    assert relay.ask("ping")["result"] == {}
    code, took = relay.end()
    assert code == 0 and took < 0.8, took
    assert relay.errors == "", relay.errors
    until(lambda: sessions(w) == [], "the end of the session")


@test
def a_form_that_nobody_read_decides_nothing(w):
    relay = Relay(w, "--workspace", w.project)
    relay.shake(elicitation={})
    said = [{"action": "decline"},
            {"action": "accept", "content": {"verdict": "accept"}},
            {"action": "accept", "content": {"verdict": "reject"}}]

    def asked(name):
        call = hold(w, relay, name)
        form = until(lambda: next((m for m in relay.messages if m.get("method")
                                   == "elicitation/create"), None), "a form")
        relay.messages.remove(form)
        return call, form["id"]

    for count, answer in enumerate(said, 1):
        call, form = asked(f"{count}.txt")
        relay.send({"id": form, "result": answer})
        assert relay.ask("ping")["result"] == {}
        w.waiting(count)
        assert not any(m.get("id") == call for m in relay.messages), answer
    # After as long as a person needs the answer counts.
    call, form = asked("4.txt")
    time.sleep(1.1)
    relay.send({"id": form, "result": said[0]})
    assert "rejected" in str(relay.answer(call)["result"])
    w.waiting(len(said))
    relay.end()


@test
def a_large_message_passes_the_relay(w):
    relay = Relay(w, "--workspace", w.project)
    relay.shake()
    answer = relay.ask("ping", {"x": "y" * (10 << 20)})
    assert answer["result"] == {}
    relay.write(b"z" * (65 << 20) + b"\n")
    until(lambda: next((m for m in relay.messages if "64 MiB" in
                        m.get("error", {}).get("message", "")), None),
          "a refusal")
    assert relay.ask("ping")["result"] == {}
    assert relay.end()[0] == 0


@test
def a_client_that_ends_is_not_waited_for(w):
    relay = Relay(w, "--workspace", w.project)
    relay.shake()
    relay.call("ping")
    relay.write(b'{"jsonrpc":"2.0","id":99,"method":"ping"}')  # no line end
    assert relay.end()[0] == 0
    assert {"jsonrpc": "2.0", "id": 99, "result": {}} in relay.messages
    relay = Relay(w, "--workspace", w.project)
    relay.shake()
    relay.write(b'{"jsonrpc":"2.0","id":99,"meth')  # half a message
    code, took = relay.end()
    assert code == 0 and took < 1.5, took
    relay = Relay(w, "--workspace", w.project)
    relay.shake()
    hold(w, relay, "a.txt")
    w.waiting(1)
    code, took = relay.end()  # somebody may still answer, but not for long
    assert code == 0 and 0.5 < took < 3, took
    for number in (signal.SIGTERM, signal.SIGINT):
        relay = Relay(w, "--workspace", w.project)
        relay.shake()
        relay.process.send_signal(number)
        assert relay.process.wait(timeout=20) == 0
        until(lambda: sessions(w) == [], "the end of the session")
        relay.end()


@test
def what_is_due_at_the_end_is_answered(w):
    w.good("start")
    relay = Relay(w)
    relay.shake()
    asked = hold(w, relay, "a.txt")
    w.waiting(1)
    code, took = relay.end()
    assert code == 0 and took < 5
    answers = [m for m in relay.messages if m.get("id") == asked]
    assert len(answers) == 1 and "ended" in answers[0]["error"]["message"]


@test
def a_killed_daemon_is_not_noticed(w):
    relay = Relay(w, "--workspace", w.project)
    relay.shake()
    held = [hold(w, relay, "a.txt"), hold(w, relay, "b.txt")]
    w.waiting(2)
    for _ in range(3):
        pid = json.loads(w.good("status", "--json"))["pid"]
        os.kill(pid, signal.SIGKILL)
        # What the daemon had when it died is for the client to repeat.
        answer = relay.ask("ping")
        if "error" in answer:
            assert "call again" in answer["error"]["message"]
        assert relay.ask("tools/list")["result"]["tools"]
    for id in held:
        error = relay.answer(id)["error"]
        assert error["code"] == -32603 and "call again" in error["message"]
    assert len([m for m in relay.messages if m.get("id") in held]) == 2
    assert sessions(w) == ["tester"]
    assert relay.end()[0] == 0


@test
def a_daemon_that_hangs_is_not_waited_for(w):
    w.good("start")
    pid = json.loads(w.good("status", "--json"))["pid"]
    os.kill(pid, signal.SIGSTOP)
    try:
        relay = Relay(w)
        answer = relay.ask("ping")
        assert "does not answer" in answer["error"]["message"], answer
    finally:
        os.kill(pid, signal.SIGCONT)
    relay.shake()
    assert relay.ask("ping")["result"] == {}
    relay.end()


@test
def a_restarted_daemon_is_not_noticed(w):
    relay = Relay(w, "--workspace", w.project)
    relay.shake()
    id = hold(w, relay, "a.txt")
    w.waiting(1)
    w.good("restart")
    assert relay.ask("ping")["result"] == {}
    relay.answer(id)
    assert sessions(w) == ["tester"]
    w.good("stop")
    id = relay.call("ping")
    time.sleep(0.3)
    assert not [m for m in relay.messages if m.get("id") == id]
    w.good("start")
    assert relay.answer(id)["result"] == {}
    ids = [m["id"] for m in relay.messages if "id" in m]
    assert len(ids) == len(set(ids)), ids
    assert relay.end()[0] == 0


@test
def a_relay_weighs_next_to_nothing(w):
    # There is one for each client, as long as that runs.  Sanitizers weigh more.
    w.program = str(Path(os.environ.get("GCC_BUILD", "build"), "dovetail")
                    .resolve())
    w.good("start")
    relay = Relay(w)
    relay.shake()
    assert relay.ask("tools/list")["result"]["tools"]

    def weight():
        status = Path(f"/proc/{relay.process.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0])  # KiB

    print(f"{weight()} KiB")
    until(lambda: weight() < 3000, "a relay of less than 3 MB")
    relay.end()


@test
def a_client_that_does_not_read_is_waited_for(w):
    relay = Relay(w, "--workspace", w.project)
    relay.shake()
    relay.is_reading.clear()
    ids = [relay.call("tools/list") for _ in range(100)]
    relay.is_reading.set()
    for id in ids:
        assert relay.answer(id)["result"]["tools"]
    assert relay.end()[0] == 0


@test
def a_client_without_a_project_gets_a_sentence(w):
    relay = Relay(w, cwd="/")
    error = relay.ask("initialize", {})["error"]
    assert "--workspace" in error["message"], error
    assert relay.end()[0] == 0
    (w.project / ".git").mkdir()
    relay = Relay(w)
    relay.shake()
    assert relay.end()[0] == 0
    relay = Relay(w, cwd="/")  # the one used last
    relay.shake()
    roots = [x["root"] for x in
             json.loads(w.good("status", "--json"))["workspaces"]
             if x["sessions"]]
    assert roots == [str(w.project)]
    assert relay.end()[0] == 0
    w.bad(3, "no folder", "mcp", "--workspace", w.top / "none")


@test
def a_relay_is_an_agent_and_decides_nothing(w):
    relay = Relay(w, "--workspace", w.project)
    relay.shake()
    hold(w, relay, "a.txt")
    id = w.waiting(1)[0]["id"]
    # This very process started the relay, so it is the agent.
    tried = subprocess.run([w.program, "review", "accept", id],
                           cwd=w.project, env=w.env)
    assert tried.returncode == 4, tried
    w.waiting(1)
    relay.end()


@test
def tools_are_called_from_the_shell(w):
    a = w.file("a.txt", "one\n")
    change = "changes=" + json.dumps({"path": str(a), "text": "two\n"})

    def call(*args):
        return w.begin("call", "proposeEdit", *args)

    assert "proposeEdit" in w.good("call", "--list")
    asked = call(change, "write=true", "reason=1")
    assert w.waiting(1)[0]["reason"] == "1"
    w.good("review", "accept", "--next")
    out, err = asked.communicate(timeout=20)
    assert asked.returncode == 0 and "accepted" in out, (out, err)
    assert a.read_text() == "two\n"
    asked = call("{" + f'"changes":[{change[8:]}]' + "}", "--json")
    w.waiting(1)
    w.good("review", "reject", "--next")
    out, err = asked.communicate(timeout=20)
    assert json.loads(out)["content"][0]["type"] == "text", (out, err)
    code, out, err = w.run("call", "proposeEdit", 'changes={"path":"x"}')
    assert code == 1 and out == "" and "give text or edits" in err
    w.bad(2, "there is no argument", "call", "proposeEdit", "x=1")
    w.bad(2, "boolean", "call", "proposeEdit", change, "write=2")
    w.bad(2, "nope", "call", "nope")
    w.bad(2, "--list", "call")
    w.bad(2, "there is no tool", "call", "nope", "a=1")
    w.bad(2, "did you mean getHover?", "call", "getHovr", "a=1")
    w.bad(2, "did you mean getHover?", "call", "getHovr")
    w.bad(2, "did you mean getHover?", "help", "gethoverr")
    said = json.loads(w.good("call", "getToolCapabilities"))
    assert "npm" in said["allowedPrograms"] and "waits" in said["asking"], said
    names = w.good("tools").split()
    for name in re.findall(r"\b[a-z]+[A-Z]\w*", said["asking"]):
        assert name in names or name == "allowedPrograms", name
    assert sessions(w) == []
    assert "changes" in w.good("help", "proposeEdit")
    said = w.good("help", "editText")
    assert "Each is an object with:\n        type (string, required)" in said
    assert "One of: insert delete replace" in said, said
    assert "person may be asked first" in w.good("help", "gitCommit")
    assert "person may be asked first" in w.good("help", "runCommand")
    w.bad(2, "no command or tool", "help", "nope")


def git(w, *args, cwd=None):
    subprocess.run(
        ["git", *args], cwd=cwd or w.project, env=w.env, check=True,
        stdin=subprocess.DEVNULL, capture_output=True)


def tool(w, name, *args):
    """The result of a tool, as data."""
    return json.loads(w.good("call", name, *args))


def cannot(w, sentence, name, *args):
    code, out, err = w.run("call", name, *args)
    assert code == 1 and out == "" and sentence in err, (code, out, err)


def make_repository(w):
    git(w, "init", "-q", "-b", "main")
    git(w, "config", "user.name", "Ada")
    git(w, "config", "user.email", "ada@example.org")


@test
def a_repository_is_looked_at_and_changed(w):
    w.good("start")
    cannot(w, "git init", "getGitStatus")
    make_repository(w)
    a = w.file("a.c", "int one;\nint two;\n")
    w.file(".env", "TOKEN=1\n")
    assert tool(w, "getGitStatus")["untracked"] == [
        str(w.project / ".env"), str(a)]
    cannot(w, "no commit yet", "getGitLog")
    cannot(w, "nothing to commit", "gitCommit", "message=first")
    git(w, "add", ".env")
    made = tool(w, "gitCommit", "message=first", "addAll=true")
    assert made["branch"] == "main" and made["count"] == 2
    w.file("a.c", "int one;\nint 2;\n")
    w.file(".env", "TOKEN=2\n")
    diff = tool(w, "getGitDiff")
    assert "+int 2;" in diff["diff"] and "TOKEN" not in diff["diff"]
    assert diff["leftOut"] == 1 and "kept from agents" in diff["note"]
    cannot(w, "kept from agents", "getGitDiff", f"filePath={w.project}/.env")
    cannot(w, "kept from agents", "gitBlame", f"filePath={w.project}/.env")
    cannot(w, "outside the workspace", "getGitLog", "filePath=/etc/passwd")
    lines = tool(w, "gitBlame", f"filePath={a}")["lines"]
    assert lines[0]["hash"] == made["hash"] and "hash" not in lines[1]
    assert tool(w, "gitStash", "message=later")["stashed"]
    assert tool(w, "gitStashList")["entries"][0]["message"] == "On main: later"
    assert tool(w, "gitStashPop")["restored"]
    assert tool(w, "gitCheckout", "branch=topic", "create=true") == {
        "branch": "topic", "previousBranch": "main", "created": True}
    assert tool(w, "gitAdd", "files=a.c") == {"staged": [str(a)], "count": 1}
    tool(w, "gitCommit", "message=second")
    diff = tool(w, "getDiffBetweenRefs", "ref1=main", "ref2=topic")
    assert diff["files"] == [{"filePath": str(a), "added": 1, "deleted": 1}]
    cannot(w, "is not the name of", "getDiffBetweenRefs", "ref1=main",
           "ref2=--output=x")
    assert [c["subject"] for c in tool(w, "getGitLog")["entries"]] == [
        "second", "first"]
    shown = tool(w, "getCommitDetails", f"commitHash={made['hash']}")
    assert shown["leftOut"] == 1 and "TOKEN" not in shown["diff"]
    branches = tool(w, "gitListBranches")
    assert branches["current"] == "topic" and len(branches["local"]) == 2
    assert tool(w, "getGitHotspots")["hotspots"][0] == {
        "path": str(a), "commits": 2}
    history = tool(w, "getSymbolHistory", f"filePath={a}", "line=2", "column=5")
    assert [c["subject"] for c in history["recentCommits"]] == [
        "second", "first"]


@test
def a_project_is_searched_and_got_to_know(w):
    make_repository(w)
    (w.project / "lib").mkdir()
    a = w.file("a.c", '#include "lib/b.h"\nint needle; // AI: fix: a name\n')
    b = w.file("lib/b.h", '#include "../a.c"\n/* needle */\n')
    w.file("package.json", '{"name": "p", "scripts": {"test": "node t"}}')
    w.file(".env", "needle=1\n")
    w.file("built.o", "needle\n")
    w.file(".gitignore", "*.o\n")
    w.good("start")
    found = tool(w, "searchWorkspace", "query=needle", "contextLines=1")
    assert [(m["filePath"], m["line"], m["column"]) for m in
            found["matches"]] == [(str(a), 2, 5), (str(b), 2, 4)], found
    assert found["matches"][0]["before"] == ['#include "lib/b.h"']
    one = tool(w, "searchWorkspace", "query=NEE.LE", "isRegex=true",
               "caseSensitive=false", "maxResults=1")
    assert one["truncated"] and len(one["matches"]) == 1
    assert not tool(w, "searchWorkspace", "query=needle=1")["matches"]
    cannot(w, "the pattern is wrong", "searchWorkspace", "query=(",
           "isRegex=true")
    comments = tool(w, "getAIComments")["comments"]
    assert [(c["severity"], c["comment"]) for c in comments] == [
        ("fix", "a name")]
    tree = tool(w, "getImportTree", f"filePath={a}")
    assert tree["cycles"] == [{"files": [str(a), str(b)]}], tree
    info = tool(w, "getProjectInfo")
    assert info["project"]["name"] == "p" and info["testRunner"] == "npm"
    assert info["git"] == {"branch": "main"}
    tool(w, "setHandoffNote", "note=go on with a.c")
    w.good("open", str(a))
    bundle = tool(w, "contextBundle")
    assert bundle["activeFile"] == str(a)
    assert bundle["handoffNote"]["note"] == "go on with a.c"
    assert tool(w, "getHandoffNote")["updatedBy"] == "dovetail-call"
    cannot(w, "context.clipboard on", "readClipboard")
    cannot(w, "context.clipboard on", "writeClipboard", "text=x")
    listed = [t["name"] for t in tool(
        w, "searchTools", "query=clipboard")["tools"]]
    assert "readClipboard" in listed


@test
def a_remote_is_fetched_pulled_and_pushed(w):
    make_repository(w)
    w.good("start")
    tool(w, "getGitStatus")
    w.file("a.c", "1\n")
    tool(w, "gitCommit", "message=first", "addAll=true")
    cannot(w, "has no remote", "gitPush")
    git(w, "init", "-q", "--bare", "-b", "main", str(w.top / "remote"))
    git(w, "remote", "add", "origin", str(w.top / "remote"))
    cannot(w, "setUpstream", "gitPush")
    assert tool(w, "gitPush", "setUpstream=true")["state"] == "new"
    assert tool(w, "gitPull")["alreadyUpToDate"]
    other = w.top / "other"
    git(w, "clone", "-q", str(w.top / "remote"), str(other))
    (other / "b").write_text("b\n")
    git(w, "add", "b", cwd=other)
    git(w, "-c", "user.name=B", "-c", "user.email=b@b", "commit", "-qm", "b",
        cwd=other)
    git(w, "push", "-q", cwd=other)
    w.file("a.c", "2\n")
    tool(w, "gitCommit", "message=second", "addAll=true")
    cannot(w, "commits that are not here", "gitPush")
    cannot(w, "never forced", "gitPush", "force=true")
    fetched = tool(w, "gitFetch")
    assert fetched["refs"][0]["name"] == "refs/remotes/origin/main"
    assert not tool(w, "gitPull", "rebase=true")["alreadyUpToDate"]
    assert (w.project / "b").exists()
    assert tool(w, "gitPush")["state"] == "updated"


@test
def github_is_asked_by_gh(w):
    # No account can be used here: a script stands in for gh.
    programs = w.top / "bin"
    programs.mkdir()
    script = programs / "gh"
    w.env["PATH"] = f"{programs}:{w.env['PATH']}"
    make_repository(w)
    script.write_text("#!/bin/sh\necho 'gh auth login' >&2\nexit 4\n")
    script.chmod(0o755)
    w.good("start")
    cannot(w, "no remote", "githubPR", "operation=list")
    git(w, "remote", "add", "origin", "https://github.com/a/b.git")
    cannot(w, "not logged in", "githubPR", "operation=list")
    script.write_text("#!/bin/sh\necho '[{\"number\":1}]'\n")
    assert tool(w, "githubPR", "operation=list")["count"] == 1
    assert tool(w, "githubIssue", "operation=list")["issues"] == [{"number": 1}]
    assert tool(w, "githubActions", "operation=listRuns")["count"] == 1
    # What changes something there waits for the person.
    script.write_text("#!/bin/sh\n>called\n"
                      "echo https://github.com/a/b/issues/7\n")
    call = start_call(w, "githubIssue", "operation=create", "title=a b",
                      "body=c")
    review = w.waiting(1)[0]
    assert review["command"].startswith("gh issue create "), review
    assert "a b'" in review["command"] and not (w.project / "called").exists()
    w.good("review", "accept", review["id"][:8])
    code, out, err = ended(call)
    assert code == 0 and "issues/7" in out, err
    assert (w.project / "called").exists()
def start_call(w, *args, **env):
    """A tool called from a terminal that then has to wait."""
    return w.begin("call", *args, **env)


def ended(call):
    """(exit code, stdout, stderr)"""
    out, err = call.communicate(timeout=20)
    return call.returncode, out, err


@test
def what_the_agent_says_of_a_change_is_shown(w):
    w.good("start")
    person = Terminal(w, "review", "list")
    person.expect("No change waits.")
    assert person.ended() == 0
    call = start_call(w, "proposeEdit", json.dumps({
        "title": "Greet", "reason": "nobody did",
        "changes": [{"path": str(w.project / "a.txt"), "text": "hello\n"}]}))
    id = w.waiting(1)[0]["id"][:8]
    listed = w.good("review", "list").splitlines()
    assert listed[1] == "          Greet: nobody did", listed
    assert w.good("review", "show", id).startswith("Greet: nobody did\n\ndiff")
    person = Terminal(w, "review")
    person.expect("Greet: nobody did")
    person.expect(PROMPT)
    person.type("a")
    person.expect("Accepted.")
    person.type("q")
    assert person.ended() == 0
    ended(call)


@test
def what_is_accepted_and_not_written_is_told(w):
    w.good("start")
    a = w.file("a.txt", "one\n")
    edit = ("replaceBlock", f"filePath={a}", "oldContent=one", "newContent=two")
    call = start_call(w, *edit)
    w.waiting(1)
    a.write_text("one, changed\n")
    w.bad(1, "nothing is written: a.txt has changed since", "review", "accept",
          "--next")
    code, _, err = ended(call)
    assert code == 1 and "has changed since" in err, err
    assert a.read_text() == "one, changed\n"
    call = start_call(w, *edit)
    w.waiting(1)
    a.write_text("one, once more\n")
    person = Terminal(w, "review")
    person.expect(PROMPT)
    person.type("a")
    person.expect("nothing is written: a.txt has changed")
    person.type("q")
    assert person.ended() == 0
    ended(call)
    code, _, err = w.run("call", "createFile", "filePath=/elsewhere/a",
                         "content=x")
    assert code == 1 and "outside the workspace" in err, err
    w.waiting(0)


@test
def what_an_agent_did_not_write_is_told_and_can_be_applied(w):
    w.good("start")
    agent = w.agent()
    a = w.file("a.txt", "one\n")
    agent.propose(a, "two\n")
    id = w.waiting(1)[0]["id"]
    assert w.good("review", "accept", id) == f"accepted {a}; the agent writes it\n"

    def state():
        return json.loads(w.good("review", "show", id, "--json"))["state"]

    # It has ten seconds; then the log says what is on disk.
    assert state() == "writing" and w.good("review", "list") == ""
    until(lambda: state() == "unwritten", "that nothing was written")
    line = w.good("log", "--reviews").splitlines()[-1]
    assert "  unwritten  change a.txt" in line, line
    assert f"{a} still has its old text" in line, line
    assert "unwritten: the agent did not write" in w.good("review", "list")
    assert "unwritten: the agent did" in w.good("review", "show", id)
    metrics = w.good("metrics")
    assert 'state="unwritten"} 1' in metrics and \
        'state="accepted"} 0' in metrics, metrics
    a.write_text("else\n")
    assert w.good("review", "list") == "", "it may be what the person wants"
    w.bad(1, "--force", "review", "apply", id, "--yes")
    a.write_text("one\n")
    assert w.good("review", "apply", id, "--yes") == f"written {a}\n"
    assert a.read_text() == "two\n" and state() == "accepted"
    assert "problem" not in w.good("review", "show", id, "--json")
    w.bad(1, "accepted already, and on disk", "review", "apply", id, "--yes")
    # The file was put back to what it was: the verdict stands.
    a.write_text("one\n")
    assert w.good("review", "apply", id, "--yes") == f"written {a}\n"


@test
def a_change_too_large_for_a_message_is_shown_in_part_and_decided(w):
    w.good("start")
    text = "".join(f"line {i} of a file that is large\n" for i in range(1100000))
    a = w.file("a.txt", text)
    assert len(text) > 37 << 20
    hook = start_hook(w, edit_of(w, a, "line 700000 of", "LINE 700000 of"))
    id = w.waiting(1)[0]["id"]
    shown = w.good("review", "show", id)
    assert "This diff is cut: " in shown and \
        " of 2200000 lines of a.txt are shown, from line 699998 on" in shown
    assert "-line 700000 of a file that is large\n+LINE 700000 of" in shown
    whole = shown.partition("the whole new text is in ")[2].partition(".\n")[0]
    assert Path(whole).read_text() == text.replace("line 700000 ", "LINE 700000 ")
    person = Terminal(w, "review")
    person.expect("This diff is cut")
    person.expect(PROMPT)
    person.type("e")
    person.expect("cannot be edited")
    person.expect(PROMPT)
    person.type("a")
    person.expect("Accepted.")
    person.type("q")
    assert person.ended() == 0
    assert decision(hook)["permissionDecision"] == "allow"
    assert not Path(whole).exists()
    # A text that is larger than a message goes to the daemon by a file.
    text = "x\"\n" * (15 << 20)
    write = edit_of(w, w.project / "b.txt", "", "") | {"tool_name": "Write"}
    write["tool_input"] = {"file_path": str(w.project / "b.txt"),
                           "content": text}
    hook = start_hook(w, write)
    id = w.waiting(1)[0]["id"]
    assert "This diff is cut: " in w.good("review", "show", id)
    assert not list((w.top / "run/dovetail").glob("hook-*")), "it was read"
    w.good("review", "reject", id, "--comment", "too much")
    assert decision(hook)["permissionDecision"] == "deny"


def small_disk(folder, size):
    """False where this machine lets nobody make one."""
    return os.geteuid() == 0 and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "none", folder],
        stderr=subprocess.DEVNULL).returncode == 0


@test
def a_verdict_that_cannot_be_kept_writes_nothing_and_is_applied_later(w):
    state = w.top / "state"
    if not small_disk(state, "2m"):
        return
    try:
        w.good("start")
        a = w.file("a.txt", "one\n")
        call = start_call(w, "proposeEdit", json.dumps({
            "write": True, "changes": [{"path": str(a), "text": "two\n"}]}))
        id = w.waiting(1)[0]["id"]
        w.good("log")  # the history has it
        try:
            (state / "fill").write_bytes(b"x" * (4 << 20))
        except OSError:
            pass
        w.bad(1, "disk is full", "review", "accept", id)
        _, out, _ = ended(call)
        assert '"written":false' in out, out
        assert a.read_text() == "one\n"
        w.bad(1, "disk is full", "review", "apply", id, "--yes")
        (state / "fill").unlink()
        w.good("review", "apply", id, "--yes")
        assert a.read_text() == "two\n"
        assert "accepted   change a.txt" in w.good("log", "--reviews")
    finally:
        w.run("stop")
        subprocess.run(["umount", state], check=True)


@test
def a_full_disk_after_the_verdict_is_said_and_applied_later(w):
    small = w.project / "small"
    small.mkdir()
    if not small_disk(small, "64k"):
        return
    try:
        w.good("start")
        a = w.file("small/a.txt", "one\n")
        b = w.file("b.txt", "one\n")
        text = "two\n" * 10000
        call = start_call(w, "proposeEdit", json.dumps({
            "write": True, "changes": [{"path": str(b), "text": "two\n"},
                                       {"path": str(a), "text": text}]}))
        id = w.waiting(1)[0]["id"]
        (small / "fill").write_bytes(b"x" * 40960)
        w.bad(1, f"review apply {id[:8]}", "review", "accept", id)
        code, out, err = ended(call)
        assert "No space left" in out + err, (out, err)
        assert a.read_text() == b.read_text() == "one\n"
        assert "unwritten" in w.good("log", "--reviews")
        w.bad(1, "No space left", "review", "apply", id, "--yes")
        (small / "fill").unlink()
        w.good("review", "apply", id, "--yes")
        assert a.read_text() == text and b.read_text() == "two\n"
        assert sorted(p.name for p in small.iterdir()) == ["a.txt"]
        assert "accepted" in w.good("log", "--reviews")
    finally:
        subprocess.run(["umount", small], check=True)


@test
def allowed_commands_run_and_others_wait(w):
    w.good("start")
    subprocess.run(["git", "init", "-q"], cwd=w.project, check=True)
    w.file("a b", "x")
    out = json.loads(w.good("call", "runCommand", "command=git",
                            'args=["status","--short"]'))
    assert out["exitCode"] == 0 and out["stdout"] == '?? "a b"\n', out
    out = json.loads(w.good("call", "runCommand", "command=git",
                            "args=log", "timeout=5000"))
    assert out["exitCode"] == 128 and "fatal" in out["stderr"]
    code, _, err = w.run("call", "runCommand", "command=no-such-program")
    assert code == 1 and "there is no program no-such-program" in err
    # Another terminal accepts it, this once.
    call = start_call(w, "runCommand", "command=touch", "args=made here")
    review = w.waiting(1)[0]
    assert review["command"] == "touch 'made here'"
    assert not (w.project / "made here").exists()
    assert "run touch 'made here'" in w.good("review", "list")
    shown = w.good("review", "show", review["id"][:8])
    assert "touch 'made here'" in shown and "at most 60 s" in shown
    w.bad(2, "a text fits only one", "review", "accept", review["id"][:8],
          "--text-file", w.file("t", "x"))
    assert "accepted touch" in w.good("review", "accept", review["id"][:8])
    code, out, _ = ended(call)
    assert code == 0 and json.loads(out)["exitCode"] == 0
    assert (w.project / "made here").exists()
    # Or rejects it, and says why.
    call = start_call(w, "runCommand", "command=touch", "args=other")
    w.waiting(1)
    w.good("review", "reject", "--next", "--comment", "not that")
    code, _, err = ended(call)
    assert code == 1 and "rejected this command: not that" in err
    assert not (w.project / "other").exists()
    # Nothing is run that nobody waits for.
    call = start_call(w, "runCommand", "command=touch", "args=late")
    review = w.waiting(1)[0]
    call.kill()
    call.wait()
    w.waiting(0)
    w.bad(1, "withdrawn already", "review", "accept", review["id"])
    w.bad(1, "is a command", "review", "apply", review["id"], "--yes")
    assert not (w.project / "late").exists()
    log = w.good("log")
    assert "accepted   run touch 'made here'" in log
    assert "rejected   run touch other" in log
    assert "withdrawn  run touch late" in log
    assert "output /" in w.good("log", "--audit")


@test
def arguments_that_lead_elsewhere_wait(w):
    w.good("start")
    for args in (["-c", "alias.x=!touch made", "x"],
                 ["clone", "--upload-pack=touch made", "."],
                 ["log", "/etc/passwd"], ["log", "../x"], ["-C", ".."]):
        call = start_call(w, "runCommand", "command=git",
                          f"args={json.dumps(args)}")
        w.waiting(1)
        w.good("review", "reject", "--next")
        assert ended(call)[0] == 1
    assert not (w.project / "made").exists()


def run_git(w, *args):
    """The output of a git that an agent runs, once it is allowed."""
    return start_call(w, "runCommand", "command=git",
                      f"args={json.dumps(args)}")


@test
def commands_that_discard_wait_with_their_exact_words(w):
    make_repository(w)
    w.file("a.c", "1\n")
    git(w, "add", "-A")
    git(w, "commit", "-qm", "first")
    a = w.file("a.c", "not committed\n")
    w.good("start")
    for words, why in (
            (["reset", "--hard"], "discard work or history"),
            (["reset", "--har"], "discard work or history"),
            (["checkout", "--", "a.c"], "gitCheckout"),
            (["clean", "-fdx"], "discard work or history"),
            (["stash", "drop"], "discard work or history"),
            (["push", "-uf", "origin", "main"], "known to be harmless"),
            (["branch", "-D", "main"], "known to be harmless"),
            (["apply", "x"], "nobody has reviewed")):
        call = run_git(w, *words)
        review = w.waiting(1)[0]
        assert review["command"] == " ".join(["git", *words]), review
        assert why in review["reason"], review
        w.good("review", "reject", "--next")
        assert ended(call)[0] == 1
        said = w.good("policy", "check", "--run", " ".join(["git", *words]))
        assert said.startswith("ask: ") and why in said
    assert a.read_text() == "not committed\n"
    call = run_git(w, "reset", "--hard")
    w.waiting(1)
    w.good("review", "accept", "--next")
    assert ended(call)[0] == 0 and a.read_text() == "1\n"


@test
def a_script_runs_unasked_while_it_is_as_it_was_seen(w):
    make_repository(w)
    w.file("Makefile", "check:\n\techo one\n")
    git(w, "add", "-A")
    git(w, "commit", "-qm", "first")
    w.good("policy", "allow", "make", "--yes")
    w.good("start")
    assert "one" in tool(w, "runTests")["output"]
    said = w.good("policy", "check", "--run", "make check")
    assert "as you last saw them" in said
    w.file("Makefile", "check:\n\techo two\n")
    call = start_call(w, "runTests")
    review = w.waiting(1)[0]
    assert review["command"] == "make check"
    assert review["reason"] == "Makefile is not as you last saw it, and " \
        "says what runs", review
    w.good("review", "reject", "--next")
    assert ended(call)[0] == 1
    # Nor does an agent make it seen by a commit.
    relay = Relay(w, "--workspace", w.project)
    relay.shake()
    asked = relay.call("tools/call", {"name": "gitCommit", "arguments": {
        "message": "second", "addAll": True}})
    review = w.waiting(1)[0]
    assert review["command"] == "git commit --message=second --all", review
    relay.end()
    w.waiting(0)
    # The person does.
    git(w, "commit", "-qam", "second")
    assert "two" in tool(w, "runTests")["output"]
    # So does who accepts a change of it.
    path = w.project / "Makefile"
    call = start_call(w, "proposeEdit", "write=true", "changes=" + json.dumps(
        {"path": str(path), "text": "check:\n\techo three\n"}))
    w.waiting(1)
    w.good("review", "accept", "--next")
    assert ended(call)[0] == 0
    assert "three" in tool(w, "runTests")["output"]
    # A rule does not.
    w.good("stop")
    conf = w.top / "config/dovetail/dovetail.conf"
    conf.write_text(conf.read_text() + "[policy]\nallow = *\n")
    w.good("start")
    tool(w, "proposeEdit", "write=true", "changes=" + json.dumps(
        {"path": str(path), "text": "check:\n\techo four\n"}))
    assert "four" in path.read_text()
    call = start_call(w, "runTests")
    w.waiting(1)
    w.good("review", "reject", "--next")
    assert ended(call)[0] == 1


@test
def commands_that_can_print_what_is_kept_wait(w):
    make_repository(w)
    w.file("a.c", "1\n")
    git(w, "add", "-A")
    git(w, "commit", "-qm", "first")
    w.file(".env", "TOKEN=1\n")
    w.good("start")
    for words in (["show"], ["log", "-p"], ["grep", "1"], ["diff", "HEAD"]):
        code, out, _ = ended(run_git(w, *words))
        assert code == 0 and "TOKEN" not in out, out
    git(w, "add", "-f", ".env")
    git(w, "commit", "-qm", "second")
    (w.project / "sub").mkdir()
    for words in (["show"], ["log", "-p"], ["grep", "1"], ["diff", "HEAD~1"],
                  ["show", "HEAD:.env"], ["-C", "sub", "show", ":../.env"],
                  ["diff", "HEAD~1", "--", ":(glob)**/.e*"]):
        call = run_git(w, *words)
        assert "kept from agents" in w.waiting(1)[0]["reason"]
        w.good("review", "reject", "--next")
        assert ended(call)[0] == 1
    # Nothing of it has changed, until it does.
    w.file("a.c", "2\n")
    for words in (["log", "--stat"], ["diff"], ["diff", "--cached"]):
        assert ended(run_git(w, *words))[0] == 0
    w.file(".env", "TOKEN=2\n")
    call = run_git(w, "diff")
    assert "kept from agents" in w.waiting(1)[0]["reason"]
    w.good("review", "reject", "--next")
    assert ended(call)[0] == 1
    for words in (["diff", "--stat"], ["diff", "--", "a.c"], ["status"]):
        assert ended(run_git(w, *words))[0] == 0


@test
def programs_are_allowed_for_good(w):
    assert "run without asking: git npm" in w.good("policy")
    assert "ask: touch" in w.good("policy", "check", "--run", "touch x")
    assert "ask: -c" in w.good("policy", "check", "--run", "git -c a=b log")
    assert "allow:" in w.good("policy", "check", "--run", "git log 'a b'")
    w.bad(2, "either a FILE", "policy", "check")
    w.good("policy", "allow", "touch")  # without a daemon
    assert "allow:" in w.good("policy", "check", "--run", "touch x")
    w.good("start")
    assert "touch is asked about" in w.good("policy", "disallow", "touch")
    call = start_call(w, "runCommand", "command=touch", "args=made")
    w.waiting(1)
    w.good("review", "accept", "--next", "--always")
    assert ended(call)[0] == 0 and (w.project / "made").exists()
    w.good("call", "runCommand", "command=touch", "args=again")
    assert (w.project / "again").exists()
    # What stands for every program is never allowed in passing.
    w.bad(1, "runs whatever it is given", "policy", "allow", "bash")
    call = start_call(w, "runCommand", "command=sh", "args=-c", "args=true")
    w.waiting(1)
    w.bad(2, "only be decided this once", "review", "accept", "--next",
          "--always")
    w.good("review", "reject", "--next")
    ended(call)
    w.good("policy", "allow", "sh", "--yes")
    out = json.loads(w.good("call", "runCommand", "command=sh", "args=-c",
                            "args=echo $DOVETAIL_CLAUDE; exit 3"))
    assert out["exitCode"] == 3 and out["stdout"] == "\n"
    w.bad(2, "name of a program", "policy", "allow", "/bin/x")


@test
def commands_end_in_time_and_with_their_agent(w):
    w.good("start")
    w.good("policy", "allow", "sh", "--yes")
    out = json.loads(w.good(
        "call", "runCommand", "command=sh", "args=-c",
        "args=setsid sleep 600 & echo $!; sleep 600", "timeout=500"))
    assert out["timedOut"] and out["signal"] == "SIGTERM"
    assert out["durationMs"] < 5000
    gone(int(out["stdout"]))
    call = start_call(w, "runCommand", "command=sh", "args=-c",
                      "args=setsid sleep 600 & echo $! >pid; sleep 600")
    file = w.project / "pid"
    until(lambda: file.exists() and file.read_text(), "a pid")
    call.kill()
    call.wait()
    gone(int(file.read_text()))
    # A child that forks away and lives on is told of.
    out = json.loads(w.good(
        "call", "runCommand", "command=sh", "args=-c",
        "args=setsid sh -c 'echo $$; exec sleep 600 >&- 2>&-' & sleep 0.3"))
    assert out["leftRunning"] == 1 and "processes behind" in out["note"]
    os.kill(int(out["stdout"]), signal.SIGKILL)


@test
def who_calls_is_told_that_a_person_is_waited_for(w):
    w.good("start")
    caller = Terminal(w, "call", "runCommand", "command=touch", "args=made")
    caller.expect("waits for the person: `dovetail review` shows it.")
    w.good("review", "accept", w.waiting(1)[0]["id"])
    caller.expect('"exitCode":0')


@test
def a_path_begins_where_it_is_typed(w):
    (w.project / "sub").mkdir()
    a = w.file("sub/a.txt", "one\n")
    w.good("start")
    here = w.good("call", "getBufferContent", "filePath=a.txt",
                  cwd=w.project / "sub")
    assert json.loads(here)["filePath"] == str(a), here
    # In JSON it is as an agent says it: from the workspace on.
    there = w.good("call", "getBufferContent", '{"filePath":"sub/a.txt"}',
                   cwd=w.project / "sub")
    assert json.loads(there)["filePath"] == str(a), there
    cannot(w, "outside", "getBufferContent", "filePath=../../etc/passwd")


def gone(pid):
    def is_gone():
        try:
            return not Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            return True
    until(is_gone, f"the end of process {pid}")


@test
def tests_are_run_and_understood(w):
    w.good("start")
    code, _, err = w.run("call", "runTests")
    assert code == 1 and "No tests of a known kind" in err
    w.file("test_u.py", "import unittest\nclass T(unittest.TestCase):\n"
           "    def test_a(self): pass\n"
           "    def test_b(self):\n        self.assertEqual(1, 2)\n")
    call = start_call(w, "runTests")
    assert w.waiting(1)[0]["command"] == "python3 -m unittest discover -v"
    w.good("review", "accept", "--next")
    out = json.loads(ended(call)[1])
    assert (out["passed"], out["failed"]) == (1, 1) and not out["success"]
    failure = out["failures"][0]
    assert failure["file"] == str(w.project / "test_u.py")
    assert failure["line"] == 5 and "1 != 2" in failure["message"]
    w.file("Makefile", "check:\n\techo all is well\n")
    w.good("policy", "allow", "make", "python3", "--yes")
    # Without a repository nothing is committed: it is asked about once.
    call = start_call(w, "runTests", "runner=make")
    assert "Makefile is not as you last saw it" in w.waiting(1)[0]["reason"]
    w.good("review", "accept", "--next")
    assert ended(call)[0] == 0
    out = json.loads(w.good("call", "runTests", "runner=make"))
    assert out["success"] and not out["parsed"]
    assert "all is well" in out["output"]
    assert out["runners"] == ["unittest", "make"]
    out = json.loads(w.good("call", "runTests", "filter=test_a"))
    assert (out["passed"], out["failed"]) == (1, 0) and out["success"]


@test
def a_person_decides_on_commands(w):
    w.good("start")
    person = Terminal(w, "review")
    call = start_call(w, "runCommand", "command=touch", "args=\x1b[2Jx")
    person.expect("wants to run a command")
    person.expect("touch $'\\x1b[2Jx'")
    person.expect(PROMPT)
    person.type("?")
    person.expect("its program is not asked about again")
    person.expect(PROMPT)
    person.type("r")
    person.expect("Why, for the agent")
    person.type("no tricks\r")
    person.expect("Rejected.")
    assert "no tricks" in ended(call)[2]
    call = start_call(w, "runCommand", "command=sh", "args=-c", "args=true")
    person.expect(PROMPT)
    person.type("A")
    person.expect("only once")
    person.expect(PROMPT)
    person.type("a")
    person.expect("Accepted, this once.")
    assert ended(call)[0] == 0
    call = start_call(w, "runCommand", "command=touch", "args=made")
    person.expect(PROMPT)
    person.type("A")
    person.expect("touch may run from now on")
    assert ended(call)[0] == 0
    call = start_call(w, "runCommand", "command=true")
    person.expect(PROMPT)
    call.kill()
    call.wait()
    person.expect("the agent no longer waits")
    person.type("q")


@test
def mcp_clients_are_configured(w):
    files = {
        "claude-desktop": "config/Claude/claude_desktop_config.json",
        "claude-code": "home/.claude.json",
        "codex": "home/.codex/config.toml",
        "cursor": "home/.cursor/mcp.json",
        "gemini": "home/.gemini/settings.json",
        "opencode": "config/opencode/opencode.json",
        "vscode": "project/.vscode/mcp.json",
    }
    for client, name in files.items():
        path = w.top / name
        w.bad(1, "--yes", "mcp", "--install", client)
        assert not path.exists()
        shown = w.good("mcp", "--install", client, "--yes")
        assert "+" in shown and str(path) in shown
        assert path.read_text() == w.good("mcp", "--print-config", client)
        assert "already" in w.good("mcp", "--install", client, "--yes")
        w.good("mcp", "--uninstall", client, "--yes")
        assert not path.exists()
        assert "not in" in w.good("mcp", "--uninstall", client, "--yes")
    path = w.top / files["cursor"]
    path.write_text('{"mcpServers":{"a":{}}}')
    w.good("mcp", "--install", "cursor", "--yes")
    assert set(json.loads(path.read_text())["mcpServers"]) == {"a", "dovetail"}
    backup = path.with_name("mcp.json.dovetail-backup")
    assert backup.read_text() == '{"mcpServers":{"a":{}}}'
    w.good("mcp", "--uninstall", "cursor", "--yes")
    assert path.read_text() == '{"mcpServers":{"a":{}}}'
    assert not backup.exists()
    path.write_text("{ // mine\n}")
    code, out, err = w.run("mcp", "--install", "cursor", "--yes")
    assert code == 2 and "Put this into" in out and "left as it is" in err
    assert path.read_text() == "{ // mine\n}"
    w.good("mcp", "--install", "codex", "--yes", CODEX_HOME=str(w.top / "cx"))
    config = tomllib.loads((w.top / "cx/config.toml").read_text())
    assert config["mcp_servers"]["dovetail"]["tool_timeout_sec"] == 86400
    w.good("mcp", "--uninstall", "codex", "--yes", CODEX_HOME=str(w.top / "cx"))
    assert not (w.top / "cx/config.toml").exists()
    # Claude Code keeps a history in it, which grows.
    large = w.top / files["claude-code"]
    large.write_text(json.dumps({"a": "x" * (2 << 20)}))
    w.good("mcp", "--install", "claude-code", "--yes")
    assert "dovetail" in json.loads(large.read_text())["mcpServers"]
    w.bad(2, "opencode", "mcp", "--print-config", "emacs")
    w.bad(2, "choose one", "mcp", "--install", "codex", "--uninstall", "codex")


def use(relay, tool, **args):
    """The result of a tool, or the sentence by which it failed."""
    result = relay.ask("tools/call", {"name": tool, "arguments": args})["result"]
    text = result["content"][0]["text"]
    return text if result.get("isError") else json.loads(text)


@test
def an_agent_has_terminals_of_its_own(w):
    w.file("a.txt", "one\n")
    w.good("start")
    relay = Relay(w, "--workspace", w.project)
    other = Relay(w, "--workspace", w.project)
    relay.shake()
    other.shake()
    made = use(relay, "createTerminal", name="work")
    assert made["name"] == "work" and made["cwd"] == str(w.project), made
    made = use(relay, "createTerminal", name="set", env={"FOO": "bar"})
    assert made["name"] == "set", made
    assert use(relay, "disposeTerminal", name="set")["disposed"]
    assert "HOME" in use(relay, "createTerminal", env={"HOME": "/"})
    assert "outside" in use(relay, "createTerminal", cwd="/")
    assert "expected string" in use(relay, "createTerminal", env={"A": 1})
    ran = use(relay, "executeInTerminal", command="git init -q", name="work")
    assert ran["exitCode"] == 0 and not ran["timedOut"], ran
    ran = use(relay, "executeInTerminal", command="git log")
    assert ran["exitCode"] == 128 and "fatal" in ran["output"], ran
    use(relay, "sendTerminalCommand", text="git status --short", index=1)
    found = use(relay, "waitForTerminalOutput", pattern="a\\.txt$")
    assert found["matched"] and found["matchedLine"] == "?? a.txt", found
    out = use(relay, "getTerminalOutput", lines=1000)
    assert "git log" in out["output"] and out["state"] == "ready", out
    # To others it is not there, until it is shared.
    assert use(other, "listTerminals")["terminals"] == []
    assert "no terminal named" in use(other, "getTerminalOutput", name="work")
    assert use(relay, "disposeTerminal", name="work")["disposed"]
    use(relay, "createTerminal", name="again")
    use(other, "createTerminal", name="again")
    # This very process started them, so it is an agent.
    tried = subprocess.run([w.program, "terminals"], cwd=w.project, env=w.env,
                           capture_output=True, text=True)
    assert tried.returncode == 4 and "an agent cannot" in tried.stderr, tried
    assert "again" in w.good("terminals")
    assert relay.end()[0] == 0 and other.end()[0] == 0
    until(lambda: w.run("terminals")[1] == "No agent has a terminal.\n",
          "the end of the terminals")


@test
def other_lines_for_a_terminal_wait_for_the_person(w):
    w.good("start")
    line = "echo one | tr a-z A-Z; touch made"
    # This is how a command that Claude Code runs looks.
    call = start_call(w, "executeInTerminal", f"command={line}",
                      "timeoutMs=5000", CLAUDECODE="1")
    review = w.waiting(1)[0]
    assert review["command"] == line, review
    shown = w.good("review", "show", review["id"][:8])
    assert line in shown and "at most" not in shown, shown
    assert "would be typed into terminal" in shown and "with Enter" in shown
    assert not (w.project / "made").exists()
    # It decides nothing itself.
    w.bad(4, "an agent cannot", "review", "accept", review["id"], CLAUDECODE="1")
    # The time for the command does not pass while a person thinks.
    time.sleep(5.5)
    assert call.poll() is None
    w.good("review", "accept", review["id"][:8])
    code, out, err = ended(call)
    assert code == 0, err
    ran = json.loads(out)
    assert ran["exitCode"] == 0 and ran["output"] == "ONE", ran
    assert not ran["timedOut"] and (w.project / "made").exists()
    call = start_call(w, "executeInTerminal", "command=touch other",
                      CLAUDECODE="1")
    w.waiting(1)
    w.good("review", "reject", "--next", "--comment", "not that")
    code, _, err = ended(call)
    assert code == 1 and "rejected this command: not that" in err
    # Nothing is typed that nobody waits for.
    call = start_call(w, "executeInTerminal", "command=touch other",
                      CLAUDECODE="1")
    w.waiting(1)
    call.kill()
    call.wait()
    w.waiting(0)
    assert not (w.project / "other").exists()
    ran = json.loads(w.good("call", "executeInTerminal",
                            "command=git --version", CLAUDECODE="1"))
    assert ran["output"].startswith("git version"), ran


@test
def the_person_s_own_calls_keep_a_terminal(w):
    w.good("start")
    w.good("call", "createTerminal", "name=mine", 'env={"FOO":"b a r"}')
    ran = json.loads(w.good("call", "executeInTerminal",
                            "command=echo $FOO; exit_with() { return 3; }; "
                            "exit_with"))
    assert ran["exitCode"] == 3 and ran["output"] == "b a r", ran
    # What runs there is not the person: it decides nothing.
    ran = json.loads(w.good("call", "executeInTerminal",
                            f"command={w.program} mute"))
    assert ran["exitCode"] == 4 and "an agent cannot" in ran["output"], ran
    ran = json.loads(w.good(
        "call", "executeInTerminal",
        "command=yes a line of text | head -c 10000000; echo the end"))
    assert ran["exitCode"] == 0 and ran["truncated"], ran
    assert ran["output"].endswith("the end")
    pid = json.loads(w.good("call", "executeInTerminal",
                            "command=nohup setsid sleep 60 >/dev/null 2>&1 & "
                            "sleep 0.3; pgrep -n -x sleep"))["output"].split()[-1]
    assert Path(f"/proc/{pid}").exists()
    w.good("stop")
    until(lambda: not Path(f"/proc/{pid}").exists() or "Z" in
          Path(f"/proc/{pid}/stat").read_text().split(")")[1][:3],
          "the end of what ran there")


@test
def a_person_looks_into_a_terminal(w):
    w.good("start")
    w.good("call", "createTerminal", "name=work")
    w.good("call", "executeInTerminal", "command=echo before the look")
    person = Terminal(w, "attach-terminal", "work")
    person.resize(33, 77)
    person.expect("terminal work of you; Ctrl-\\ leaves it")
    person.expect("before the look")
    person.type("stty size; echo by $((1 + 1)) hands\r")
    person.expect("33 77")
    person.expect("by 2 hands")
    second = Terminal(w, "attach-terminal", "work", "--read-only", "--share")
    second.expect("by 2 hands")
    second.type("echo not typed\r")
    person.resize(20, 60)
    person.type("stty size\r")
    person.expect("20 60")
    second.expect("20 60")
    w.good("call", "executeInTerminal", "command=echo by the agent")
    person.expect("by the agent")
    second.expect("by the agent")
    assert "not typed" not in second.screen + person.screen
    assert "shared, looked into" in w.good("terminals")
    second.type("\x03")
    second.expect("looks in again")
    assert second.ended() == 0 and second.is_usual()
    person.type("\x1c")
    person.expect("[dovetail: left;")
    assert person.ended() == 0 and person.is_usual()
    person = Terminal(w, "attach-terminal", "1")
    person.expect("by the agent")
    person.type("exit 3\r")
    person.expect("its shell has ended")
    assert person.ended() == 0 and person.is_usual()
    code, _, err = w.run("attach-terminal", "work")
    assert code != 0 and "needs a terminal" in err
    person = Terminal(w, "attach-terminal", "none")
    person.expect("there is no terminal none")
    assert person.ended() != 0
    person = Terminal(w, "attach-terminal", "work", CLAUDECODE="1")
    person.expect("an agent cannot look into terminals")
    assert person.ended() != 0


@test
def problems_of_a_file_are_found_explained_and_waited_for(w):
    """Linters look here; which language servers there are is not known."""
    def call(tool, *args):
        return json.loads(w.good("call", tool, f"filePath={bad}", *args))
    bad = w.file("bad.py", "x = 'caf\u00e9 \U0001f600'; y = (\n")
    (w.top / "config/dovetail").mkdir(mode=0o700)
    (w.top / "config/dovetail/dovetail.conf").write_text(
        "[lsp]\noff = *\n[lint]\noff = ruff pylint pyright\n")
    w.good("start")
    found = call("getDiagnostics")
    assert found["linters"] == ["python"] and not found["linterErrors"], found
    [problem] = found["diagnostics"]
    assert (problem["line"], problem["column"]) == (1, 21), problem
    assert problem["severity"] == "error" and "never closed" in \
        problem["message"], problem
    assert json.loads(w.good("call", "getDiagnostics"))["summary"]["errors"] \
        == 1
    told = call("explainDiagnostic", "line=2")
    assert told["codeContext"].startswith(">    1  x = 'caf"), told
    assert "none in line 2" in told["note"], told
    impact = call("getChangeImpact")
    assert impact["diagnostics"]["summary"]["errors"] == 1
    same = call("watchDiagnostics", "timeoutMs=10",
                f"sinceTimestamp={found['timestamp']}")
    assert same["changed"] is False, same
    bad.write_text("x = 1\n")
    other = call("watchDiagnostics", "timeoutMs=20000",
                 f"sinceTimestamp={found['timestamp']}")
    assert other["changed"] and not other["problems"]["diagnostics"], other
    code, out, err = w.run("call", "getDiagnostics",
                           f"filePath={w.file('a.rs', 'x')}")
    assert code != 0 and "nobody can look" in out + err, out + err


@test
def files_that_change_are_told(w):
    git(w, "init", "-q")
    w.file(".gitignore", "out/\n*.o\n")
    w.good("start")
    call = start_call(w, "watchFiles", "pattern=**", "timeoutMs=15000")
    until(lambda: w.good("log", "--calls") is not None, "a daemon")
    time.sleep(0.5)
    for name in ("a.o", ".env", "out/b", "src/new.c"):
        w.file(name, "x\n")
    code, out, err = ended(call)
    told = json.loads(out)
    assert code == 0 and told["changed"], (out, err)
    assert told["changes"] == [
        {"filePath": str(w.project / "src/new.c"), "type": "created"}], told
    watch = f"id={told['id']}"
    assert tool(w, "watchFiles", watch, "timeoutMs=0")["changes"] == []
    (w.project / "src/new.c").unlink()
    [gone] = tool(w, "watchFiles", watch)["changes"]
    assert gone["type"] == "deleted", gone
    assert tool(w, "watchFiles", watch, "timeoutMs=0",
                f"since={told['cursor']}")["changes"] == [gone]
    assert tool(w, "unwatchFiles", watch)["unwatched"]
    cannot(w, "there is no watch", "watchFiles", watch)
    cannot(w, "outside the workspace", "watchFiles", "pattern=/etc/*")

    # One of an agent is its own, and goes with it.
    relay = Relay(w, "--workspace", w.project)
    other = Relay(w, "--workspace", w.project)
    relay.shake()
    other.shake()
    mine = use(relay, "watchFiles", pattern="*.py", id="mine")
    assert mine["watching"] and not mine["changed"], mine
    assert "there is no watch" in use(other, "watchFiles", id="mine")
    w.file("src/a.py", "x = 1\n")
    told = use(relay, "watchFiles", id="mine")
    assert told["changes"] == [
        {"filePath": str(w.project / "src/a.py"), "type": "created"}], told


@test
def a_subscribed_file_is_followed_though_nobody_opened_it(w):
    a = w.file("a.txt", "one\n")
    w.good("start")
    relay = Relay(w, "--workspace", w.project)
    relay.shake()
    for uri in ("dovetail://selection", a.as_uri()):
        relay.ask("resources/subscribe", {"uri": uri})

    def updated():
        a.write_text(a.read_text() + "more\n")
        return [m for m in relay.messages
                if m.get("method") == "notifications/resources/updated"] \
            or None
    [told, *_] = until(updated, "word of it")
    assert told["params"]["uri"] == a.as_uri(), told


@test
def servers_see_files_that_others_change(w):
    if not shutil.which("clangd"):
        print("clangd is not here")
        return
    a = w.file("a.c", '#include "a.h"\nint g(void) { return f(1); }\n')
    w.file("a.h", "int f(int);\n")
    w.good("start")

    def errors():
        found = tool(w, "getDiagnostics", f"filePath={a}")
        assert found["linters"] == ["clangd"], found
        return found["summary"]["errors"]
    assert errors() == 0
    # Folders are found beside what else goes on.
    tool(w, "watchFiles", "pattern=*.h")
    w.file("a.h", "int f(int, int);\n")
    assert errors() == 1
    w.file("a.h", "int f(int);  \n")
    assert errors() == 0
    servers = w.good("lsp")
    assert "clangd: ready" in servers, servers


@test
def unsaved_text_does_not_undo_what_others_wrote(w):
    a = w.file("a.txt", "one\n")
    w.good("start")
    relay = Relay(w, "--workspace", w.project)
    relay.shake()
    use(relay, "openFile", filePath=str(a))
    edits = [{"type": "insert", "line": 1, "column": 1, "text": "my "}]
    use(relay, "editText", filePath=str(a), edits=edits, save=False)
    assert use(relay, "checkDocumentDirty", filePath=str(a))["isDirty"]
    w.file("a.txt", "theirs\n")
    state = use(relay, "checkDocumentDirty", filePath=str(a))
    assert state["isDirty"] and state["changedOnDisk"], state
    told = use(relay, "saveDocument", filePath=str(a))
    assert "by somebody else" in told, told
    assert a.read_text() == "theirs\n"
    use(relay, "closeTab", filePath=str(a))
    assert use(relay, "getBufferContent", filePath=str(a))["content"] \
        == "theirs\n"


def play(function):
    name = function.__name__.replace("_", " ")
    world = World(os.environ.get("ASAN_BUILD", "build") + "/dovetail")
    try:
        function(world)
        print(f"ok {name}", flush=True)
        return True
    except Exception as error:
        traceback.print_exc(file=sys.stdout)
        print(f"not ok {name}: {str(error)[:200]!r}", flush=True)
        return False
    finally:
        world.close()


chosen = [t for t in TESTS if not sys.argv[1:] or t.__name__ in sys.argv[1:]]
sys.exit(not all([play(t) for t in chosen]))
