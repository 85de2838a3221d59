"""Nothing passes because Dovetail is down.

An edit waits at the hook, and whoever does not want to wait for the verdict does
something to the daemon.  The hook must go on waiting or answer ask or deny; an
empty answer or another exit code than 0 would let the edit pass.
"""
import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

from attempts import attempt
from world import edit_of, start_hook, until

PROMISE = "nothing passes when down"


def parent_of(pid):
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2]
               .split()[1])


def pid_of(w):
    return json.loads(w.good("status", "--json"))["pid"]


def open_edit(w, **env):
    """A hook whose edit of a.txt waits for a verdict."""
    a = w.file("a.txt", "one\n")
    w.good("start")
    hook = start_hook(w, edit_of(w, a, "one", "two"), **env)
    w.waiting(1)
    return hook


def kill_both(w):
    pid = pid_of(w)
    os.kill(parent_of(pid), signal.SIGKILL)
    os.kill(pid, signal.SIGKILL)


def answer_of(hook):
    """What the hook has said; None while it waits.  Nothing is not an answer."""
    if hook.poll() is None:
        return None
    out, err = hook.communicate()
    assert hook.returncode == 0, f"exit code {hook.returncode}: {err}"
    told = json.loads(out)["hookSpecificOutput"]["permissionDecision"]
    assert told in ("ask", "deny"), told
    return told


def waits_on(w, hook):
    """The same edit is in front of the person again, and can be decided."""
    until(lambda: w.run("review", "list")[0] == 0,
          "the daemon does not come back")
    w.waiting(1)
    assert answer_of(hook) is None
    w.good("review", "reject", "--next")
    assert until(lambda: answer_of(hook), "the hook's answer") == "deny"
    return "the same review waits on"


@attempt(PROMISE, "hook")
def the_daemon_is_killed(w):
    hook = open_edit(w)
    os.kill(pid_of(w), signal.SIGKILL)
    return waits_on(w, hook)


@attempt(PROMISE, "hook")
def the_daemon_and_its_parent_are_killed(w):
    hook = open_edit(w)
    kill_both(w)
    return waits_on(w, hook)


@attempt(PROMISE, "hook")
def the_daemon_is_killed_as_often_as_it_comes(w):
    hook = open_edit(w)
    end = time.monotonic() + 60
    kills = 0
    while answer_of(hook) is None and time.monotonic() < end:
        code, out, _ = w.run("status", "--json")
        if code == 0:
            try:
                kill = json.loads(out)["pid"]
                os.kill(parent_of(kill), signal.SIGKILL)
                os.kill(kill, signal.SIGKILL)
                kills += 1
            except (OSError, ValueError):
                pass
        time.sleep(0.05)
    return f"{answer_of(hook)} after {kills} kills"


@attempt(PROMISE, "hook")
def the_daemon_is_stopped_and_stopped(w):
    hook = open_edit(w)
    for _ in range(3):
        w.run("stop", "--force")
        until(lambda: w.run("status")[0] == 0, "the daemon")
    return waits_on(w, hook)


@attempt(PROMISE, "hook")
def the_daemon_is_put_to_sleep(w):
    (w.top / "config/dovetail").mkdir()
    (w.top / "config/dovetail/dovetail.conf").write_text(
        "[hook]\nhang_seconds = 5\n")
    hook = open_edit(w, CLAUDE_CODE_SESSION_ATTENDED="0")
    pid = pid_of(w)
    os.kill(pid, signal.SIGSTOP)
    try:
        told = until(lambda: answer_of(hook), "the hook's answer")
    finally:
        os.kill(pid, signal.SIGCONT)
    assert told == "deny", told
    return "deny"


@attempt(PROMISE, "hook")
def the_socket_is_removed(w):
    hook = open_edit(w)
    pid = pid_of(w)
    (w.top / "run/dovetail/control.sock").unlink()
    time.sleep(1)
    assert answer_of(hook) is None
    os.kill(pid, signal.SIGKILL)
    return waits_on(w, hook)


@attempt(PROMISE, "hook")
def a_hook_comes_when_the_socket_is_removed(w):
    w.good("start")
    pid = pid_of(w)
    (w.top / "run/dovetail/control.sock").unlink()
    a = w.file("a.txt", "one\n")
    hook = start_hook(w, edit_of(w, a, "one", "two"))
    told = until(lambda: answer_of(hook), "the hook's answer")
    os.kill(pid, signal.SIGKILL)  # the next one makes the socket again
    until(lambda: w.run("status")[0] == 0, "the daemon")
    return told


@attempt(PROMISE, "hook")
def the_run_directory_is_removed(w):
    hook = open_edit(w)
    pid = pid_of(w)
    shutil.rmtree(w.top / "run/dovetail")
    os.kill(parent_of(pid), signal.SIGKILL)
    os.kill(pid, signal.SIGKILL)
    return waits_on(w, hook)


@attempt(PROMISE, "hook")
def the_program_is_removed(w):
    program, w.program = w.program, shutil.copy(w.program, w.top / "dovetail")
    hook = open_edit(w)
    Path(w.program).unlink()
    w.program = program
    kill_both(w)
    return until(lambda: answer_of(hook), "the hook's answer")


@attempt(PROMISE, "hook")
def the_history_is_overwritten(w):
    hook = open_edit(w)
    for path in (w.top / "state/dovetail").glob("dovetail.db*"):
        path.write_bytes(b"not a database\n" * 1000)
    kill_both(w)
    until(lambda: w.run("review", "list")[0] == 0,
          "the daemon does not come back")
    w.waiting(1)
    assert answer_of(hook) is None
    return "a review waits"


@attempt(PROMISE, "hook")
def the_disk_is_full(w):
    state = w.top / "state"
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs",
                       state], capture_output=True).returncode:
        return "not tried: no disk can be made here"
    try:
        hook = open_edit(w)
        with open(state / "filler", "wb", buffering=0) as filler:
            for size in (65536, 1024, 1):
                try:
                    while filler.write(bytes(size)):
                        pass
                except OSError:
                    pass
        kill_both(w)
        until(lambda: w.run("review", "list")[0] == 0, "the daemon")
        w.waiting(1)
        assert answer_of(hook) is None
        late = start_hook(w, edit_of(w, w.project / "a.txt", "one", "three"))
        w.waiting(2)
        assert answer_of(late) is None
        for each in (hook, late):
            each.kill()
            each.wait()
        w.good("stop", "--force")
        return "a review waits"
    finally:
        subprocess.run(["umount", "-l", state])


@attempt(PROMISE, "hook")
def the_input_is_not_what_it_should_be(w):
    edit = edit_of(w, w.file("a.txt", "one\n"), "one", "two")
    huge = '{"tool_input":{"content":"' + "x" * (70 << 20) + '"}}'
    for input in ("", "{", "null", '"x"', edit | {"tool_input": []}, huge,
                  edit | {"cwd": "/nonexistent"}):
        hook = start_hook(w, input)
        assert until(lambda: answer_of(hook), "an answer") == "ask"
    return "ask"
