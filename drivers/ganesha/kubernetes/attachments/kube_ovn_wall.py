"""The SecurityGroups of gateways, which follow the access rules; see ``drivers.ganesha.wall``.

Kube-OVN replaces all rules at every change and cuts clients for that moment. What it takes for wrong it only logs; what
it has done it says by the digest of the rules in the group's status. How that digest comes about is its own affair, so
a change is taken for done when the digest is another one than before the change.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
from collections.abc import Mapping, Sequence
from typing import Final

from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.attachments.kube_ovn import group_name, security_group
from drivers.ganesha.kubernetes.attachments.multus import compact
from drivers.ganesha.kubernetes.attachments.reported import annotation
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.kubernetes.api import SECURITY_GROUP, Cluster, Late, Object
from drivers.kubernetes.likeness import differs
from generated.errors import ShareBackendException

log = logging.getLogger(__name__)
SYNCED: Final = f"{names.PREFIX}/synced"
"""Annotation of a group: the digest in its status ``before`` its rules were changed last, and the ``rules`` (our digest
of them) that were last known to be done, with Kube-OVN's ``digest`` of those."""


class KubeOvnWall:
    """See ``drivers.ganesha.wall.Wall``."""

    def __init__(self, options: KubernetesOptions, cluster: Cluster) -> None:
        self._options, self._cluster = options, cluster
        self.guards = options.kubernetes_attachment == "kube-ovn" and options.kubernetes_kube_ovn_groups
        self._seen: dict[str, object] = {}

    async def admit(self, server_id: str, networks: Sequence[str]) -> None:
        """Returns when Kube-OVN says that it has done it.

        Raises:
            ShareBackendException: it does not say so in time.
        """
        kind, wanted = security_group(self._options, server_id, networks)
        found = await self._cluster.get(kind, group_name(server_id))
        if found is None or _rules(found) != _rules(wanted):
            if found is not None and not in_force(found):
                # done late it would be taken for what comes now; what was refused will never be done
                with contextlib.suppress(Late):
                    found = await self._in_force(server_id)
            wanted["metadata"]["annotations"] = {SYNCED: compact(_before(found))}
            found = await self._cluster.apply(kind, wanted)
        await self.made(found)

    async def _in_force(self, server_id: str) -> Object | None:
        name, seconds = group_name(server_id), self._options.ganesha_timeout
        what = f"Kube-OVN has taken the rules of the SecurityGroup {name}"
        return await self._cluster.until(SECURITY_GROUP, name, None, in_force, seconds, what)

    async def made(self, found: Object) -> None:
        """Wait until Kube-OVN has done what a group says: before that a port in a new one is open to everybody.

        Raises:
            ShareBackendException: it has not in time.
        """
        if in_force(found):
            return
        try:
            await self._in_force(found["metadata"]["labels"][names.SERVER])
        except Late as late:
            raise ShareBackendException(msg=f"{late}; the log of kube-ovn-controller says why") from late

    async def keep(self, admitted: Mapping[str, Sequence[str]]) -> None:
        """Bring back groups that were removed by hand, which opens their ports, and rules that were changed by hand.

        A change of an access rule opens the wall before the export says so, and closes it after: rules that differ are
        put right if they still do at the next look.

        Args:
            admitted: for each server what its exports admit (CIDR).
        """
        if not self.guards:
            return
        options = self._options
        own = names.labels(options.share_backend_name, "wall", **{names.WITHIN: options.kubernetes_namespace})
        found = {one["metadata"]["name"]: one for one in await self._cluster.every(SECURITY_GROUP, None, own)}
        seen: dict[str, object] = {}
        for server_id, networks in admitted.items():
            kind, wanted = security_group(options, server_id, networks)
            present = found.get(group_name(server_id))
            if present is None:
                log.warning("the SecurityGroup %s was gone", group_name(server_id))
                await self._cluster.create(kind, wanted)
            elif differs(present, wanted):
                state = seen[server_id] = (present["metadata"].get("generation"), tuple(networks))
                if self._seen.get(server_id) == state:
                    log.warning("the SecurityGroup %s had other rules", group_name(server_id))
                    await self.admit(server_id, networks)
        self._seen = seen


def in_force(found: Object | None) -> bool:
    """Whether Kube-OVN has done what a group says."""
    if found is None:
        return False
    status, synced = found.get("status") or {}, _synced(found)
    if not status.get("portGroup") or not status.get("ingressLastSyncSuccess"):
        return False
    digest = status.get("ingressMd5", "")
    return digest != synced.get("before", "") or (_rules(found), digest) == (synced.get("rules"), synced.get("digest"))


def _before(found: Object | None) -> Object:
    """What ``SYNCED`` is to say of a group whose rules are about to change."""
    if found is None:
        return {"before": ""}
    digest, last = (found.get("status") or {}).get("ingressMd5", ""), _synced(found)
    known = {"rules": _rules(found), "digest": digest} if in_force(found) else last
    return {"before": digest, **{key: known[key] for key in ("rules", "digest") if key in known}}


def _synced(found: Object) -> Object:
    text = annotation(found, SYNCED)
    try:
        document = json.loads(text) if text else {}
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}


def _rules(group: Object) -> str:
    text = json.dumps((group.get("spec") or {}).get("ingressRules") or [], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
