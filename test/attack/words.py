"""An agent does not speak for the person, nor touch what the person makes."""
import json
import subprocess
import time

from attempts import attempt
from world import edit_of, start_hook, until

PROMISE = "words and edits are the person's"

# A child of the agent that says one thing to the daemon: socket, method, params.
CHILD = """
import json, socket, sys
params = json.loads(sys.argv[3]) | {"id": sys.stdin.readline().strip()}
with socket.socket(socket.AF_UNIX) as s:
    s.connect(sys.argv[1])
    lines = s.makefile("rw")
    for id, method, params in ((1, "hello", {"protocol": 1}),
                               (2, sys.argv[2], params)):
        lines.write(json.dumps({"jsonrpc": "2.0", "id": id, "method": method,
                                "params": params}) + "\\n")
        lines.flush()
        answer = lines.readline()
print(answer)
"""


def child_of_agent(w, method, **params):
    """What a child of the agent that proposed is told."""
    child = subprocess.Popen(
        ["sh", "-c", 'python3 -c "$0" "$@"; :', CHILD,
         str(next((w.top / "run").rglob("*.sock"))), method, json.dumps(params)],
        cwd=w.project, env=w.env, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, text=True)
    w.agent(pid=child.pid).propose(w.file("a.txt", "one\n"), "two\n")
    id = w.waiting(1)[0]["id"]
    out, _ = child.communicate(id + "\n", timeout=20)
    w.waiting(1)
    return json.loads(out)


@attempt(PROMISE, "control")
def a_child_puts_its_own_text_into_the_person_s_draft(w):
    w.good("start")
    answer = child_of_agent(w, "review/keep", text="evil\n")
    assert "agent" in answer["error"]["message"], answer
    return "refused"


@attempt(PROMISE, "control")
def a_child_accepts_a_part_with_a_text_of_its_own(w):
    w.good("start")
    answer = child_of_agent(w, "review/decide", verdict="accept",
                            files=[{"text": "evil\n"}])
    assert "agent" in answer["error"]["message"], answer
    return "refused"


@attempt(PROMISE, "hook")
def a_hook_names_a_process_that_is_not_its_cli(w):
    """A review of a dead agent is not hidden by a living stranger."""
    w.good("start")
    stranger = subprocess.Popen(["sleep", "60"])
    cli = subprocess.Popen(
        ["sh", "-c", f'CLAUDE_PID={stranger.pid} "$0" hook claude <"$1"; :',
         w.program, w.file("edit", json.dumps(
             edit_of(w, w.file("a.txt", "one\n"), "one", "two")))],
        cwd=w.project, env=w.env, start_new_session=True)
    try:
        id = w.waiting(1)[0]["id"]
        subprocess.run(["kill", "-9", "--", f"-{cli.pid}"], check=True)
        cli.wait()
        until(lambda: json.loads(w.good("review", "show", id, "--json"))["state"]
              == "orphaned", "the orphan")
    finally:
        stranger.kill()
        stranger.wait()
    return "kept as an orphan"


@attempt(PROMISE, "hook")
def a_killed_hook_leaves_nothing_that_can_be_accepted(w):
    w.good("start")
    a = w.file("a.txt", "one\n")
    hook = start_hook(w, edit_of(w, a, "one", "two"))
    id = w.waiting(1)[0]["id"]
    hook.kill()
    hook.communicate(timeout=20)
    until(lambda: not json.loads(w.good("review", "list", "--json")), "its end")
    time.sleep(0.1)
    code, _, err = w.run("review", "accept", id)
    assert code != 0 and "withdrawn" in err, err
    assert a.read_text() == "one\n"
    return "refused"
