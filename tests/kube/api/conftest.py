"""The product's client before two API servers: the one in memory of the unit tests, and a real one."""

from __future__ import annotations

import itertools
import json
import os
import pathlib
import ssl
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

import pytest
from aiohttp import ClientSession, TCPConnector, web

from drivers.ganesha.kubernetes.definition import DEFINITION, shareexports
from drivers.kubernetes.api import APPLY, NAMESPACE, STORAGE_CLASS, Cluster, Kind
from tests.drivers.kubernetes.memory import Memory, Object
from tests.kube.api.faulty import Fault, Faulty, InMemory, Real
from tests.lab.cluster import Cluster as Lab
from tests.lab.processes import wait

CONFIG_MAP = Kind("v1", "configmaps", "ConfigMap")
QUOTA = Kind("v1", "resourcequotas", "ResourceQuota")
CLASS: Object = {"metadata": {"name": "grows"}, "provisioner": "csi.example", "allowVolumeExpansion": True}
PATIENCE = 8.0
_numbers = itertools.count(1)


@dataclass
class Bench:
    """``cluster``: what is tested; ``proxy``: what it talks to; ``namespace``: of the test's own."""

    cluster: Cluster
    proxy: Faulty
    namespace: str
    kubeconfig: pathlib.Path
    forget_history: Callable[[], None]

    def metadata(self, name: str, **more: object) -> Object:
        return {"name": name, "namespace": self.namespace, **more}

    def fault(self, method: str, words: str, what: int | str, *, done: bool = False, times: int = 1) -> None:
        """Plant a fault."""
        self.proxy.faults.append(Fault(method, words, what, done, times))

    async def admin(self, method: str, path: str, body: Object | None = None, content: str = "") -> tuple[int, Object]:
        """A request past the proxy and past the client."""
        data = b"" if body is None else json.dumps(body).encode()
        status, text = await self.proxy.upstream.ask(method, path, data, content)
        try:
            return status, json.loads(text)
        except ValueError:
            # a resource that was defined a moment ago and is not served yet
            return status, {"message": text.decode(errors="replace")}

    async def other_applies(self, kind: Kind, wanted: Object, *, force: bool = False) -> tuple[int, Object]:
        """What another manager applies."""
        whole = {"apiVersion": kind.version, "kind": kind.name, **wanted}
        path = f"{kind.path(self.namespace)}/{wanted['metadata']['name']}?fieldManager=other&force={str(force).lower()}"
        return await self.admin("PATCH", path, whole, APPLY)


def _nothing() -> None:
    pass


async def _real(lab: Lab) -> tuple[Real, ClientSession]:
    tls = ssl.create_default_context(cafile=lab.authority.path("ca.crt"))
    tls.load_cert_chain(lab.authority.path("admin.crt"), lab.authority.path("admin.key"))
    session = ClientSession(connector=TCPConnector(ssl=tls))
    lab.api.apply(DEFINITION.path(None), {"apiVersion": DEFINITION.version, "kind": DEFINITION.name, **shareexports()})
    wait("ShareExports are served", lambda: lab.api("GET", "/apis/manila.openkeel.io/v1alpha1/shareexports")[0] == 200)
    return Real(lab.api.url, session), session


@pytest.fixture(params=["memory", pytest.param("server", marks=pytest.mark.kube_api)])
async def bench(request: pytest.FixtureRequest, tmp_path: pathlib.Path) -> AsyncIterator[Bench]:
    """A client before either API server, with a namespace that is there."""
    session = None
    if request.param == "server":
        lab: Lab = request.getfixturevalue("lab")
        upstream, session = await _real(lab)
        proxy, forget_history = Faulty(upstream), _nothing
    else:
        memory = Memory()
        proxy, forget_history = Faulty(InMemory(memory)), memory.forget_history
    application = web.Application()
    application.router.add_route("*", "/{rest:.*}", proxy.answer)
    runner = web.AppRunner(application, shutdown_timeout=0.1, handler_cancellation=True)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    (address,) = runner.addresses
    kubeconfig = tmp_path / "kubeconfig"
    kubeconfig.write_text(json.dumps(configuration(f"http://127.0.0.1:{address[1]}")))
    cluster = Cluster(str(kubeconfig), timeout=2.0, patience=PATIENCE)
    one = Bench(cluster, proxy, f"bench-{os.getpid()}-{next(_numbers)}", kubeconfig, forget_history)
    await one.admin("POST", NAMESPACE.path(None), {"kind": "Namespace", "metadata": {"name": one.namespace}})
    await one.admin("POST", STORAGE_CLASS.path(None), {"kind": "StorageClass", **CLASS})
    try:
        yield one
    finally:
        await cluster.close()
        await one.admin("DELETE", f"{NAMESPACE.path(None)}/{one.namespace}")
        await runner.cleanup()
        if session is not None:
            await session.close()


def configuration(url: str) -> Object:
    """Of a client without credentials."""
    context = {"cluster": "proxy", "user": "nobody"}
    return {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "proxy",
        "clusters": [{"name": "proxy", "cluster": {"server": url}}],
        "users": [{"name": "nobody", "user": {}}],
        "contexts": [{"name": "proxy", "context": context}],
    }
