"""A small NFSv4.1 client, run as a program inside a tenant's network namespace; prints one line of JSON.

``python -m deploy.embedded.nfs ADDRESS PATH write NAME TEXT`` or ``... read NAME`` or ``... see``.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from nfs_rs import Client, File

CONNECT_SECONDS, OPERATION_SECONDS = 15, 5
PIECE = 1 << 16
"""Bytes: below what any server reads at once."""
USES = {"write": "NAME TEXT", "read": "NAME", "see": ""}
"""What it can do -> the words it takes for that."""


def connect(address: str, path: str) -> Any:
    """Mount ``path`` of a server. Raises the library's errors, which carry the NFS error's name."""
    return Client.connect(
        f"nfs://{address}{path}?version=4.1",
        nfs_port=2049,
        connect_timeout=CONNECT_SECONDS,
        operation_timeout=OPERATION_SECONDS,
        noresvport=True,
    )


def whole(file: File) -> bytes:
    """All of an open file, each piece in one request.

    The library asks for a larger piece in several requests at once, and forgets those that the first answer made
    needless: the server has seen them, so the next request in the place of one counts as a repeated one
    (NFS4ERR_RETRY_UNCACHED_REP).
    """
    found = b""
    while part := file.read_at(len(found), PIECE):
        found += part
    return found


def perform(address: str, path: str, verb: str, *arguments: str) -> dict[str, Any]:
    """Do one thing on a mount of its own. The answer has ``ok``, and what was found or the error's name."""
    try:
        client = connect(address, path)
        try:
            found: dict[str, Any] = {"version": str(client.version.value)}
            if verb == "write":
                with client.open(arguments[0], "wb") as file:
                    file.write(arguments[1].encode())
            if verb == "read":
                with client.open(arguments[0], "rb") as file:
                    found["text"] = whole(file).decode()
            if verb == "see":
                found["bytes"] = client.fs_stat().total_bytes
        finally:
            client.close()
    except Exception as error:
        return {"ok": False, "error": getattr(error, "code_name", None) or str(error)[:200]}
    return {"ok": True, **found}


def main() -> int:
    address, path, *words = sys.argv[1:]
    if not words or words[0] not in USES or len(words) != 1 + len(USES[words[0]].split()):
        print("usage: " + ", ".join(f"nfs {verb} {words}".rstrip() for verb, words in USES.items()), file=sys.stderr)
        return 2
    print(json.dumps(perform(address, path, *words)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
