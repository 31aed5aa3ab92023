"""Transactions on an OVSDB server over its Unix socket, as RFC 7047 has them."""

from __future__ import annotations

import json
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from generated.errors import ShareBackendException

Row = dict[str, Any]


class SwitchFailed(ShareBackendException):
    """The database can't be asked, or refuses."""


@dataclass(frozen=True, slots=True)
class Database:
    """A database of the server at ``socket``; blocking, one connection for each transaction.

    ``timeout``: seconds that the server may be silent.
    """

    socket: str
    name: str = "Open_vSwitch"
    timeout: float = 10.0

    def transact(self, *operations: Row) -> list[Row]:
        """Do all of the operations or none; their results.

        Raises:
            SwitchFailed: the server is not there, or an operation failed.
        """
        request = {"method": "transact", "params": [self.name, *operations], "id": 0}
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
                line.settimeout(self.timeout)
                line.connect(self.socket)
                line.sendall(json.dumps(request).encode())
                answer = _answer(line)
        except OSError as error:
            raise SwitchFailed(msg=f"{self.socket}: {error!r}") from error
        results = list(answer.get("result") or [])
        for one in [answer, *results]:
            if one is not None and one.get("error"):
                raise SwitchFailed(msg=f"{self.name}: {one['error']} {one.get('details', '')}")
        return results

    def select(self, table: str, *where: list[Any], columns: tuple[str, ...] = ()) -> list[Row]:
        """Rows of a table for which all conditions hold; all columns, unless some are named."""
        wanted: Row = {"op": "select", "table": table, "where": list(where)}
        if columns:
            wanted["columns"] = list(columns)
        return list(self.transact(wanted)[0]["rows"])


def _answer(line: socket.socket) -> Row:
    """The answer to our request; between, the server may ask whether we are there."""
    text, decoder = "", json.JSONDecoder()
    while True:
        data = line.recv(1 << 16)
        if not data:
            raise ConnectionError("the server hung up")
        text += data.decode()
        while text:
            try:
                message, end = decoder.raw_decode(text)
            except ValueError:
                break
            text = text[end:].lstrip()
            if message.get("method") == "echo":
                line.sendall(json.dumps({"id": message["id"], "result": message["params"], "error": None}).encode())
            elif "result" in message:
                return dict(message)


def mapping(pairs: Mapping[str, str]) -> list[Any]:
    """A map as OVSDB spells it."""
    return ["map", [[key, value] for key, value in pairs.items()]]


def pairs(value: list[Any]) -> dict[str, str]:
    """The map that OVSDB spelled."""
    return {str(key): str(one) for key, one in value[1]}


def members(value: Any) -> list[Any]:
    """What is in a set, which OVSDB spells as its only member if it has just one."""
    if isinstance(value, list) and value[:1] == ["set"]:
        return list(value[1])
    return [value]
