"""How the namespace of a project is named and labelled, and whose it is. Pure functions."""

from __future__ import annotations

import hashlib
import re
from typing import Final

from drivers.ganesha.kubernetes import names
from drivers.ganesha.kubernetes.options import KubernetesOptions
from drivers.kubernetes.api import OWNER, Object
from drivers.kubernetes.labels import label
from generated.errors import ShareBackendException

SINGLE: Final = "single"
PROJECT: Final = "project"
FORMS: Final = (SINGLE, PROJECT)
"""Values of ``kubernetes_namespace_form``."""
LONGEST: Final = 63
"""Characters of a DNS label (RFC 1123), which the name of a namespace is."""
DIGEST: Final = 10
SERVER: Final = f"{names.PREFIX}/server-"
"""Annotation of a project's namespace, with a share server's id behind it: that server is there, or is being made."""
ADMITS: Final = {f"pod-security.kubernetes.io/{one}": "privileged" for one in ("enforce", "warn", "audit")}
"""Gateways have folders of their node."""


def check(options: KubernetesOptions) -> None:
    """Raise ShareBackendException if the form is none, or leaves no room for a project's part in the names."""
    form, home = options.kubernetes_namespace_form, options.kubernetes_namespace
    if form not in FORMS:
        raise ShareBackendException(msg=f"kubernetes_namespace_form {form} must be one of {', '.join(FORMS)}")
    room = LONGEST - DIGEST - 3
    if form == PROJECT and len(home) > room:
        raise ShareBackendException(msg=f"kubernetes_namespace may have {room} characters with a namespace per project")


def of_project(options: KubernetesOptions, project: str) -> str:
    """The namespace of a project; that of the back end where no project is known.

    It begins with the back end's own and a dash, by which the chart's admission policy knows it. The digest makes it
    another one for each back end and for projects whose ids are alike in their first letters.
    """
    home = options.kubernetes_namespace
    if not project:
        return home
    whole = "\0".join((options.share_backend_name, project))
    tail = hashlib.sha256(whole.encode()).hexdigest()[:DIGEST]
    words = re.sub(r"[^a-z0-9]+", "-", project.lower())
    return f"{home}-{words}"[: LONGEST - DIGEST - 1].rstrip("-") + f"-{tail}"


def may_be_ours(options: KubernetesOptions, namespace: str) -> bool:
    """Whether a name is that of the back end's namespace or may be that of a project's."""
    home = options.kubernetes_namespace
    return namespace == home or namespace.startswith(f"{home}-")


def own(options: KubernetesOptions) -> dict[str, str]:
    """Labels of every project's namespace."""
    return names.labels(options.share_backend_name, "project", **{names.WITHIN: options.kubernetes_namespace})


def wanted(options: KubernetesOptions, namespace: str, project: str, server_id: str) -> Object:
    """A project's namespace as it is made for its first share server."""
    labels = {**own(options), **ADMITS, **({names.PROJECT: project} if project else {})}
    return {"metadata": {"name": namespace, "labels": labels, "annotations": {SERVER + server_id: ""}}}


def is_ours(options: KubernetesOptions, found: Object) -> bool:
    """Whether a namespace is labelled as one of the back end's: made by it, or given to it by an operator."""
    return all(label(found, name) == value for name, value in own(options).items())


def is_proven(options: KubernetesOptions, found: Object, owner: str) -> bool:
    """Whether this installation made a namespace, so that it may remove it."""
    metadata = found["metadata"]
    made = owner != "" and (metadata.get("annotations") or {}).get(OWNER) == owner
    project = label(found, names.PROJECT)
    named = project != "" and metadata["name"] == of_project(options, project)
    return made and named and is_ours(options, found)


def servers(found: Object) -> set[str]:
    """The share servers that are said to be in a namespace."""
    notes = found["metadata"].get("annotations") or {}
    return {name.removeprefix(SERVER) for name in notes if name.startswith(SERVER)}
