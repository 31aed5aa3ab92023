"""The one rule that a share without a list of clients can have; where a volume is served."""

from __future__ import annotations

import pytest

from drivers.rwx import objects
from drivers.rwx.rules import judged

ACTIVE, REFUSED = {"state": "active"}, {"state": "error", "refused": "unsupported"}


@pytest.mark.parametrize(
    ("kind", "to", "level", "good"),
    [
        ("ip", "0.0.0.0/0", "rw", True),
        ("ip", "::/0", "rw", True),
        ("ip", "0.0.0.0/0", "ro", False),
        ("ip", "10.0.0.5", "rw", False),
        ("ip", "10.0.0.0/8", "rw", False),
        ("ip", "nonsense", "rw", False),
        ("user", "alice", "rw", False),
        ("cert", "cn", "rw", False),
    ],
)
def test_everybody_or_nobody(kind: str, to: str, level: str, good: bool) -> None:
    rule = {"id": "r", "access_type": kind, "access_to": to, "access_level": level}
    assert judged([rule]) == (good, {"r": ACTIVE if good else REFUSED})


def test_a_rule_that_is_refused_takes_no_other_with_it() -> None:
    rules = [
        {"id": "a", "access_type": "ip", "access_to": "10.0.0.5", "access_level": "rw"},
        {"id": "b", "access_type": "ip", "access_to": "0.0.0.0/0", "access_level": "rw"},
    ]
    assert judged(rules) == (True, {"a": REFUSED, "b": ACTIVE})
    assert judged([]) == (False, {})


@pytest.mark.parametrize(
    ("endpoint", "state", "path"),
    [
        ("nfs://10.43.1.2/pvc-1", "running", "10.43.1.2:/pvc-1"),
        ("nfs://[fd00::1]/pvc-1", "running", "[fd00::1]:/pvc-1"),
        ("nfs://pvc-1.longhorn-system.svc.cluster.local/pvc-1", "running",
         "pvc-1.longhorn-system.svc.cluster.local:/pvc-1"),
        ("nfs://10.43.1.2/pvc-1", "starting", None),
        ("", "running", None),
        ("http://10.43.1.2/pvc-1", "running", None),
    ],
)  # fmt: skip
def test_where_a_volume_is_served(endpoint: str, state: str, path: str | None) -> None:
    assert objects.served({"status": {"endpoint": endpoint, "state": state}}) == path


def test_what_is_not_there_is_not_served() -> None:
    assert objects.served(None) is None
    assert objects.closed(None) and objects.closed({"status": {"state": "stopped"}})
    assert not objects.closed({"status": {"state": "stopping"}})
    assert objects.complaint({"status": {"robustness": "faulted"}}) == "the volume is faulted"
    assert objects.complaint(None) == ""
