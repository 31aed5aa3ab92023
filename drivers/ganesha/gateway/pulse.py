"""Whether an NFS server answers: one call of procedure 0 of NFS 4, which needs nothing but a connection."""

from __future__ import annotations

import asyncio
import contextlib

from drivers.ganesha.gateway.supervise import NULL

PORT = 2049


async def answers(address: str, seconds: float) -> bool:
    """Whether the server at ``address`` answers within ``seconds``."""
    try:
        async with asyncio.timeout(seconds):
            reader, writer = await asyncio.open_connection(address, PORT)
            try:
                writer.write(NULL)
                return bool(await reader.read(256))
            finally:
                writer.close()
                with contextlib.suppress(OSError):
                    await writer.wait_closed()
    except (OSError, TimeoutError):
        return False
