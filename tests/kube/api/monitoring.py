"""Resources of Prometheus' operator on an API server that has none, with the fields that the chart uses."""

from __future__ import annotations

import functools

from tests.lab.api import Api, Object
from tests.lab.processes import wait
from tests.lab.storage import DEFINITIONS

GROUP = "monitoring.coreos.com"
TEXT = {"type": "string"}
TEXTS = {"type": "array", "items": TEXT}
LABELS: Object = {"type": "object", "additionalProperties": TEXT}
DURATION: Object = {"type": "string", "pattern": "^([0-9]+(ms|s|m|h|d|w|y))+$"}
SELECTOR: Object = {"type": "object", "properties": {"matchLabels": LABELS}}


def _list(*required: str, **fields: Object) -> Object:
    return {"type": "array", "items": {"type": "object", "required": list(required), "properties": fields}}


ENDPOINTS = _list(port=TEXT, interval=DURATION)
RULES = _list(
    "expr",
    alert=TEXT,
    expr={"x-kubernetes-int-or-string": True},
    **{"for": DURATION},
    labels=LABELS,
    annotations=LABELS,
)
FIELDS: dict[str, tuple[list[str], Object]] = {
    "ServiceMonitor": (["endpoints", "selector"], {"selector": SELECTOR, "endpoints": ENDPOINTS}),
    "PodMonitor": (
        ["selector"],
        {
            "selector": SELECTOR,
            "namespaceSelector": {"type": "object", "properties": {"any": {"type": "boolean"}, "matchNames": TEXTS}},
            "podMetricsEndpoints": ENDPOINTS,
        },
    ),
    "PrometheusRule": ([], {"groups": _list("name", name=TEXT, interval=DURATION, rules=RULES)}),
}
"""Kind -> what its spec must have, and what it may."""


def define(api: Api) -> None:
    """Make the resources."""
    for kind, (required, fields) in FIELDS.items():
        spec: Object = {"type": "object", "properties": fields}
        if required:
            spec["required"] = required
        schema = {"type": "object", "required": ["spec"], "properties": {"spec": spec}}
        served = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
        own = {"plural": f"{kind.lower()}s", "singular": kind.lower(), "kind": kind}
        wanted = {
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": f"{own['plural']}.{GROUP}"},
            "spec": {"group": GROUP, "scope": "Namespaced", "names": own, "versions": [served]},
        }
        api.apply(DEFINITIONS, wanted)
    for kind in FIELDS:
        path = f"/apis/{GROUP}/v1/{kind.lower()}s"
        wait(f"{kind}s are served", functools.partial(api.get, path))
