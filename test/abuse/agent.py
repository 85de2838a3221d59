"""An agent that calls tools, and how long that takes."""
import json
import time


class Agent:
    """A session of MCP; answers come as (is it an error, text, seconds)."""

    def __init__(self, world):
        self.link = world.agent("/mcp")
        self.number = 0
        self.ask("initialize", {"protocolVersion": "2025-11-25",
                                "capabilities": {},
                                "clientInfo": {"name": "agent"}})

    def ask(self, method, params, seconds=60):
        self.number += 1
        self.link.send(json.dumps({"jsonrpc": "2.0", "id": self.number,
                                   "method": method, "params": params}))
        while True:
            answer = json.loads(self.link.receive(seconds))
            if answer.get("id") == self.number:
                return answer

    def call(self, tool, **arguments):
        began = time.monotonic()
        answer = self.ask("tools/call", {"name": tool,
                                         "arguments": arguments})
        took = time.monotonic() - began
        if "error" in answer:
            return True, answer["error"]["message"], took
        result = answer["result"]
        text = "".join(item.get("text", "") for item in result["content"])
        return bool(result.get("isError")), text, took

    def close(self):
        self.link.close()
