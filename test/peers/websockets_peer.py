#!/usr/bin/python3
"""websockets_peer.py BUILD - the Python package websockets, client and server,
against ws-echo and ws-echo-client."""
import asyncio
import socket
import sys

import websockets

BUILD = sys.argv[1]
failed = False


async def trial(name, run):
    """One test: passed when the coroutine returns in time."""
    global failed
    try:
        await asyncio.wait_for(run, 20)
        print(f"ok python websockets: {name}", flush=True)
    except Exception as error:  # whatever it is, it is one failed test
        failed = True
        print(f"not ok python websockets: {name}: {error!r}", flush=True)


def same(found, wanted):
    if found != wanted:
        raise AssertionError(f"{found!r:.100} is not {wanted!r:.100}")


async def converse(ws):
    """What both ends of ours must say back; `ws` is the other end."""
    messages = ["hello", "", "Grüße \U0001f600", b"\0\1\2", b"",
                "x" * 65536, bytes(range(256)) * 8192]
    for message in messages:
        await ws.send(message)
        same(await ws.recv(), message)
    await ws.send(["frag", "ments", "", " joined"])
    same(await ws.recv(), "fragments joined")
    await ws.send([b"a" * 70000, b"b" * 70000])
    same(await ws.recv(), b"a" * 70000 + b"b" * 70000)
    await (await ws.ping(b"still there?"))
    for number in range(200):
        await ws.send(str(number))
    for number in range(200):
        same(await ws.recv(), str(number))


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


async def connect(port):
    """Connect to a server that may still be starting."""
    for _ in range(500):
        try:
            # Compression is offered, and must be declined.
            return await websockets.connect(f"ws://127.0.0.1:{port}/",
                                            max_size=None)
        except ConnectionRefusedError:
            await asyncio.sleep(0.02)
    raise AssertionError("nobody listens")


async def against_server(port):
    ws = await connect(port)
    same(ws.extensions, [])
    await converse(ws)
    await ws.close(4001, "done")
    same(ws.close_code, 4001)


async def against_client():
    ended = asyncio.get_running_loop().create_future()

    async def serve(ws, path):
        try:
            same(path, "/path?query=1")
            await converse(ws)
            await ws.close(4002, "done")
            same(ws.close_code, 4002)
            ended.set_result(None)
        except Exception as error:  # handed to whoever waits
            ended.set_exception(error)

    async with websockets.serve(serve, "127.0.0.1", 0, max_size=None) as server:
        port = server.sockets[0].getsockname()[1]
        client = await asyncio.create_subprocess_exec(
            f"{BUILD}/test/ws-echo-client",
            f"ws://127.0.0.1:{port}/path?query=1")
        await ended
        same(await client.wait(), 0)


async def ended_well(process):
    same(await process.wait(), 0)


async def main():
    port = free_port()
    echo = await asyncio.create_subprocess_exec(f"{BUILD}/test/ws-echo",
                                                str(port))
    await trial("ws-echo", against_server(port))
    echo.terminate()
    await trial("ws-echo-client", against_client())
    await trial("nothing is left behind", ended_well(echo))


asyncio.run(main())
sys.exit(failed)
