"""When a change of a share counts as done."""

from __future__ import annotations

import pytest

from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.exports import KubernetesExports
from drivers.ganesha.kubernetes.shares import Shares
from drivers.ganesha.ports import Export
from drivers.ganesha.rules import Client
from drivers.kubernetes.api import SHARE_EXPORT, Object
from generated.errors import ShareBackendException
from tests.drivers.ganesha.kubernetes.fake import OPTIONS, FakeCluster


class Complaining(FakeCluster):
    """Its gateway has taken every order, and says why it has not done all of it."""

    message = "nft ended with 1"

    def _follow(self, found: Object) -> None:
        spec, told = found["spec"], {"observedGeneration": found["metadata"]["generation"], "mounted": True}
        found["status"] = {**told, "prepared": True, "exported": spec["exported"], "message": self.message}


async def test_a_complaint_is_no_acknowledgement() -> None:
    cluster = Complaining()
    exports = KubernetesExports(Shares(OPTIONS, cluster))
    spec = {"server": "s1", "claim": "c", "mounted": True, "exported": False}
    cluster._put(SHARE_EXPORT, {"metadata": {"name": names.share("i1")}, "spec": spec})
    export = Export("i1", "", "s", (Client("10.0.0.5/32", "RW"),))
    for change in (exports.publish("s1", export), exports.suspend("s1", "i1"), exports.withdraw("s1", "i1")):
        with pytest.raises(ShareBackendException, match="nft ended with 1"):
            await change
    cluster.message = ""
    await exports.publish("s1", export)
    await exports.withdraw("s1", "i1")
