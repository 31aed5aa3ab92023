"""The cluster in memory, of whose requests one fails once."""

from __future__ import annotations

import copy
import json
import re
from typing import Final
from urllib.parse import urlsplit

from drivers.ganesha.kubernetes.replacing import KEPT_FOR
from drivers.kubernetes.api import OWNER, Away, Object
from drivers.kubernetes.copies import WHOLE
from tests.drivers.ganesha.kubernetes.disks import Disks
from tests.drivers.ganesha.kubernetes.fake import FakeCluster, Objects
from tests.drivers.kubernetes.memory import Memory

REASONS: Final = {"409": "Conflict", "410": "Expired", "403": "Forbidden"}


class Wire(FakeCluster):
    """Its ``fail_at``-th request (from 1) goes the way of ``fault``."""

    def __init__(self) -> None:
        super().__init__()
        self.first_pause = 0.001
        self.calls: list[str] = []
        self.fail_at, self.fault = 0, ""

    def become(self, server: Memory, disks: Disks) -> None:
        """Have what another one had."""
        self.server, self.disks = copy.deepcopy((server, disks))
        self.objects = Objects(self.server)
        self.calls.clear()

    async def _once(self, method: str, path: str, body: Object | None, content: str) -> tuple[int, Object]:
        self.calls.append(f"{method} {urlsplit(path).path}")
        if len(self.calls) != self.fail_at:
            return await super()._once(method, path, body, content)
        if self.fault == "504 though made":
            await super()._once(method, path, body, content)
        if self.fault in REASONS:
            return int(self.fault), {"reason": REASONS[self.fault], "message": "a fault"}
        raise Away(f"{method} {path}: {self.fault}")

    def picture(self) -> str:
        """What is there, without what is new at each making."""
        found = copy.deepcopy(dict(self.objects))
        for one in found.values():
            for volatile in ("uid", "generation", "creationTimestamp", "resourceVersion", "managedFields"):
                one["metadata"].pop(volatile, None)
            for volatile in (OWNER, WHOLE, KEPT_FOR):
                one["metadata"].get("annotations", {}).pop(volatile, None)
            one.get("status", {}).pop("observedGeneration", None)
            one.get("spec", {}).get("claimRef", {}).pop("uid", None)
        named = {f"{kind} {name}": one for (kind, name), one in found.items()}
        # a revert that is repeated swaps the volume once more
        text = json.dumps(named, indent=1, sort_keys=True)
        return re.sub(r'(share-i1-|incarnation": ")[1-9]', r"\1N", text)
