"""An agent that works all the while, in a process of its own."""
import json
import multiprocessing
import time

PATIENCE = 10


class Work(multiprocessing.Process):
    """Calls tool after tool until told to stop; keeps what went wrong."""

    def __init__(self, world):
        super().__init__(daemon=True)
        self.world = world
        self.is_over = multiprocessing.Event()
        self.receiver, self.sender = multiprocessing.Pipe(False)

    def run(self):
        times = []
        try:
            link = self.world.agent()
            while not self.is_over.is_set():
                for method, params, expected in self.calls():
                    times.append(self.ask(link, len(times), method, params,
                                          expected))
                    time.sleep(0.002)
            link.close()
            self.sender.send((None, times))
        except Exception as fault:
            self.sender.send((f"{type(fault).__name__}: {fault}", times))

    def calls(self):
        """(method, parameters, what its answer must hold)."""
        path = str(self.world.ws / "good.txt")
        yield "initialize", {"protocolVersion": "2025-11-25",
                             "clientInfo": {"name": "good"}}, '"dovetail"'
        yield "ping", {}, '"result":{}'
        yield "tools/list", {}, '"openDiff"'
        for name, arguments, expected in (
                ("getDiagnostics", {}, '"[]"'),
                ("openFile", {"filePath": path, "makeFrontmost": False},
                 "good.txt"),
                ("checkDocumentDirty", {"filePath": path}, "isDirty"),
                ("openDiff", {"old_file_path": path, "tab_name": "good",
                              "new_file_contents": "good\n" * 100}, "took"),
                ("getWorkspaceFolders", {}, "rootPath")):
            yield "tools/call", {"name": name, "arguments": arguments}, expected

    def ask(self, link, number, method, params, expected):
        """Ask and wait for the answer; returns how many seconds it took."""
        began = time.monotonic()
        link.send(json.dumps({"jsonrpc": "2.0", "id": number, "method": method,
                              "params": params}))
        if params.get("name") == "openDiff":
            link.send(json.dumps({
                "jsonrpc": "2.0", "id": "close", "method": "tools/call",
                "params": {"name": "closeAllDiffTabs"}}))
        while True:
            text = link.receive(PATIENCE)
            answer = json.loads(text)
            if answer.get("id") == number:
                break
        if expected not in text.replace('\\"', '"'):
            raise ValueError(f"{method} {params}: {text[:300]}")
        return time.monotonic() - began

    def finish(self):
        """What went wrong, or None; and the times of all calls, sorted."""
        self.is_over.set()
        if not self.receiver.poll(3 * PATIENCE):
            return "it hangs", []
        fault, times = self.receiver.recv()
        self.join()
        return fault, sorted(times)
