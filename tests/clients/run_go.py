"""Suites of clients written in Go on the running service: gophercloud, the Manila CSI driver, Terraform's provider.

``python -m tests.clients.run_go [gophercloud] [csi] [terraform]``, all of them without a name. Their sources come as
Go modules; each test that passes on the original has to pass. Logs: ``dist/go-clients``.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from typing import Any

from deploy.bootstrap import ROOT
from tests.clients import gomodules
from tests.clients.stage import Stage, stage

NET, SUBNET = "00000000-0000-4000-8000-00000000000a", "00000000-0000-4000-9000-00000000000a"
"""A network of the fake Neutron."""
EXPECTED = {"gophercloud": 48, "csi": 92, "terraform": 15}
"""How many tests pass; of gophercloud's 49 one looks for a message of a fixed request id, and skips itself."""
SETTLED = ("gophercloud", "csi")
"""Suites that don't wait for what they ordered: a deletion, a message."""
PACKAGE = {
    "gophercloud": "./internal/acceptance/openstack/sharedfilesystems/v2",
    "csi": "./tests/sanity/manila",
    "terraform": "./openstack",
}
SECRETS = (
    *("CreateVolume", "DeleteVolume", "CreateSnapshot", "DeleteSnapshot", "ListSnapshots"),
    *("ControllerPublishVolume", "ControllerUnpublishVolume", "ControllerValidateVolumeCapabilities"),
    *("ControllerExpandVolume", "NodeStageVolume", "NodePublishVolume"),
)
"""Calls of the CSI driver that are given the login."""


def call(on: Stage, path: str, body: Any, token: str = "admin-token") -> Any:
    """POST to the service; the answer's only value. Raises HTTPError."""
    headers = {"Content-Type": "application/json", "X-Auth-Token": token, "X-OpenStack-Manila-API-Version": "2.99"}
    request = urllib.request.Request(f"{on.at.url}/v2{path}", json.dumps(body).encode(), headers, method="POST")
    with urllib.request.urlopen(request, timeout=60) as answer:
        return next(iter(json.load(answer).values()))


def make_types(on: Stage) -> None:
    """The types that the suites name; ``default`` is the one without share servers."""
    features = ("snapshot", "create_share_from_snapshot", "revert_to_snapshot", "mount_snapshot")
    for name, servers in (("default", "False"), ("dhss_false", "False"), ("dhss_true", "True")):
        specs = {"driver_handles_share_servers": servers, **{f"{one}_support": "True" for one in features}}
        specs |= {"replication_type": "readable"} if name == "dhss_false" else {}
        call(on, "/types", {"share_type": {"name": name, "extra_specs": specs}})


def environment(on: Stage) -> dict[str, str]:
    """The administrator's login, and what the suites look for and don't use here."""
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith("OS_")},
        "OS_AUTH_URL": on.identity,
        "OS_USERNAME": "admin",
        "OS_PASSWORD": "secret",
        "OS_PROJECT_NAME": "admin",
        "OS_DOMAIN_NAME": "Default",
        "OS_REGION_NAME": "RegionOne",
        "OS_NETWORK_ID": NET,
        "OS_SUBNET_ID": SUBNET,
        "OS_IMAGE_ID": "unused",
        "OS_FLAVOR_ID": "unused-1",
        "OS_FLAVOR_ID_RESIZE": "unused-2",
        "OS_POOL_NAME": "unused",
        "OS_EXTGW_ID": "unused",
    }


def _run(program: pathlib.Path, words: list[str], env: dict[str, str], log: pathlib.Path, cwd: pathlib.Path) -> str:
    command = [str(program), "-test.v", "-test.count=1", "-test.timeout=50m", *words]
    with open(log, "a") as out:
        out.write(f"\n$ {' '.join(command)}\n")
    done = subprocess.run(command, cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    with open(log, "a") as out:
        out.write(done.stdout)
    return done.stdout


def judge_tests(text: str) -> tuple[int, list[str]]:
    """What ``go test -v`` printed: how many top-level tests passed, and the names of those that failed."""
    passed = len(re.findall(r"^--- PASS: ", text, flags=re.M))
    failed = re.findall(r"^\s*--- FAIL: (\S+)", text, flags=re.M)
    return passed, failed or (["panic"] if re.search(r"^panic: ", text, flags=re.M) else [])


def judge_ginkgo(text: str) -> tuple[int, list[str]]:
    """What a Ginkgo suite printed: how many specs passed, and the titles of those that failed."""
    plain = re.sub(r"\x1b\[[0-9;]*m", "", text)
    found = re.search(r"(\d+) Passed \| (\d+) Failed", plain)
    failed = re.findall(r"^\s*\[(?:FAIL|PANICKED!|TIMEDOUT)\] (.*)", plain, flags=re.M)
    return (int(found[1]) if found else 0), sorted(set(failed)) or ([] if found else ["no result"])


def gophercloud(on: Stage, out: pathlib.Path) -> tuple[int, list[str]]:
    """gophercloud's acceptance tests, with replicas and transfers."""
    source = gomodules.fetched("github.com/gophercloud/gophercloud/v2", "v2.16.0")
    name = PACKAGE["gophercloud"]
    program = gomodules.built_test(source, name, "acceptance.test", "-tags", "sharedfilesystems")
    env = {**environment(on), "OS_MANILA_REPLICAS": "true", "OS_BRANCH": "master"}
    return judge_tests(_run(program, [], env, out / "gophercloud.log", source / name))


def csi(on: Stage, out: pathlib.Path) -> tuple[int, list[str]]:
    """csi-sanity on the CSI driver's controller, with and without share servers."""
    source = gomodules.fetched("k8s.io/cloud-provider-openstack", "v1.31.2")
    folder = source / PACKAGE["csi"]
    shutil.copy(pathlib.Path(__file__).parent / "csi" / "endpoint_test.go", folder)
    program = gomodules.built_test(source, PACKAGE["csi"], "csi.test")
    login = {"authURL": on.identity, "region": "RegionOne", "userName": "alice", "password": "secret"}
    login |= {"projectName": "tenant-a", "domainName": "Default"}
    lines = [f"  os-{name}: {value}\n" for name, value in login.items()]
    secrets = out / "csi-secrets.yaml"
    secrets.write_text("".join(f"{name}Secret:\n{''.join(lines)}" for name in SECRETS))
    ids = {"neutron_net_id": NET, "neutron_subnet_id": SUBNET}
    network = call(on, "/share-networks", {"share_network": ids}, "member-a-token")["id"]
    total = 0
    failed: list[str] = []
    for kind, where in (("dhss_false", ""), ("dhss_true", network)):
        own = {"CSI_SECRETS": str(secrets), "CSI_SHARE_TYPE": kind, "CSI_SHARE_NETWORK": where}
        text = _run(program, ["-test.run=TestEndpoint"], {**os.environ, **own}, out / "csi.log", folder)
        passed, lines = judge_ginkgo(text)
        total, failed = total + passed, failed + [f"{kind}: {line}" for line in lines]
    return total, failed


def terraform(on: Stage, out: pathlib.Path) -> tuple[int, list[str]]:
    """Acceptance tests of Terraform's provider; one that wants to write to Keystone skips itself."""
    source = gomodules.fetched("github.com/terraform-provider-openstack/terraform-provider-openstack/v3", "v3.4.0")
    program = gomodules.built_test(source, PACKAGE["terraform"], "terraform.test")
    env = {**environment(on), "TF_ACC": "1", "TF_ACC_TERRAFORM_PATH": gomodules.terraform(), "CHECKPOINT_DISABLE": "1"}
    env |= {"OS_SFS_ENVIRONMENT": "1", "TF_ACC_PROVIDER_NAMESPACE": "hashicorp"}
    if env["TF_ACC_TERRAFORM_PATH"].endswith("tofu"):
        env["TF_ACC_PROVIDER_HOST"] = "registry.opentofu.org"
    words = ["-test.run=TestAccSFSV2", "-test.parallel=4"]
    return judge_tests(_run(program, words, env, out / "terraform.log", source / PACKAGE["terraform"]))


SUITES: dict[str, Callable[[Stage, pathlib.Path], tuple[int, list[str]]]] = {
    "gophercloud": gophercloud,
    "csi": csi,
    "terraform": terraform,
}


def main() -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that what was started is ended
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="SUITE", help=", ".join(SUITES))
    names = parser.parse_args().names or list(SUITES)
    if unknown := set(names) - SUITES.keys():
        parser.error(f"no suite is named {', '.join(sorted(unknown))}")
    out = ROOT / "dist" / "go-clients"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    total = bad = 0
    for name in names:
        started = time.monotonic()
        with stage("alpha,beta,gamma", settled=name in SETTLED) as on:
            make_types(on)
            passed, failed = SUITES[name](on, out)
        failed = failed or ([f"only {passed} ran"] if passed < EXPECTED[name] else [])
        total, bad = total + passed, bad + len(failed)
        for line in failed:
            print(f"failed   {name}: {line}")
        print(f"{name}: {passed} of {EXPECTED[name]} passed in {time.monotonic() - started:.0f} s", flush=True)
    print(f"{total} passed, {bad} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
