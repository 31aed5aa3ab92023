"""Service accounts with the chart's roles, and what they were seen to ask for."""

from __future__ import annotations

import asyncio
import base64
import json
import pathlib
import time
from dataclasses import dataclass

import yaml

from tests.drivers.kubernetes.memory import Object
from tests.lab.cluster import Cluster as Lab
from tests.lab.control_plane import AUDIT
from tests.lab.processes import wait

ROLES = pathlib.Path(__file__).resolve().parents[3] / "deploy" / "chart" / "files"
RBAC = "rbac.authorization.k8s.io"
Use = tuple[str, str, str]
"""API group, resource with its part, verb."""


def rules(name: str) -> list[Object]:
    """Rules of one of the chart's roles, such as ``share-role``."""
    found: list[Object] = yaml.safe_load((ROLES / f"{name}.yaml").read_text())
    return found


def granted(name: str) -> set[Use]:
    """What a role lets its bearer do."""
    return {
        (group, resource, verb)
        for rule in rules(name)
        for group in rule["apiGroups"]
        for resource in rule["resources"]
        for verb in rule["verbs"]
    }


@dataclass(frozen=True)
class Account:
    """A service account; ``kubeconfig`` is a file with its token."""

    lab: Lab
    namespace: str
    name: str
    token: str
    kubeconfig: pathlib.Path

    def may(self, method: str, path: str, body: object = None, kind: str = "application/json") -> int:
        """Status of the answer to a request."""
        return self.lab.api(method, path, body, kind=kind, token=self.token)[0]

    def uses(self) -> set[Use]:
        """What it has asked for and got, as the API server wrote it down; an apply that makes is also a create."""
        found: set[Use] = set()
        for line in (self.lab.place.base / AUDIT).read_text().splitlines():
            event = json.loads(line)
            if event["user"]["username"] != f"system:serviceaccount:{self.namespace}:{self.name}":
                continue
            code, at = event.get("responseStatus", {}).get("code", 0), event.get("objectRef", {})
            if code == 403 or "resource" not in at:
                continue
            part = f"/{at['subresource']}" if "subresource" in at else ""
            use = (at.get("apiGroup", ""), at["resource"] + part)
            found.add((*use, event["verb"]))
            if event["verb"] == "patch" and code == 201:
                found.add((*use, "create"))
        return found

    def asked(self) -> int:
        """Requests it has made."""
        user, seen = f"system:serviceaccount:{self.namespace}:{self.name}", set()
        for line in (self.lab.place.base / AUDIT).read_text().splitlines():
            event = json.loads(line)
            if event["user"]["username"] == user:
                seen.add(event["auditID"])
        return len(seen)

    async def used(self, *wanted: Use, seconds: float = 15.0) -> None:
        """Wait until it has asked for all of this. Nothing is raised when it does not: who asks next will see."""
        deadline = time.monotonic() + seconds
        while not self.uses().issuperset(wanted) and time.monotonic() < deadline:
            await asyncio.sleep(0.2)


def make(lab: Lab, folder: pathlib.Path, namespace: str, name: str, role: str, cluster_role: str = "") -> Account:
    """A service account of ``namespace`` with a role there, and with one for what has no namespace."""
    core, rbac = f"/api/v1/namespaces/{namespace}", f"/apis/{RBAC}/v1"
    lab.api.apply(f"{core}/serviceaccounts", {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": name}})
    _bind(lab, f"{rbac}/namespaces/{namespace}", "Role", role, name, name, namespace)
    if cluster_role:
        _bind(lab, rbac, "ClusterRole", cluster_role, f"{namespace}-{name}", name, namespace)
    wanted = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {"expirationSeconds": 6 * 3600}}
    status, text = lab.api("POST", f"{core}/serviceaccounts/{name}/token", wanted)
    if status != 201:
        raise RuntimeError(f"no token: {status} {text}")
    token = str(json.loads(text)["status"]["token"])
    account = having(lab, folder, namespace, name, token)
    (group, resource, _), *_ = sorted(use for use in granted(role) if use[2] == "list")
    path = f"/apis/{group}/v1alpha1" if group.startswith("manila") else "/api/v1"
    wait("the role is known", lambda: account.may("GET", f"{path}/namespaces/{namespace}/{resource}") == 200)
    return account


def having(lab: Lab, folder: pathlib.Path, namespace: str, name: str, token: str) -> Account:
    """Who has a token of a service account."""
    kubeconfig = folder / f"{name}.kubeconfig"
    kubeconfig.write_text(json.dumps(_configuration(lab, token)))
    return Account(lab, namespace, name, token, kubeconfig)


def grant(lab: Lab, account: Account, role: str) -> None:
    """Another role for an account, in its namespace."""
    rbac = f"/apis/{RBAC}/v1/namespaces/{account.namespace}"
    _bind(lab, rbac, "Role", role, role, account.name, account.namespace)


def _bind(lab: Lab, collection: str, kind: str, role: str, name: str, account: str, namespace: str) -> None:
    head = {"apiVersion": f"{RBAC}/v1", "metadata": {"name": name}}
    lab.api.apply(f"{collection}/{kind.lower()}s", {**head, "kind": kind, "rules": rules(role)})
    binding = {
        "roleRef": {"apiGroup": RBAC, "kind": kind, "name": name},
        "subjects": [{"kind": "ServiceAccount", "name": account, "namespace": namespace}],
    }
    lab.api.apply(f"{collection}/{kind.lower()}bindings", {**head, "kind": f"{kind}Binding", **binding})


def _configuration(lab: Lab, token: str) -> Object:
    authority = base64.b64encode(pathlib.Path(lab.authority.path("ca.crt")).read_bytes()).decode()
    return {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "lab",
        "clusters": [{"name": "lab", "cluster": {"server": lab.api.url, "certificate-authority-data": authority}}],
        "users": [{"name": "account", "user": {"token": token}}],
        "contexts": [{"name": "lab", "context": {"cluster": "lab", "user": "account"}}],
    }
