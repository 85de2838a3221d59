"""An agent does not decide its own review."""
import subprocess

from attempts import attempt

PROMISE = "no agent decides"


@attempt(PROMISE, "ws")
def a_child_of_the_agent_accepts(w):
    w.good("start")
    shell = subprocess.Popen(
        ["sh", "-c", f"read go; {w.program} review accept --next"],
        cwd=w.project, env=w.env, stdin=subprocess.PIPE, text=True)
    w.agent(pid=shell.pid).propose(w.file("a.txt", "x\n"), "y\n")
    w.waiting(1)
    shell.communicate("go\n")
    assert shell.returncode == 4, f"exit code {shell.returncode}"
    w.waiting(1)
    return "refused"
