"""What a gateway does while its packet filter can't be loaded: nobody is let in who was not before."""

from __future__ import annotations

import asyncio
import contextlib
import os
import pathlib
import shutil
import subprocess
import sys
import time
from collections.abc import AsyncIterator

import pytest

from drivers.ganesha.embedded.network import inside
from drivers.ganesha.gateway import places
from drivers.kubernetes.api import SHARE_EXPORT
from generated.errors import ShareBackendException
from generated.runtime import Row
from tests.datapath.pod_lab import PodLab, eventually

pytestmark = pytest.mark.datapath
HASTY = "import sys, cli.gateway as gateway; gateway.PATIENCE = 1.5; sys.exit(gateway.main())"


@pytest.fixture(scope="module")
async def pods() -> AsyncIterator[PodLab]:
    """With an ``nft`` that fails while a file is there."""
    made = PodLab()
    nft = made.root / "bin" / "nft"
    nft.parent.mkdir()
    nft.write_text(
        f"""#!/bin/sh\ntest -e {made.root}/no-nft && echo planted >&2 && exit 1\nexec {shutil.which("nft")} "$@"\n"""
    )
    nft.chmod(0o755)
    async with made.working():
        yield made


def _ganeshas(pods: PodLab, server: str) -> list[str]:
    """Ganeshas in a gateway's network namespace."""
    words = ("ip", "netns", "pids", pods.fabric.gateway(server))
    pids = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()
    found = []
    for pid in pids:
        with contextlib.suppress(OSError):
            found.append((pid, pathlib.Path(f"/proc/{pid}/comm").read_text()))
    return [pid for pid, name in found if "ganesha" in name]


async def test_without_a_filter_nothing_is_started(pods: PodLab) -> None:
    (pods.root / "no-nft").touch()
    with pytest.raises(ShareBackendException, match="gateway srv-a serves"):
        await pods.server("a")
    server: Row = {"id": "srv-a"}
    uid = pods.pod(server)["metadata"]["uid"]
    assert _ganeshas(pods, "srv-a") == [] and not (pods.root / f"run-{uid}" / places.CLOSED).exists()
    assert "planted" in (pods.root / f"{uid}.log").read_text()
    # a mark of the time before, as when the pod has got another network namespace
    mark = pods.root / f"run-{uid}" / places.CLOSED
    old = mark.with_name("old")
    old.touch()
    os.utime(old, (time.time() - 3600, time.time() - 3600))
    old.rename(mark)
    words = inside(pods.fabric.gateway("srv-a"), sys.executable, "-c", HASTY)
    env = pods.cluster.told[uid] | {"PYTHONPATH": os.getcwd()}
    done = await asyncio.to_thread(subprocess.run, words, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "no packet filter, so nothing is started" in done.stderr, done.stderr
    assert _ganeshas(pods, "srv-a") == []
    (pods.root / "no-nft").unlink()
    pods.replace_pod(server)
    assert await eventually(lambda: bool(_ganeshas(pods, "srv-a")), 20)


async def test_what_the_filter_does_not_know_is_not_acknowledged(pods: PodLab) -> None:
    server = await pods.server("b")
    client, other = await pods.client("b", "10.0.0.5"), await pods.client("b", "10.0.0.6")
    share = await pods.share(server, 1, "rw 10.0.0.5")
    await client.mount(share["location"])
    await client("write", name="f", text="abc")
    (pods.root / "no-nft").touch()
    with pytest.raises(ShareBackendException, match="planted"):
        await pods.allow(share, "rw 10.0.0.6")
    (found,) = [one for one in pods.cluster.of(SHARE_EXPORT).values() if one["spec"]["server"] == server["id"]]
    assert found["status"]["exported"] is False and "planted" in found["status"]["message"]
    # the filter is as it was: who was let in last still reaches Ganesha, which refuses; who shall be is not let in yet
    assert await client.outcome("write", name="g", text="x") == "NFS4ERR_ACCESS"
    with pytest.raises(Exception, match=r"refused|reset"):
        await other.mount(share["location"])
    # nor is it acknowledged when nobody at all is left
    with pytest.raises(ShareBackendException, match="planted"):
        await pods.allow(share)
    (pods.root / "no-nft").unlink()
    await pods.allow(share, "rw 10.0.0.6")
    await other.mount(share["location"])
    assert await other("read", name="f") == "abc"
    with pytest.raises(Exception, match=r"refused|reset"):
        await client.mount(share["location"])
    await pods.driver.delete_share(share, server)
