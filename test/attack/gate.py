"""What is kept from agents has no side door."""
import json
import os
import shutil
import subprocess
import threading
import time
from pathlib import Path

from attempts import attempt
from mcp_ways import WAYS, Stdio

PROMISE = "the gate has no side door"
SECRET = "SECRET-5f3a"
SWAPS = 1_050_000


def furnish(w, rules="allow = **"):
    """A project with a key folder, a file of settings, and all rules open."""
    folder = w.top / "config/dovetail"
    folder.mkdir()
    (folder / "dovetail.conf").write_text(
        f"[policy]\n{rules}\n[mcp]\ntools = all\n")
    (w.project / ".ssh/deep").mkdir(parents=True)
    w.file(".ssh/id_rsa", f"needle {SECRET}\n" * 20)
    w.file(".ssh/deep/x", f"needle {SECRET}\n")
    w.file(".env", f"needle TOKEN={SECRET}\n")
    w.file("a.txt", "needle plain\n")
    w.good("start")


def refused(text, *words):
    """The call must have failed, and told nothing."""
    assert SECRET not in text, text
    assert '"isError":true' in text or '"error"' in text, text
    for word in words:
        assert word in text, text


def in_every_way(w, act):
    for way in WAYS:
        agent = way(w)
        try:
            act(agent)
        finally:
            agent.close()
    return "refused over " + ", ".join(way.way for way in WAYS)


@attempt(PROMISE, "stdio, http, ws")
def the_folder_of_keys_is_renamed_and_read(w):
    furnish(w)
    ssh, free = w.project / ".ssh", w.project / "free"

    def act(agent):
        refused(agent.tool("renameFile", oldPath=str(ssh), newPath=str(free)),
                "kept from agents")
        refused(agent.tool("renameFile", oldPath=str(ssh / "id_rsa"),
                           newPath=str(free)), "not moved or deleted")
        refused(agent.tool("renameFile", oldPath=str(w.project / ".SSH"),
                           newPath=str(free)))
        refused(agent.tool("proposeEdit", write=True, changes=[
            {"path": str(ssh / "id_rsa"), "newPath": str(free)}]),
            "not moved or deleted")
        agent.tool("beginTransaction", id="t")
        refused(agent.tool("stageEdit", transactionId="t", changes=[
            {"path": str(w.project / ".env"), "newPath": str(free)}]))
        agent.tool("rollbackTransaction", transactionId="t")
    outcome = in_every_way(w, act)
    assert (ssh / "id_rsa").exists() and not free.exists()
    return outcome


@attempt(PROMISE, "stdio, http, ws")
def a_folder_around_the_keys_is_moved_or_deleted(w):
    furnish(w)
    box = w.project / "box"
    box.mkdir()
    (w.project / ".ssh").rename(box / ".ssh")

    def act(agent):
        refused(agent.tool("renameFile", oldPath=str(box),
                           newPath=str(w.project / "x")))
        refused(agent.tool("deleteFile", filePath=str(box), recursive=True),
                "kept from agents")
        refused(agent.tool("deleteFile", filePath=str(box / ".ssh"),
                           recursive=True), "kept from agents")
        refused(agent.tool("deleteFile", filePath=str(w.project / ".env")),
                "not moved or deleted")
    outcome = in_every_way(w, act)
    assert (box / ".ssh/id_rsa").exists() and (w.project / ".env").exists()
    assert not (w.project / "x").exists()
    return outcome


@attempt(PROMISE, "stdio, http, ws")
def what_is_in_the_folder_is_listed_searched_and_watched(w):
    furnish(w)
    (w.project / "keys").symlink_to(".ssh")

    def act(agent):
        for folder in (".ssh", "keys", ".ssh/deep", "keys/deep"):
            refused(agent.tool("getFileTree",
                               directory=str(w.project / folder)))
        for name, arguments in (
                ("getFileTree", {"includeHidden": True}),
                ("findFiles", {"pattern": "**/id_rsa"}),
                ("findFiles", {"pattern": "x"}),
                ("searchWorkspace", {"query": "needle"}),
                ("searchWorkspace", {"query": SECRET}),
                ("searchAndReplace", {"pattern": "needle", "replacement": "n",
                                      "dryRun": True})):
            text = agent.tool(name, **arguments)
            assert "id_rsa" not in text.replace("**/id_rsa", ""), text
            assert SECRET not in text, text
        for path in (".ssh/id_rsa", "keys/id_rsa", ".env", ".ENV"):
            refused(agent.tool("getBufferContent",
                               filePath=str(w.project / path)))
            refused(agent.ask("resources/read", {
                "uri": (w.project / path).as_uri()}))
    return in_every_way(w, act)


@attempt(PROMISE, "stdio, http, ws")
def a_file_is_put_into_the_folder_without_a_verdict(w):
    furnish(w)
    paths = [w.project / ".ssh/authorized_keys", w.project / ".env",
             w.project / ".ssh"]

    def act(agent):
        for path in paths[:2]:
            text = agent.tool("createFile", filePath=str(path), content="x\n",
                              overwrite=True, wait=False)
            assert SECRET not in text, text
        text = agent.tool("renameFile", oldPath=str(w.project / "a.txt"),
                          newPath=str(w.project / ".ssh/new"), wait=False)
        assert SECRET not in text, text
    in_every_way(w, act)
    assert not paths[0].exists() and SECRET in paths[1].read_text()
    assert (w.project / "a.txt").exists()
    w.waiting(3 * len(WAYS))
    return "waits for the person, whatever the rules say"


@attempt(PROMISE, "stdio, http, ws")
def the_old_text_is_asked_for_by_a_link(w):
    furnish(w, "ask = **")
    (w.project / "notes.txt").symlink_to(".env")
    (w.project / "keys").symlink_to(".ssh")

    def act(agent):
        for path in ("notes.txt", "keys/id_rsa"):
            path = str(w.project / path)
            refused(agent.tool("proposeEdit", wait=False,
                               changes=[{"path": path, "text": "x\n"}]))
            refused(agent.tool("previewEdit", filePath=path,
                               operation="lineRange", startLine=1, endLine=1,
                               newContent="x"))
            text = agent.tool("openFile", filePath=path, startText="needle",
                              endText="=")
            assert SECRET not in text, text
            assert SECRET not in agent.tool("getCurrentSelection")
            refused(agent.tool("gitAdd", files=[path]))
    make_repository(w)
    return in_every_way(w, act)


def make_repository(w):
    subprocess.run(["git", "init", "-q", w.project], check=True, env=w.env)


@attempt(PROMISE, "stdio")
def a_selection_is_made_by_a_link_that_is_then_swapped(w):
    furnish(w)
    link = w.project / "link"
    link.symlink_to(".env")
    agent = Stdio(w)
    agent.tool("openFile", filePath=str(link), startText="needle", endText="\n",
               makeFrontmost=True)
    w.run("select", "link:1")
    link.unlink()
    link.symlink_to("a.txt")
    for name in ("getCurrentSelection", "getLatestSelection", "contextBundle"):
        text = agent.tool(name)
        assert SECRET not in text, (name, text)
    agent.close()
    return "nothing of it is told"


# A language server that quotes the file of secrets in every answer.
SERVER = r'''
import json, os, sys
def send(message):
    data = json.dumps({"jsonrpc": "2.0"} | message).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
    sys.stdout.buffer.flush()
root = "file://" + os.getcwd()
kept = root + "/secrets.json"
zero = {"line": 0, "character": 0}
span = {"start": zero, "end": {"line": 0, "character": 4}}
place = [{"uri": kept, "range": span}]
secret = "SECRET-5f3a"
item = {"name": secret, "kind": 12, "uri": kept, "range": span,
        "selectionRange": span}
answers = {
    "initialize": {"capabilities": {name + "Provider": True for name in (
        "hover", "definition", "declaration", "typeDefinition", "references",
        "implementation", "documentSymbol", "workspaceSymbol", "inlayHint",
        "callHierarchy")} | {"signatureHelpProvider": {}}},
    "textDocument/hover": {"contents": secret},
    "textDocument/signatureHelp": {"signatures": [{"label": secret}]},
    "textDocument/definition": place,
    "textDocument/references": place,
    "textDocument/implementation": place,
    "textDocument/typeDefinition": place,
    "textDocument/declaration": place,
    "workspace/symbol": [{"name": secret, "kind": 12, "location": place[0]}],
    "textDocument/inlayHint": [{"position": zero, "label": [
        {"value": secret, "location": place[0]}]}],
    "textDocument/prepareCallHierarchy": [item | {"name": "f",
        "uri": root + "/a.c"}],
    "callHierarchy/incomingCalls": [{"from": item, "fromRanges": [span]}],
    "callHierarchy/outgoingCalls": [{"to": item, "fromRanges": [span]}],
}
def publish(uri, version):
    send({"method": "textDocument/publishDiagnostics", "params": {
        "uri": uri, "version": version, "diagnostics": [
            {"range": span, "message": "plain"},
            {"range": span, "message": "about " + secret,
             "relatedInformation": [{"location": place[0],
                                     "message": secret}]}]}})
    send({"method": "textDocument/publishDiagnostics", "params": {
        "uri": kept, "diagnostics": [{"range": span, "message": secret}]}})
while True:
    length = 0
    while (line := sys.stdin.buffer.readline().strip()):
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    if not length:
        break
    message = json.loads(sys.stdin.buffer.read(length))
    method, document = message.get("method"), (
        message.get("params") or {}).get("textDocument", {})
    if method in ("textDocument/didOpen", "textDocument/didChange"):
        publish(document["uri"], document.get("version"))
    if "id" in message and method:
        send({"id": message["id"], "result": answers.get(method)})
'''


@attempt(PROMISE, "stdio, http, ws")
def a_language_server_quotes_the_file_of_secrets(w):
    programs = w.top / "bin"
    programs.mkdir()
    (programs / "clangd").write_text(
        "#!" + shutil.which("python3") + "\n" + SERVER)
    (programs / "clangd").chmod(0o700)
    w.env["PATH"] = f"{programs}:{w.env['PATH']}"
    furnish(w)
    w.file("secrets.json", f'{{"{SECRET}": 1}}\n')
    path = str(w.file("a.c", "f(1);\n"))
    at = {"filePath": path, "line": 1, "column": 1}
    asked = [
        ("getHover", at), ("signatureHelp", at), ("getTypeSignature", at),
        ("explainSymbol", at), ("goToDefinition", at),
        ("findReferences", at), ("findImplementations", at),
        ("goToTypeDefinition", at), ("goToDeclaration", at),
        ("getCallHierarchy", at), ("searchWorkspaceSymbols", {"query": "S"}),
        ("getInlayHints", {"filePath": path}),
        ("getDocumentSymbols", {"filePath": path}),
        ("batchGetHover", {"items": [at]}),
        ("getDiagnostics", {}), ("getDiagnostics", {"filePath": path}),
        ("watchDiagnostics", {"timeoutMs": 500}), ("contextBundle", {}),
        ("explainDiagnostic", at), ("getChangeImpact", {"filePath": path}),
    ]
    works = set()

    def act(agent):
        for name, arguments in asked:
            text = agent.tool(name, **arguments)
            assert SECRET not in text, (name, text)
            if '"isError":true' not in text and '"error"' not in text:
                works.add(name)
        refused(agent.tool("getDiagnostics",
                           filePath=str(w.project / "secrets.json")))
        text = agent.tool("getDiagnostics")
        assert "plain" in text, text
    in_every_way(w, act)
    claude = w.agent()
    claude.call("initialize", {"protocolVersion": "2025-03-26",
                               "capabilities": {}, "clientInfo": {
                                   "name": "claude-code", "version": "2"}})
    answer = claude.answer(claude.call("tools/call", {
        "name": "getDiagnostics", "arguments": {}}))
    assert SECRET not in json.dumps(answer), answer
    assert len(works) > 12, works
    return f"{len(works)} tools told nothing of it"


# links that are swapped


class Swapper:
    def __init__(self, w, pairs, least):
        program = Path(w.program).parent / "test/link-swap"
        self.process = subprocess.Popen(
            [program, str(least), *(str(w.project / name) for pair in pairs
                                    for name in pair)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def stop(self):
        out, _ = self.process.communicate(timeout=120)
        assert self.process.returncode == 0
        return int(out)


def make_pairs(w):
    """Names whose files change places, and where the wrong ones lead."""
    outside = w.top / "outside"
    outside.mkdir()
    (outside / "id_rsa").write_text(f"needle {SECRET}\n")
    w.file(".ssh/plain.txt", f"needle {SECRET}\n" * 20)
    w.file("d/plain.txt", "needle plain\n" * 20)
    w.file("o/plain.txt", "needle plain\n" * 20)
    w.file("d/typed.txt", "first\nneedle plain\n")
    w.file(".ssh/typed.txt", f"first\nneedle {SECRET}\n")
    (outside / "plain.txt").write_text(f"needle {SECRET}\n" * 20)
    for name, target in (("l", "a.txt"), ("l2", ".env"), ("d2", ".ssh"),
                         ("o2", "../outside")):
        (w.project / name).symlink_to(target)
    return [("l", "l2"), ("d", "d2"), ("o", "o2")], outside


def play(w, agent, counts, until):
    """Read, search and write as fast as it goes; whatever comes back, SECRET is
    not in it."""
    number = 0
    while time.monotonic() < until or not counts.enough(agent.way):
        for name in ("l", "d/plain.txt", "o/plain.txt"):
            counts.see("reads", agent.way, agent.tool(
                "getBufferContent", filePath=str(w.project / name)))
        counts.see("reads", agent.way, agent.tool(
            "getImportTree", filePath=str(w.project / "d/plain.txt")))
        for name in ("d/plain.txt", "d/typed.txt"):
            counts.see("reads", agent.way, agent.tool(
                "previewEdit", filePath=str(w.project / name),
                operation="lineRange", startLine=1, endLine=1,
                newContent="x"))
        for folder in ("d", "o"):
            number += 1
            counts.see("writes", agent.way, agent.tool(
                "createFile", content="mine\n", wait=False, filePath=str(
                    w.project / folder / f"new-{agent.way}-{number}")))
        if number % 8 == 0:
            counts.see("searches", agent.way, agent.tool(
                "searchWorkspace", query="needle"))


class Counts:
    def __init__(self):
        self.lock = threading.Lock()
        self.all = {}
        self.good = {}
        self.escapes = []

    def see(self, kind, way, text):
        with self.lock:
            key = (kind, way)
            self.all[key] = self.all.get(key, 0) + 1
            if '"isError":true' not in text:
                self.good[key] = self.good.get(key, 0) + 1
            if SECRET in text:
                self.escapes.append(text)

    def enough(self, way):
        return all(self.good.get((kind, way), 0) >= 3
                   for kind in ("reads", "searches", "writes"))

    def total(self, kind, of=None):
        return sum(count for key, count in (of or self.all).items()
                   if key[0] == kind)


def swap_while_agents_work(w, seconds):
    furnish(w)
    pairs, outside = make_pairs(w)
    before = {folder: set(os.listdir(folder))
              for folder in (outside, w.project / ".ssh")}
    counts, errors = Counts(), []
    agents = [way(w) for way in WAYS]
    text = agents[0].tool("replaceBlock", oldContent="first", save=False,
                          newContent="typed", filePath=str(
                              w.project / "d/typed.txt"))
    assert '"isError":true' not in text, text
    swapper = Swapper(w, pairs, SWAPS // 3)

    def run(agent):
        try:
            play(w, agent, counts, time.monotonic() + seconds)
        except Exception as error:
            errors.append(error)
    threads = [threading.Thread(target=run, args=(agent,)) for agent in agents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    swaps = swapper.stop()
    for agent in agents:
        agent.close()
    assert not errors, errors
    for folder, names in before.items():
        counts.escapes += set(os.listdir(folder)) - names
    told = (f"{swaps} swaps, {counts.total('reads')} reads, "
            f"{counts.total('searches')} searches, "
            f"{counts.total('writes')} writes "
            f"({counts.total('writes', counts.good)} not refused), "
            f"{len(counts.escapes)} escapes")
    print(told)
    assert swaps >= 1_000_000, told
    assert not counts.escapes, (told, counts.escapes[:3])
    return told


@attempt(PROMISE, "stdio, http, ws")
def links_are_swapped_while_files_are_read_searched_and_written(w):
    return swap_while_agents_work(w, 5)
