"""The custom resource that says what a gateway exports: one ShareExport per share instance.

The driver writes ``spec``; the node agent reads it, mounts, tells the gateway, and writes ``status``. So a change is
enforced when ``status.observedGeneration`` is the object's generation and ``status.message`` is empty, and
``kubectl get shareexports`` shows what each gateway serves, and why not.
"""

from __future__ import annotations

from typing import Final

from drivers.kubernetes.api import SHARE_EXPORT, Kind, Object

DEFINITION: Final = Kind(
    "apiextensions.k8s.io/v1", "customresourcedefinitions", "CustomResourceDefinition", namespaced=False
)
_TEXT: Final = {"type": "string"}
_NUMBER: Final = {"type": "integer", "format": "int64"}
_YES_NO: Final = {"type": "boolean"}
_KEPT: Final = {
    **_TEXT,
    "maxLength": 64,
    "x-kubernetes-validations": [{"rule": "self == oldSelf", "message": "it was chosen when the share was made"}],
}
"""No row says it, so nothing could put it right: what root on a client may do does not change while a share lives."""


def _object(required: list[str], **properties: object) -> Object:
    return {"type": "object", "required": required, "properties": properties}


_CLIENT = _object(["network", "access"], network=_TEXT, access={"type": "string", "enum": ["RW", "RO"]})
_ROOT = _object(["uid", "gid", "mode"], uid=_NUMBER, gid=_NUMBER, mode=_NUMBER)
_SPEC = _object(
    ["server", "claim", "mounted", "exported"],
    server=_TEXT,
    claim=_TEXT,
    mounted=_YES_NO,
    exported=_YES_NO,
    readOnly=_YES_NO,
    squash=_KEPT,
    root=_ROOT,
    clients={"type": "array", "items": _CLIENT, "maxItems": 5000},
)
_STATUS = _object(
    [],
    observedGeneration=_NUMBER,
    node=_TEXT,
    mounted=_YES_NO,
    prepared=_YES_NO,
    exported=_YES_NO,
    sizeBytes=_NUMBER,
    usedBytes=_NUMBER,
    message=_TEXT,
)


def _column(name: str, path: str, kind: str = "string") -> Object:
    return {"name": name, "type": kind, "jsonPath": path}


def shareexports() -> Object:
    """The definition, as the chart installs it."""
    group, _, version = SHARE_EXPORT.version.partition("/")
    columns = [
        _column("Server", ".spec.server"),
        _column("Node", ".status.node"),
        _column("Mounted", ".status.mounted", "boolean"),
        _column("Exported", ".status.exported", "boolean"),
        _column("Wanted", ".metadata.generation", "integer"),
        _column("Enforced", ".status.observedGeneration", "integer"),
        _column("Message", ".status.message"),
    ]
    return {
        "metadata": {"name": f"{SHARE_EXPORT.plural}.{group}"},
        "spec": {
            "group": group,
            "scope": "Namespaced",
            "names": {
                "plural": SHARE_EXPORT.plural,
                "singular": "shareexport",
                "kind": SHARE_EXPORT.name,
                "shortNames": ["shx"],
            },
            "versions": [
                {
                    "name": version,
                    "served": True,
                    "storage": True,
                    "subresources": {"status": {}},
                    "additionalPrinterColumns": columns,
                    "schema": {"openAPIV3Schema": _object(["spec"], spec=_SPEC, status=_STATUS)},
                }
            ],
        },
    }
