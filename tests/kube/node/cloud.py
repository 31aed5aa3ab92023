"""A cloud around a release of the chart: Keystone, tenants' networks, and the ordinary ``openstack`` client.

Keystone is a stand-in of the embedded form at an address of the lab, where the service asks it from its pods. What the
networks are made of is told: bridges with a stand-in of Neutron, or OVN (``ovn_cloud``).
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import json
import os
import pathlib
import shlex
import socket
import time
from collections.abc import AsyncIterator, Callable
from typing import Any, Protocol

import yaml

from deploy.bootstrap import VENV
from deploy.embedded import accounts, config, identity, networks
from deploy.embedded.running import serving
from drivers.ganesha.kubernetes.attachments.multus import bridge
from tests.datapath.lab import Client
from tests.deploy.chart.rendered import CHART
from tests.kube.node.release import API, Helm, address
from tests.kube.node.site import machine, nfs_client
from tests.lab.cluster import Cluster
from tests.lab.place import HOST
from tests.lab.processes import sh, wait
from tests.lab.storage import CLASS

TENANTS = ("tenant-a", "tenant-b")
MACHINE = "10.0.0.5"
Row = dict[str, Any]


class Refused(Exception):
    """What the ``openstack`` client said instead of doing what it was told."""


class Tenants(Protocol):
    """Networks of tenants behind a Neutron, and machines in them.

    Attributes:
        url: of Neutron.
        options: of the back end's section of manila.conf.
        agent: values ``nodeAgent`` of the chart.
    """

    url: str
    options: Row
    agent: Row

    def serving(self, keystone: identity.Identity) -> contextlib.AbstractAsyncContextManager[None]:
        """Neutron answers meanwhile; in the end the machines go."""

    def network(self, project_id: str) -> Row:
        """The network of a project: ``id``, ``subnets``."""

    def machine(self, project: str, project_id: str, ip: str) -> str:
        """A machine in a project's network, made if it is not there; the name of its network namespace."""

    def ports(self) -> list[str]:
        """What is left of ports that share servers had."""


class Bridges:
    """A bridge for each network, as the attachment ``multus`` makes them in the lab."""

    def __init__(self) -> None:
        self._socket = socket.create_server((HOST, 0))
        self.url = f"http://{HOST}:{self._socket.getsockname()[1]}"
        self.options: Row = {}
        self.agent: Row = {}
        self._neutron = networks.Networks()
        self._machines: set[str] = set()

    @contextlib.asynccontextmanager
    async def serving(self, keystone: identity.Identity) -> AsyncIterator[None]:
        for number, account in enumerate(keystone.accounts):
            if account.project in TENANTS:
                self._neutron.add_network(f"{account.project}-net", account.project_id, 1000 + number)
        async with serving(networks.application(self._neutron, keystone), self._socket):
            try:
                yield
            finally:
                for name in self._machines:
                    sh("ip", "netns", "del", name)

    def network(self, project_id: str) -> Row:
        return next(row for row in self._neutron.tables["networks"].values() if row["project_id"] == project_id)

    def machine(self, project: str, project_id: str, ip: str) -> str:
        name = f"{project[-1]}{ip.rpartition('.')[2]}"
        self._machines.add(name)
        return machine(bridge(self.network(project_id)["id"]), name, ip, 24)

    def ports(self) -> list[str]:
        return list(self._neutron.tables["ports"])


class Cloud:
    """Accounts, networks, a release that asks for both, and clients. ``folder`` holds ``clouds.yaml``."""

    def __init__(self, lab: Cluster, folder: pathlib.Path, url: str, release: str, tenants: Tenants) -> None:
        self.lab, self.folder, self.release, self.tenants = lab, folder, release, tenants
        self.name = f"{release}-openkeel-manila"
        self.gateways = f"{self.name}-gateways"
        self.accounts = accounts.standard()
        self.identity = identity.Identity(url, self.accounts, {"network": tenants.url})
        (folder / "clouds.yaml").write_text(config.clouds(url, self.accounts))

    def project(self, name: str) -> str:
        """The id of a project."""
        return next(one.project_id for one in self.accounts if one.project == name)

    def operator(self, tenant: str) -> str:
        """An administrator with a tenant's project in scope; the name of the cloud to be asked as such."""
        (of,) = [one for one in self.accounts if one.project == tenant]
        account = dataclasses.replace(of, user="operator", user_id="e" * 32, roles=("admin", "member", "reader"))
        self.identity.accounts.append(account)
        file = self.folder / "clouds.yaml"
        known = yaml.safe_load(file.read_text())
        own = yaml.safe_load(config.clouds(self.identity.url, [account]))["clouds"][tenant]
        file.write_text(yaml.safe_dump({"clouds": known["clouds"] | {account.user: own}}))
        return account.user

    # ---- the release

    def values(self, database: str | None, **more: Row) -> str:
        """Values of the release; ``database``: its URL, None for a trial's of its own; ``more`` stands instead."""
        service = next(one for one in self.accounts if one.user == "manila")
        login = {"auth_type": "password", "auth_url": f"{self.identity.url}/v3", "username": service.user}
        login |= {"project_name": service.project, "user_domain_name": "Default", "project_domain_name": "Default"}
        secrets: Row = {name: {"password": service.password} for name in ("keystone_authtoken", "neutron")}
        if database is not None:
            secrets["database"] = {"connection": database}
        whole: Row = {
            "conf": {
                "DEFAULT": {"report_interval": 2, "default_share_type": "default"},
                "keystone_authtoken": {**login, "www_authenticate_uri": f"{self.identity.url}/v3"},
                "neutron": {**login, "url": self.tenants.url},
            },
            "secretConf": {"sections": secrets},
            "trialDatabase": {"enabled": database is None, "password": "trial", "storageClass": CLASS},
            "backends": {
                "ganesha": {
                    "share_driver": "ganesha-kubernetes",
                    "driver_handles_share_servers": True,
                    "kubernetes_storage_class": CLASS,
                    "kubernetes_snapshot_class": CLASS,
                    "ganesha_grace_period": 10,
                    "ganesha_lease_lifetime": 10,
                    **self.tenants.options,
                }
            },
            # beside the folders of other installations, whose agents take what is in theirs for their own
            "gateways": {"path": str(self.lab.place.gateways / self.release)},
            "nodeAgent": self.tenants.agent,
            "image": {"pullPolicy": "Never", "tag": "latest"},
            **{part: {"replicas": 1} for part in ("api", "scheduler", "share", "data")},
        }
        return yaml.safe_dump(whole | more)

    def install(self, helm: Helm, database: str | None) -> None:
        """Install the release, and tell Keystone where its API is."""
        folder = self.lab.place.gateways / self.release
        for node in self.lab.nodes.values():
            sh(*node.inside(), "sh", "-c", f"mkdir -p {folder} && touch {folder}/.kept")
        helm(
            *("install", self.release, str(CHART), "--namespace", self.release, "--create-namespace"),
            *("--wait", "--timeout", "5m"),
            text=self.values(database),
        )
        self.api_is_there()

    def api_is_there(self) -> None:
        """Wait until one pod of the API is left and ready, and tell Keystone where it is."""
        wait("the API is ready", lambda: address(self.lab, self.release, API) is not None, 240)
        api = f"http://{address(self.lab, self.release, API)}:8786/v2"
        self.identity.services |= {"sharev2": api, "shared-file-system": api}

    def remove(self, helm: Helm) -> None:
        """Uninstall the release, and remove its namespaces."""
        helm("uninstall", self.release, "--namespace", self.release, "--wait", "--timeout", "3m")
        for space in (self.gateways, self.release):
            self.lab.api("DELETE", f"/api/v1/namespaces/{space}")

    def objects(self, kind: str, *selector: str, namespace: str = "") -> list[Row]:
        """Objects of a kind in a namespace, that of the gateways unless told."""
        words = ["-n", namespace or self.gateways, "get", kind, "-o", "json"]
        words += [word for one in selector for word in ("-l", one)]
        found: list[Row] = json.loads(self.lab.kubectl(*words))["items"]
        return found

    def in_pod(self, component: str, *command: str) -> str:
        """What a command prints in a pod of the release."""
        return self.lab.kubectl("-n", self.release, "exec", f"deployment/{self.name}-{component}", "--", *command)

    # ---- its users

    async def openstack(self, cloud: str, command: str) -> Any:
        """Run an ``openstack`` command; what it prints as JSON, None if nothing. Raises Refused with its words."""
        words = shlex.split(command)
        form = ["-f", "json"] if {"list", "show", "create", "adopt"} & set(words) else []
        env = {**os.environ, "OS_CLIENT_CONFIG_FILE": str(self.folder / "clouds.yaml"), "OS_CLOUD": cloud}
        pipe = asyncio.subprocess.PIPE
        program = str(VENV / "bin" / "openstack")
        child = await asyncio.create_subprocess_exec(program, *words, *form, stdout=pipe, stderr=pipe, env=env)
        out, err = await child.communicate()
        if child.returncode:
            raise Refused(f"openstack {command}: {err.decode().strip()}")
        return json.loads(out) if out.strip() else None

    async def answers(self) -> float:
        """Until the API gives a tenant its shares; seconds."""
        begin = time.monotonic()
        async with asyncio.timeout(120):
            while True:
                with contextlib.suppress(Refused):
                    await self.openstack(TENANTS[0], "share list")
                    return time.monotonic() - begin

    async def prepare(self) -> None:
        """A share type that can do everything, and a share network ``net`` for each tenant."""
        await self.openstack("admin", "share type create default true --snapshot-support true")
        await self.openstack("admin", "share type set default --extra-specs create_share_from_snapshot_support=true")
        for tenant in TENANTS:
            network = self.tenants.network(self.project(tenant))
            net = f"--neutron-net-id {network['id']} --neutron-subnet-id {network['subnets'][0]}"
            await self.openstack(tenant, f"share network create --name net {net}")

    async def share(self, tenant: str, name: str, *more: str, rule: str = MACHINE) -> str:
        """A share with a rule for the machine; its location."""
        words = " ".join(("share create NFS 1 --share-type default --wait --name", name, "--share-network net", *more))
        share = await self.openstack(tenant, words)
        assert share["status"] == "available", await self.complaint(tenant)
        await self.allow(tenant, name, rule)
        return str((await self.openstack(tenant, f"share export location list {name}"))[0]["Path"])

    async def allow(self, tenant: str, share: str, to: str = MACHINE) -> None:
        """A rule for an address, until it is enforced."""
        made = await self.openstack(tenant, f"share access create {share} ip {to} --wait")
        assert made["state"] == "active"

    async def forbid(self, tenant: str, share: str, to: str = MACHINE) -> None:
        """Remove the rule for an address, until that is enforced."""
        rules = await self.openstack(tenant, f"share access list {share}")
        (rule,) = [one["ID"] for one in rules if one["Access To"] == to]
        await self.openstack(tenant, f"share access delete {share} {rule} --wait")

    async def complaint(self, cloud: str) -> str:
        """What the service tells a tenant about what failed, and the end of its own log."""
        messages = await self.openstack(cloud, "share message list")
        pods = ("-n", self.release, "logs", "-l", "app.kubernetes.io/component=share", "--tail=15")
        return f"{messages}\n{await asyncio.to_thread(self.lab.kubectl, *pods)}"

    def machine(self, tenant: str, ip: str = MACHINE) -> str:
        """A machine in a tenant's network; the name of its network namespace."""
        return self.tenants.machine(tenant, self.project(tenant), ip)

    async def client(self, tenant: str, ip: str = MACHINE) -> Client:
        """An NFS client on a machine in a tenant's network."""
        return await nfs_client(self.machine(tenant, ip))

    # ---- what is there

    def left(self) -> list[str]:
        """Objects of tenants in the gateways' namespace, and Neutron's ports."""
        kinds = "pods,persistentvolumeclaims,statefulsets,shareexports,volumesnapshots,network-attachment-definitions"
        names = [f"{one['kind']} {one['metadata']['name']}" for one in self.objects(kinds)]
        agents = f"Pod {self.name}-node-agent"
        return [one for one in names if not one.startswith(agents)] + self.tenants.ports()


@contextlib.asynccontextmanager
async def cloud(
    lab: Cluster, folder: pathlib.Path, helm: Helm, release: str, tenants: Tenants, database: str | None
) -> AsyncIterator[Cloud]:
    """A cloud with the release installed and prepared, both gone afterwards; ``database`` as in ``Cloud.values``."""
    listening = socket.create_server((HOST, 0))
    made = Cloud(lab, folder, f"http://{HOST}:{listening.getsockname()[1]}", release, tenants)
    async with serving(identity.application(made.identity), listening), tenants.serving(made.identity):
        begin = time.monotonic()
        await asyncio.to_thread(made.install, helm, database)
        print(f"the release {release} is installed and ready after {time.monotonic() - begin:.1f} s")
        try:
            await made.prepare()
            yield made
        finally:
            await asyncio.to_thread(made.remove, helm)


async def until(what: str, good: Callable[[], object], seconds: float = 90.0) -> float:
    """Wait beside the event loop; seconds it took."""
    begin = time.monotonic()
    await asyncio.to_thread(wait, what, good, seconds, 0.2)
    return time.monotonic() - begin
