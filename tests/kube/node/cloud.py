"""A cloud around a release of the chart: Keystone and Neutron, stand-ins of the embedded form at an address of the lab.

The service asks them from its pods; the ordinary ``openstack`` client asks them and the service.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import pathlib
import shlex
import socket
import time
from collections.abc import AsyncIterator
from typing import Any

import yaml

from deploy.bootstrap import VENV
from deploy.embedded import accounts, config, identity, networks
from deploy.embedded.running import serving
from drivers.ganesha.kubernetes.attachments.multus import bridge
from tests.datapath.lab import Client
from tests.deploy.chart.rendered import CHART
from tests.kube.node.release import API, Databases, Helm, address
from tests.kube.node.site import machine, nfs_client
from tests.lab.cluster import Cluster
from tests.lab.place import HOST
from tests.lab.processes import sh, wait
from tests.lab.storage import CLASS

RELEASE = "whole"
GATEWAYS = f"{RELEASE}-openkeel-manila-gateways"
Row = dict[str, Any]


class Refused(Exception):
    """What the ``openstack`` client said instead of doing what it was told."""


class Cloud:
    """Accounts, networks, a release that asks for both, and clients. ``folder`` holds ``clouds.yaml``."""

    def __init__(self, lab: Cluster, folder: pathlib.Path, url: str, neutron_url: str) -> None:
        self.lab, self.folder, self.neutron_url = lab, folder, neutron_url
        self.accounts = accounts.standard()
        self._machines: set[str] = set()
        self.identity = identity.Identity(url, self.accounts, {"network": neutron_url})
        self.neutron = networks.Networks()
        for number, account in enumerate(self.accounts):
            if account.project.startswith("tenant"):
                self.neutron.add_network(f"{account.project}-net", account.project_id, 1000 + number)
        (folder / "clouds.yaml").write_text(config.clouds(url, self.accounts))

    def network_of(self, project: str) -> Row:
        """The tenant network of a project."""
        owner = next(one.project_id for one in self.accounts if one.project == project)
        return next(row for row in self.neutron.tables["networks"].values() if row["project_id"] == owner)

    # ---- the release

    def values(self, database: str) -> str:
        """Values of the release."""
        service = next(one for one in self.accounts if one.user == "manila")
        login = {"auth_type": "password", "auth_url": f"{self.identity.url}/v3", "username": service.user}
        login |= {"project_name": service.project, "user_domain_name": "Default", "project_domain_name": "Default"}
        secret = {"password": service.password}
        whole: Row = {
            "conf": {
                "DEFAULT": {"report_interval": 2, "default_share_type": "default"},
                "keystone_authtoken": {**login, "www_authenticate_uri": f"{self.identity.url}/v3"},
                "neutron": {**login, "url": self.neutron_url},
            },
            "secretConf": {
                "sections": {
                    "database": {"connection": database},
                    "keystone_authtoken": secret,
                    "neutron": secret,
                }
            },
            "backends": {
                "ganesha": {
                    "share_driver": "ganesha-kubernetes",
                    "driver_handles_share_servers": True,
                    "kubernetes_storage_class": CLASS,
                    "kubernetes_snapshot_class": CLASS,
                    "kubernetes_gateway_resources": '{"requests": {"cpu": "1m", "memory": "8Mi"}}',
                    "ganesha_grace_period": 10,
                    "ganesha_lease_lifetime": 10,
                }
            },
            "gateways": {"path": str(self.lab.place.gateways)},
            "image": {"pullPolicy": "Never"},
            **{part: {"replicas": 1} for part in ("api", "scheduler", "share", "data")},
        }
        return yaml.safe_dump(whole)

    def install(self, helm: Helm, databases: Databases) -> None:
        """Install the release, and tell Keystone where its API is."""
        words = ("install", RELEASE, str(CHART), "--namespace", RELEASE, "--create-namespace")
        helm(*words, "--wait", "--timeout", "5m", text=self.values(databases[RELEASE]))
        wait("the API is ready", lambda: address(self.lab, RELEASE, API) is not None, 90)
        api = f"http://{address(self.lab, RELEASE, API)}:8786/v2"
        self.identity.services |= {"sharev2": api, "shared-file-system": api}

    def remove(self, helm: Helm) -> None:
        """Uninstall the release, remove its namespaces and the tenants' machines."""
        helm("uninstall", RELEASE, "--namespace", RELEASE, "--wait", "--timeout", "3m")
        for space in (GATEWAYS, RELEASE):
            self.lab.api("DELETE", f"/api/v1/namespaces/{space}")
        for name in self._machines:
            sh("ip", "netns", "del", name)

    # ---- its users

    async def openstack(self, cloud: str, command: str) -> Any:
        """Run an ``openstack`` command; what it prints as JSON, None if nothing. Raises Refused with its words."""
        words = shlex.split(command)
        form = ["-f", "json"] if {"list", "show", "create"} & set(words) else []
        env = {**os.environ, "OS_CLIENT_CONFIG_FILE": str(self.folder / "clouds.yaml"), "OS_CLOUD": cloud}
        pipe = asyncio.subprocess.PIPE
        program = str(VENV / "bin" / "openstack")
        child = await asyncio.create_subprocess_exec(program, *words, *form, stdout=pipe, stderr=pipe, env=env)
        out, err = await child.communicate()
        if child.returncode:
            raise Refused(f"openstack {command}: {err.decode().strip()}")
        return json.loads(out) if out.strip() else None

    async def complaint(self, cloud: str) -> str:
        """What the service tells a tenant about what failed, and the end of its own log."""
        messages = await self.openstack(cloud, "share message list")
        pods = ("-n", RELEASE, "logs", "-l", "app.kubernetes.io/component=share", "--tail=15")
        return f"{messages}\n{await asyncio.to_thread(self.lab.kubectl, *pods)}"

    async def client(self, project: str, ip: str) -> Client:
        """An NFS client on a machine in a tenant's network."""
        link, name = bridge(self.network_of(project)["id"]), f"{project[-1]}{ip.rpartition('.')[2]}"
        self._machines.add(name)
        return await nfs_client(machine(link, name, ip, 24))

    # ---- what is there

    def left(self) -> list[str]:
        """Objects of tenants in the gateways' namespace, and Neutron's ports."""
        kinds = "pods,persistentvolumeclaims,statefulsets,shareexports,volumesnapshots"
        found = json.loads(self.lab.kubectl("-n", GATEWAYS, "get", kinds, "-o", "json"))["items"]
        names = [f"{one['kind']} {one['metadata']['name']}" for one in found]
        agents = "Pod whole-openkeel-manila-node-agent"
        return [one for one in names if not one.startswith(agents)] + list(self.neutron.tables["ports"])


@contextlib.asynccontextmanager
async def cloud(lab: Cluster, folder: pathlib.Path, helm: Helm, databases: Databases) -> AsyncIterator[Cloud]:
    """A cloud with the release installed, both gone afterwards."""
    sockets = [socket.create_server((HOST, 0)) for _ in range(2)]
    urls = [f"http://{HOST}:{one.getsockname()[1]}" for one in sockets]
    made = Cloud(lab, folder, *urls)
    keystone, neutron = identity.application(made.identity), networks.application(made.neutron, made.identity)
    async with serving(keystone, sockets[0]), serving(neutron, sockets[1]):
        begin = time.monotonic()
        await asyncio.to_thread(made.install, helm, databases)
        print(f"the release is installed and ready after {time.monotonic() - begin:.1f} s")
        try:
            yield made
        finally:
            await asyncio.to_thread(made.remove, helm)
