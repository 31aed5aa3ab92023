"""The cluster in memory behind requests as they go over the wire, each of which can be made to fail once."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from typing import Final
from urllib.parse import parse_qs, unquote, urlsplit

from drivers.kubernetes import api
from drivers.kubernetes.api import APPLY, Away, Cluster, Kind, Object
from tests.drivers.ganesha.kubernetes.fake import FakeCluster

KINDS: Final = {one.plural: one for one in vars(api).values() if isinstance(one, Kind)}
Answer = tuple[int, Object]
Way = Callable[["Wire", str, str, Object | None, str], "Answer"]


class Wire(Cluster):
    """Requests that reach a ``FakeCluster``. The ``fail_at``-th one (from 1) goes the ``way`` of a fault, once."""

    def __init__(self, world: FakeCluster, patience: float = 5.0) -> None:
        super().__init__(None, patience=patience)
        self.first_pause = 0.001
        self.world = world
        self.calls: list[str] = []
        self.fail_at = 0
        self.fault = ""

    async def _once(self, method: str, path: str, body: Object | None, content: str) -> Answer:
        self.calls.append(f"{method} {urlsplit(path).path}")
        if len(self.calls) != self.fail_at:
            return await self._serve(method, path, body, content)
        if self.fault == "504 though made":
            await self._serve(method, path, body, content)
            raise Away(f"{method} {path}: 504")
        if self.fault in ("429", "504"):
            raise Away(f"{method} {path}: {self.fault}")
        reason = {"409": "Conflict", "410": "Expired", "403": "Forbidden"}[self.fault]
        return int(self.fault), {"reason": reason, "message": "a fault"}

    async def _serve(self, method: str, path: str, body: Object | None, content: str) -> Answer:
        split = urlsplit(path)
        parts = split.path.strip("/").split("/")
        parts = parts[2:] if parts[0] == "api" else parts[3:]
        if parts[0] == "namespaces" and len(parts) > 2:
            parts = parts[2:]
        kind, name = KINDS[parts[0]], unquote(parts[1]) if len(parts) > 1 else ""
        present = self.world.objects.get((kind.plural, name))
        document = copy.deepcopy(body) if body is not None else {}
        if method == "POST":
            name = document["metadata"]["name"]
            if (kind.plural, name) in self.world.objects:
                return 409, {"reason": "AlreadyExists"}
            return 201, await self.world.create(kind, document)
        if method == "GET" and not name:
            selector = parse_qs(split.query).get("labelSelector", [""])[0]
            wanted = dict(one.split("=", 1) for one in selector.split(",") if one)
            return 200, {"items": await self.world.every(kind, None, wanted)}
        if method == "PATCH" and content == APPLY:
            return 200, await self.world.apply(kind, document)
        if present is None:
            return 404, {"reason": "NotFound"}
        if method == "PATCH":
            return 200, await self.world.merge(kind, name, None, document) or {}
        if method == "DELETE":
            await self.world.delete(kind, name, grace=document.get("gracePeriodSeconds"))
            return 200, {}
        return 200, copy.deepcopy(present)


def picture(world: FakeCluster) -> str:
    """What is there, without what is new at each making."""
    found = copy.deepcopy(world.objects)
    for one in found.values():
        for volatile in ("uid", "generation", "creationTimestamp", "resourceVersion"):
            one["metadata"].pop(volatile, None)
        one["metadata"].get("annotations", {}).pop(api.OWNER, None)
        one.get("status", {}).pop("observedGeneration", None)
    text = json.dumps({f"{kind} {name}": one for (kind, name), one in sorted(found.items())}, indent=1, sort_keys=True)
    # a revert that is repeated swaps the volume once more
    return re.sub(r"(share-i1-|incarnation\": \")[1-9]", r"\1N", text)
