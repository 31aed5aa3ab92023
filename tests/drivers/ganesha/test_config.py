"""What is written for Ganesha, and how options and extra specs are read."""

from __future__ import annotations

from pathlib import Path

import pytest

from drivers.ganesha.embedded.pool import GIB, MIB, image_size
from drivers.ganesha.gateway import config
from drivers.ganesha.options import GaneshaOptions, Look, look
from drivers.ganesha.ports import Address, Export, Server
from drivers.ganesha.rules import Client
from generated.errors import ShareBackendException

OPTIONS = GaneshaOptions(name="ganesha")


def test_export() -> None:
    export = Export("share-1", "/mounts/share-1", "Root_Squash", (Client("10.0.0.5/32", "RW"), Client("::/0", "RO")))
    assert config.export(export, 7).splitlines() == [
        "EXPORT {",
        "  Export_Id = 7;",
        '  Path = "/mounts/share-1";',
        '  Pseudo = "/share-1";',
        "  Protocols = 4;",
        "  Transports = TCP;",
        "  SecType = sys;",
        "  Access_Type = NONE;",
        "  Squash = Root_Squash;",
        "  CLIENT { Clients = 10.0.0.5; Access_Type = RW; Squash = Root_Squash; Protocols = 4; }",
        "  CLIENT { Clients = ::/1; Access_Type = RO; Squash = Root_Squash; Protocols = 4; }",
        "  CLIENT { Clients = 8000::/1; Access_Type = RO; Squash = Root_Squash; Protocols = 4; }",
        "  FSAL { Name = VFS; }",
        "}",
    ]


@pytest.mark.parametrize(("ip", "bound"), [("10.0.0.5", "0.0.0.0"), ("fd00::5", "::")])
@pytest.mark.parametrize("version", [(4, 3), (6, 5), (9, 14)])
def test_gateway(ip: str, bound: str, version: tuple[int, int]) -> None:
    serving = config.Serving(version, grace=20, lease=15)
    text = config.gateway(Server("s1", (Address(ip, 24, "n"),)), Path("/state/s1"), serving)
    assert f"Bind_addr = {bound};" in text
    assert 'Server_Scope = "s1"' in text and 'Server_Owner = "s1"' in text
    assert 'RecoveryRoot = "/state/s1/recovery"' in text
    assert "Grace_Period = 20;" in text and "Lease_Lifetime = 15;" in text
    assert "Delegations = false;" in text and "Minor_Versions = 1,2;" in text
    assert ("Allow_Set_Io_Flusher_Fail" in text) == (version >= (5, 0))
    for late in ("Blocking_Locks = false;", "Expired_Client_Threshold = 0;", "Enable_Metrics = false;"):
        assert (late in text) == (version >= (9, 0))
    assert "Plugins_Dir" not in text


def test_metrics_are_on_loopback_and_nowhere_else() -> None:
    serving = config.Serving((9, 14), plugins="/g/lib/ganesha", minors=(1,), metrics=9587)
    text = config.gateway(Server("s1", (Address("10.0.0.5", 24, "n"),)), Path("/state/s1"), serving)
    assert "Enable_Metrics = true; Monitoring_Addr = 127.0.0.1; Monitoring_Port = 9587;" in text
    assert 'Plugins_Dir = "/g/lib/ganesha";' in text
    assert "Minor_Versions = 1;" in text


def test_a_pod_listens_at_its_own_address_only() -> None:
    one, two = Address("10.0.0.5", 24, "n"), Address("10.1.0.5", 24, "m")
    for addresses, bound in (((one,), "10.0.0.5"), ((one, two), "0.0.0.0")):
        text = config.gateway(Server("s1", addresses), Path("/state"), config.Serving((9, 14), own_addresses_only=True))
        assert f"Bind_addr = {bound};" in text


def test_look() -> None:
    assert look(OPTIONS, {}) == Look(0, 0, 0o777, "No_Root_Squash")
    specs = {"ganesha:owner": "1000:100", "ganesha:mode": "2770", "ganesha:squash": "Root", "snapshot_support": "True"}
    assert look(OPTIONS, specs) == Look(1000, 100, 0o2770, "Root_Squash")
    assert look(OPTIONS, {"ganesha:owner": "4294967294:4294967294"}).gid == 2**32 - 2


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("owner", "root"), ("owner", "1"), ("owner", "٠:٠"), ("owner", "１:0"), ("owner", "4294967295:0"),
        ("owner", "0:4294967295"), ("owner", "9999999999:0"), ("owner", "+1:0"), ("owner", " 1:0"), ("owner", "1_0:0"),
        ("owner", "1:0\n"), ("owner", "-1:0"), ("mode", "rwx"), ("mode", "99"), ("mode", "٠777"), ("mode", "0777\n"),
        ("mode", "0o777"), ("mode", "0_777"), ("squash", "some"), ("mode", "0777; }"),
    ],
)  # fmt: skip
def test_a_bad_extra_spec_is_named(name: str, value: str) -> None:
    with pytest.raises(ShareBackendException, match=name):
        look(OPTIONS, {f"ganesha:{name}": value})


@pytest.mark.parametrize("size", [1, 2, 7, 100, 4096])
def test_image_size(size: int) -> None:
    """What the client sees is the image without its log."""
    shown = image_size(size) - 64 * MIB
    assert size * GIB < shown < 1.008 * size * GIB
    assert image_size(size) % MIB == 0
