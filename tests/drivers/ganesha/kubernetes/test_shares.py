"""When a change of a share counts as done."""

from __future__ import annotations

import pytest

from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.exports import KubernetesExports
from drivers.ganesha.kubernetes.shares import Shares
from drivers.ganesha.ports import Export
from drivers.ganesha.rules import Client
from drivers.kubernetes.api import POD, SHARE_EXPORT, Object
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


class Collecting(FakeCluster):
    """An export that is removed stays until the garbage collector comes round, as after a foreground deletion."""

    looks = 0

    async def _once(self, method: str, path: str, body: Object | None, content: str) -> tuple[int, Object]:
        name = names.share("i1")
        found = self.of(SHARE_EXPORT).get(name)
        if found is not None and method == "DELETE" and (body or {})["propagationPolicy"] == "Foreground":
            found["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
            return 200, {}
        if found is not None and "deletionTimestamp" in found["metadata"]:
            self.looks += 1
            if self.looks > 2:
                del self.objects[SHARE_EXPORT.plural, name]
        return await super()._once(method, path, body, content)


async def test_a_volume_is_bound_again_while_its_export_is_removed() -> None:
    """As when the volume behind an export is swapped."""
    cluster = Collecting()
    pod = {"metadata": {"name": names.gateway_pod("s1")}, "spec": {"nodeName": "node-1"}}
    cluster._put(POD, pod)
    cluster._put(POD, {"metadata": {"name": names.holder("i1")}, "spec": {"nodeName": "node-1"}})
    shares = Shares(OPTIONS, cluster)
    await shares.mount("i1", "s1", "share-i1")
    before = cluster.of(SHARE_EXPORT)[names.share("i1")]["metadata"]
    before["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    uid = before["uid"]
    await shares.mount("i1", "s1", "share-i1-1")
    found = cluster.of(SHARE_EXPORT)[names.share("i1")]
    assert found["metadata"]["uid"] != uid
    assert (found["spec"]["claim"], found["status"]["mounted"]) == ("share-i1-1", True)


async def test_a_share_that_is_unmounted_leaves_no_export_that_is_still_removed() -> None:
    cluster = Collecting()
    cluster._put(POD, {"metadata": {"name": names.gateway_pod("s1")}, "spec": {"nodeName": "node-1"}})
    cluster._put(POD, {"metadata": {"name": names.holder("i1")}, "spec": {"nodeName": "node-1"}})
    shares = Shares(OPTIONS, cluster)
    for node in ({}, {"node": "node-1"}):
        await shares.mount("i1", "s1", "share-i1")
        cluster.of(SHARE_EXPORT)[names.share("i1")]["status"] |= node
        await shares.unmount("i1")
        assert cluster.of(SHARE_EXPORT) == {}
