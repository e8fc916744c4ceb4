"""Simulate spectators in one process: `python -m firmware_host.bench.load_clients PORT COUNT`.

Each spectator opens a WebSocket as a spectator's page does and reads all messages. When all spectators have received a
message, the process prints a line. When standard input ends, they disconnect, and a last line gives the mean number of
messages and bytes.
"""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import dataclass

from websockets.asyncio.client import connect

HERE = "127.0.0.1"


@dataclass(slots=True)
class _Received:
    messages: int = 0
    size: int = 0


async def _look_on(port: int, received: _Received) -> None:
    line = connect(f"ws://{HERE}:{port}/ws", origin=f"http://{HERE}:{port}", compression=None, max_size=None)  # type: ignore[arg-type]
    async with line as socket:
        await socket.send(json.dumps({"do": "hello", "page": "spectator"}))
        async for message in socket:
            received.messages += 1
            received.size += len(message)


async def _crowd(port: int, count: int) -> None:
    crowd = [_Received() for _ in range(count)]
    looking = [asyncio.create_task(_look_on(port, one)) for one in crowd]
    while not all(one.messages for one in crowd):
        for task in looking:
            if task.done():
                task.result()
        await asyncio.sleep(0.01)
    print(f"{count} look on", flush=True)  # noqa: T201 - the protocol
    await asyncio.to_thread(sys.stdin.read)
    for task in looking:
        task.cancel()
    await asyncio.gather(*looking, return_exceptions=True)
    messages, size = sum(one.messages for one in crowd), sum(one.size for one in crowd)
    print(json.dumps({"messages": messages / count, "bytes": size / count}), flush=True)  # noqa: T201 - the protocol


if __name__ == "__main__":
    asyncio.run(_crowd(int(sys.argv[1]), int(sys.argv[2])))
