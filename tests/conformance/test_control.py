"""The control side that scenarios steer the service with."""

from __future__ import annotations

import itertools
import pathlib

import pytest

from db.embedded import EmbeddedPostgres
from tests.conformance.stage import Stage

CONF = """\
[DEFAULT]
host = node1
enabled_share_backends = alpha,gamma
[openkeel]
metrics_port = 0
[alpha]
share_driver = dummy
driver_handles_share_servers = false
[gamma]
share_driver = dummy
driver_handles_share_servers = true
network_api_class = manila.network.standalone_network_plugin.StandaloneNetworkPlugin
standalone_network_plugin_gateway = 11.0.0.1
standalone_network_plugin_mask = 24
"""


@pytest.mark.parametrize(
    ("option", "value", "expected"), [("max_shares_per_share_server", 3, 3), ("max_share_server_size", "7", 7)]
)
async def test_an_option_of_a_back_end_is_set_in_its_section(
    tmp_path: pathlib.Path, postgres: EmbeddedPostgres, option: str, value: object, expected: int
) -> None:
    file, numbers = tmp_path / "manila.conf", itertools.count()
    file.write_text(CONF)
    stage = Stage(file, lambda: postgres.create(f"control_{option}_{next(numbers)}", "template"))
    await stage.start()
    try:
        before = getattr(stage.core.settings.backends["alpha"], option)
        await stage.verb_config(option, value, "gamma")
        assert getattr(stage.core.settings.backends["gamma"], option) == expected
        assert getattr(stage.manager.served["gamma"].backend.driver.options, option) == expected
        assert getattr(stage.core.settings.backends["alpha"], option) == before
        await stage.verb_config("automatic_share_server_cleanup", False, "gamma")
        assert stage.manager.served["gamma"].backend.section.automatic_share_server_cleanup is False
        await stage.verb_config("automatic_share_server_cleanup", False)  # which is none of DEFAULT's
        await stage.verb_config("shares", 4, "quota")
        assert stage.core.settings.quota.shares == 4
        await stage.verb_reset()
        assert getattr(stage.core.settings.backends["gamma"], option) != expected
    finally:
        await stage.stop()
