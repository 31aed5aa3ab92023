"""What an API server refuses, as far as the client layer and the driver meet it."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable
from typing import Any

from drivers.kubernetes.sizes import bytes_of

Object = dict[str, Any]
Others = Iterable[tuple[str, Object]]
"""Plural name and object, of the same namespace or of none."""
NAME = re.compile(r"[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?")
CLAIMS = "persistentvolumeclaims"
WITHOUT_STATUS = frozenset(("network-attachment-definitions", "configmaps", "events", "storageclasses"))
PROTECTED = {CLAIMS: "kubernetes.io/pvc-protection"}
"""Plural -> finalizer that admission sets; a controller takes it away."""


class Refusal(Exception):
    """The server's answer to a request that it does not do."""

    def __init__(self, code: int, reason: str, message: str) -> None:
        super().__init__(message)
        self.code, self.reason = code, reason

    def document(self) -> Object:
        """As the server says it."""
        words = {"status": "Failure", "code": self.code, "reason": self.reason, "message": str(self)}
        return {"kind": "Status", "apiVersion": "v1", **words}


def defaulted(plural: str, wanted: Object, namespace: str) -> Object:
    """A new object with what the server adds to it."""
    made = copy.deepcopy(wanted)
    if plural not in WITHOUT_STATUS:
        made.pop("status", None)
    if namespace:
        made["metadata"]["namespace"] = namespace
    if plural == CLAIMS:
        made["status"] = {"phase": "Pending"}
    if plural in PROTECTED:
        made["metadata"]["finalizers"] = [PROTECTED[plural]]
    return made


def limited(changes: Object, part: str) -> Object:
    """Of a change, what its path lets through: ``status`` is a part of its own."""
    if part == "status":
        return {name: value for name, value in changes.items() if name in ("status", "metadata")}
    return {name: value for name, value in changes.items() if name != "status"}


def admit(others: Others, plural: str, wanted: Object) -> None:
    """Raises Refusal unless a new object may be."""
    name = str(wanted["metadata"].get("name", ""))
    if not NAME.fullmatch(name):
        raise Refusal(
            422, "Invalid", f'{wanted.get("kind")} "{name}" is invalid: metadata.name: Invalid value: "{name}"'
        )
    if plural == "volumesnapshots":
        source = wanted["spec"]["source"]
        if len(source.keys() & {"persistentVolumeClaimName", "volumeSnapshotContentName"}) != 1:
            raise Refusal(422, "Invalid", f'VolumeSnapshot "{name}" is invalid: spec.source: exactly one is required')
    if plural == CLAIMS:
        _within_quota(others, name)


def _within_quota(others: Others, name: str) -> None:
    for plural, one in others:
        hard = one.get("status", {}).get("hard", {}) if plural == "resourcequotas" else {}
        if CLAIMS in hard:
            used = one["status"]["used"]
            if int(used[CLAIMS]) >= int(hard[CLAIMS]):
                words = f"exceeded quota: {one['metadata']['name']}, requested: {CLAIMS}=1"
                raise Refusal(403, "Forbidden", f'{CLAIMS} "{name}" is forbidden: {words}')
            used[CLAIMS] = str(int(used[CLAIMS]) + 1)


def change(others: Others, plural: str, before: Object, after: Object) -> None:
    """Raises Refusal unless an object may be changed so."""
    if before["metadata"]["name"] != after["metadata"]["name"]:
        raise Refusal(422, "Invalid", "metadata.name: field is immutable")
    if plural == CLAIMS and before["spec"] != after["spec"]:
        _resized(others, before, after)
    if plural == "statefulsets":
        for name in ("serviceName", "selector", "podManagementPolicy", "volumeClaimTemplates"):
            if before["spec"].get(name) != after["spec"].get(name):
                raise Refusal(422, "Invalid", "spec: Forbidden: updates to statefulset spec for other fields")


def _resized(others: Others, before: Object, after: Object) -> None:
    """Of a claim only the size may change, only upwards, only if bound and if the class lets it."""
    name = before["metadata"]["name"]

    def refused(why: str) -> Refusal:
        return Refusal(422, "Invalid", f'PersistentVolumeClaim "{name}" is invalid: spec: Forbidden: {why}')

    known = {key: value for key, value in before["spec"].items() if key != "resources"}
    wanted = {key: value for key, value in after["spec"].items() if key != "resources"}
    if "volumeName" not in known and {**known, "volumeName": wanted.get("volumeName")} == wanted:
        return  # who binds it
    if before.get("status", {}).get("phase") != "Bound" or known != wanted:
        raise refused("spec is immutable after creation except resources.requests")
    old, new = (bytes_of(one["spec"]["resources"]["requests"]["storage"]) for one in (before, after))
    if new < old:
        raise refused("field can not be less than status.capacity")
    classes = [one for plural, one in others if plural == "storageclasses"]
    mine = [one for one in classes if one["metadata"]["name"] == before["spec"].get("storageClassName")]
    if not mine or not mine[0].get("allowVolumeExpansion"):
        words = "the storageclass that provisions the pvc must support resize"
        raise Refusal(403, "Forbidden", f'{CLAIMS} "{name}" is forbidden: {words}')
