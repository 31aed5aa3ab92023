"""Finding a pod's network namespace among the processes of a node."""

from __future__ import annotations

import os
import pathlib

import pytest

from drivers.ganesha.kubernetes.ovn import space

UID = "2825ae37-37cd-49aa-9303-5904527f1d7b"


def process(proc: pathlib.Path, pid: int, group: str, network: str) -> str:
    """A process as /proc shows it; the identity of its network namespace."""
    folder, file = proc / str(pid), proc.parent / network
    (folder / "ns").mkdir(parents=True)
    (folder / "cgroup").write_text(f"0::{group}\n")
    file.touch()
    (folder / "ns" / "net").symlink_to(file)
    return str(os.stat(file).st_ino)


@pytest.fixture
def proc(tmp_path: pathlib.Path) -> pathlib.Path:
    (tmp_path / "proc" / "sys").mkdir(parents=True)
    return tmp_path / "proc"


@pytest.mark.parametrize(
    "group",
    [
        f"/kubepods/besteffort/pod{UID}/0a1b",
        f"/kubepods.slice/kubepods-pod{UID.replace('-', '_')}.slice/cri-containerd-0a1b.scope",
        f"/../../kubepods-pod{UID.replace('-', '_')}.slice/x",
    ],
    ids=["cgroupfs", "systemd", "seen from another group"],
)
def test_a_pod_is_found(proc: pathlib.Path, group: str) -> None:
    process(proc, 7, "/kubepods/besteffort/podother/0a1b", "other")
    there = process(proc, 8, group, "pod")
    assert space.sandbox(UID, (), proc) == space.Sandbox(str(proc / "8" / "ns" / "net"), there)


def test_a_process_that_is_still_in_the_node_s_namespace_is_passed_over(proc: pathlib.Path) -> None:
    node = process(proc, 7, f"/kubepods/pod{UID}/0a1b", "node")
    assert space.sandbox(UID, {node}, proc) is None
    there = process(proc, 8, f"/kubepods/pod{UID}/2c3d", "pod")
    found = space.sandbox(UID, {node}, proc)
    assert found is not None and found.identity == there


def test_a_process_that_ends_meanwhile_is_passed_over(proc: pathlib.Path) -> None:
    (proc / "9").mkdir()
    process(proc, 10, f"/kubepods/pod{UID}/0a1b", "gone")
    (proc.parent / "gone").unlink()
    assert space.sandbox(UID, (), proc) is None


def test_another_namespace_is_left_again() -> None:
    """Entering one's own needs a privilege, and changes nothing."""
    if os.geteuid() != 0:
        pytest.skip("needs root: only who has CAP_SYS_ADMIN may enter a network namespace, even its own")
    here = space.identity("/proc/thread-self/ns/net")
    with space.inside("/proc/self/ns/net"):
        assert "lo" in space.devices("/proc/self/ns/net")
    assert space.identity("/proc/thread-self/ns/net") == here
