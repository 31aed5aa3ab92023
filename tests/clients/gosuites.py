"""Suites of clients written in Go: gophercloud, the Manila CSI driver, Terraform's provider.

Each brings up what it needs, takes a folder for its logs, and tells how many tests passed and the names of those that
failed.
"""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import psycopg

from db.embedded import EmbeddedPostgres
from tests.clients import gomodules
from tests.clients.networks import neutron
from tests.clients.stage import Stage, stage
from tests.peers import keystone
from tests.peers.cloud import cloud

Result = tuple[int, list[str]]

BACKENDS = "alpha,beta,gamma"
NET, SUBNET = "00000000-0000-4000-8000-00000000000a", "00000000-0000-4000-9000-00000000000a"
"""A network of the fake Neutron."""
REQUEST = "req-6f52cd8b-25a1-42cf-b497-7babf70f55f4"
"""Request id of the message that gophercloud deletes: its author's own, written down in the suite."""
SECRETS = (
    *("CreateVolume", "DeleteVolume", "CreateSnapshot", "DeleteSnapshot", "ListSnapshots"),
    *("ControllerPublishVolume", "ControllerUnpublishVolume", "ControllerValidateVolumeCapabilities"),
    *("ControllerExpandVolume", "NodeStageVolume", "NodePublishVolume"),
)
"""Calls of the CSI driver that are given the login."""
UNUSED = {
    "OS_IMAGE_ID": "unused",
    "OS_FLAVOR_ID": "unused-1",
    "OS_FLAVOR_ID_RESIZE": "unused-2",
    "OS_POOL_NAME": "unused",
    "OS_EXTGW_ID": "unused",
}
"""What suites look for before they start, and use for other services only."""


def call(on: Stage, path: str, body: Any = None, token: str = "admin-token") -> Any:
    """GET of the service, or POST with a ``body``; the answer's first value. Raises HTTPError."""
    headers = {"Content-Type": "application/json", "X-Auth-Token": token, "X-OpenStack-Manila-API-Version": "2.99"}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{on.at.url}/v2{path}", data, headers)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return next(iter(json.load(answer).values()))


def make_types(on: Stage) -> None:
    """The types that the suites name; ``default`` is the one without share servers."""
    features = ("snapshot", "create_share_from_snapshot", "revert_to_snapshot", "mount_snapshot")
    for name, servers in (("default", "False"), ("dhss_false", "False"), ("dhss_true", "True")):
        specs = {"driver_handles_share_servers": servers, **{f"{one}_support": "True" for one in features}}
        specs |= {"replication_type": "readable"} if name == "dhss_false" else {}
        call(on, "/types", {"share_type": {"name": name, "extra_specs": specs}})


def wait(what: str, seen: Callable[[], bool], seconds: float = 60) -> None:
    """Look again and again until ``seen``. Raises RuntimeError."""
    deadline = time.monotonic() + seconds
    while not seen():
        if time.monotonic() > deadline:
            raise RuntimeError(f"waited {seconds:.0f} s in vain for {what}")
        time.sleep(0.2)


def login(identity: str, user: str, project: str, password: str) -> dict[str, str]:
    """The environment of a client, without what the caller's own holds of a login."""
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith(("OS_", "TF_"))},
        "OS_AUTH_URL": identity,
        "OS_USERNAME": user,
        "OS_PASSWORD": password,
        "OS_PROJECT_NAME": project,
        "OS_DOMAIN_NAME": "Default",
        "OS_REGION_NAME": "RegionOne",
        **UNUSED,
    }


def _run(program: pathlib.Path, words: list[str], env: dict[str, str], log: pathlib.Path, cwd: pathlib.Path) -> str:
    command = [str(program), "-test.v", "-test.count=1", "-test.timeout=50m", *words]
    with open(log, "a") as out:
        out.write(f"\n$ {' '.join(command)}\n")
    done = subprocess.run(command, cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    with open(log, "a") as out:
        out.write(done.stdout)
    return done.stdout


def judge_tests(text: str) -> Result:
    """What ``go test -v`` printed: how many top-level tests passed, and the names of those that failed."""
    passed = len(re.findall(r"^--- PASS: ", text, flags=re.M))
    failed = re.findall(r"^\s*--- FAIL: (\S+)", text, flags=re.M)
    return passed, failed or (["panic"] if re.search(r"^panic: ", text, flags=re.M) else [])


def judge_ginkgo(text: str) -> Result:
    """What a Ginkgo suite printed: how many specs passed, and the titles of those that failed."""
    plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
    found = re.search(r"(\d+) Passed \| (\d+) Failed", plain)
    failed = re.findall(r"^\s*\[(?:FAIL|PANICKED!|TIMEDOUT)\] (.*)", plain, flags=re.M)
    return (int(found[1]) if found else 0), sorted(set(failed)) or ([] if found else ["no result"])


@contextlib.contextmanager
def _database() -> Iterator[str]:
    """URL of an empty database on a server of its own, for the time of the block."""
    with tempfile.TemporaryDirectory(prefix="manila-go-") as name, contextlib.ExitStack() as stack:
        folder = pathlib.Path(name)
        folder.chmod(0o755)  # the database server runs as another user when we are root
        os.environ.setdefault("XDG_RUNTIME_DIR", name)
        postgres = EmbeddedPostgres(folder / "data", durable=False)
        stack.callback(postgres.stop)
        yield postgres.create("manila")


def _leave_message(on: Stage, database: str) -> None:
    """A message of ``REQUEST``. A share that no back end can hold brings the message; since no client chooses the id of
    its request, that is written into the database."""
    specs = {"driver_handles_share_servers": "False", "vendor_name": "nobody"}
    call(on, "/types", {"share_type": {"name": "nowhere", "extra_specs": specs}})
    call(on, "/shares", {"share": {"share_proto": "NFS", "size": 1, "share_type": "nowhere"}})
    wait("a message of a failure", lambda: bool(call(on, "/messages")))
    with psycopg.connect(database) as conn:
        conn.execute("UPDATE messages SET request_id = %s", (REQUEST,))


def gophercloud(out: pathlib.Path) -> Result:
    """gophercloud's acceptance tests, with replicas and transfers."""
    source = gomodules.fetched("github.com/gophercloud/gophercloud/v2", "v2.16.0")
    name = "./internal/acceptance/openstack/sharedfilesystems/v2"
    program = gomodules.built_test(source, name, "acceptance.test", "-tags", "sharedfilesystems")
    with _database() as database, stage(BACKENDS, database=database) as on:
        make_types(on)
        _leave_message(on, database)
        env = login(on.identity, "admin", "admin", "secret")
        env |= {"OS_MANILA_REPLICAS": "true", "OS_BRANCH": "master", "OS_NETWORK_ID": NET, "OS_SUBNET_ID": SUBNET}
        return judge_tests(_run(program, [], env, out / "gophercloud.log", source / name))


def csi(out: pathlib.Path) -> Result:
    """csi-sanity on the CSI driver's controller, with and without share servers."""
    source = gomodules.fetched("k8s.io/cloud-provider-openstack", "v1.31.2")
    name = "./tests/sanity/manila"
    shutil.copy(pathlib.Path(__file__).parent / "csi" / "endpoint_test.go", source / name)
    program = gomodules.built_test(source, name, "csi.test")
    total = 0
    failed: list[str] = []
    with stage(BACKENDS) as on:
        make_types(on)
        secrets = out / "csi-secrets.yaml"
        secrets.write_text(_secrets(on.identity))
        ids = {"neutron_net_id": NET, "neutron_subnet_id": SUBNET}
        network = call(on, "/share-networks", {"share_network": ids}, "member-a-token")["id"]
        for kind, where in (("dhss_false", ""), ("dhss_true", network)):
            own = {"CSI_SECRETS": str(secrets), "CSI_SHARE_TYPE": kind, "CSI_SHARE_NETWORK": where}
            text = _run(program, ["-test.run=TestEndpoint"], {**os.environ, **own}, out / "csi.log", source / name)
            passed, lines = judge_ginkgo(text)
            total, failed = total + passed, failed + [f"{kind}: {line}" for line in lines]
            # its names come again in the next run
            wait("the end of deletions", lambda: not call(on, "/shares?all_tenants=1"))
    return total, failed


def _secrets(identity: str) -> str:
    """csi-sanity's file of secrets: the login for each call."""
    values = {"authURL": identity, "region": "RegionOne", "userName": "alice", "password": "secret"}
    values |= {"projectName": "tenant-a", "domainName": "Default"}
    lines = "".join(f"  os-{name}: {value}\n" for name, value in values.items())
    return "".join(f"{name}Secret:\n{lines}" for name in SECRETS)


def terraform(out: pathlib.Path) -> Result:
    """Acceptance tests of Terraform's provider with a real Keystone: as a tenant, then those of an administrator."""
    source = gomodules.fetched("github.com/terraform-provider-openstack/terraform-provider-openstack/v3", "v3.4.0")
    name = "./openstack"
    program = gomodules.built_test(source, name, "terraform.test")
    own = {"TF_ACC": "1", "TF_ACC_TERRAFORM_PATH": str(gomodules.terraform()), "CHECKPOINT_DISABLE": "1"}
    own |= {"TF_ACC_PROVIDER_NAMESPACE": "hashicorp", "TF_ACC_PROVIDER_HOST": "registry.opentofu.org"}
    own |= {"OS_SFS_ENVIRONMENT": "1", "OS_NETWORK_ID": NET}
    total = 0
    failed: list[str] = []
    with neutron() as networks, cloud(out, servers=False) as at:
        with keystone.administrator(at.identity) as identity:
            keystone.add_user(identity, "demo", "demo", ("member",))
            keystone.add_endpoint(identity, "network", "neutron", networks)
        for user in ("demo", "admin"):  # the suite knows both by these names, and skips the tests of the other
            env = login(at.identity.url, user, user, keystone.PASSWORD) | own
            words = ["-test.run=TestAccSFSV2", "-test.parallel=2"]
            passed, lines = judge_tests(_run(program, words, env, out / "terraform.log", source / name))
            total, failed = total + passed, failed + lines
    return total, failed
