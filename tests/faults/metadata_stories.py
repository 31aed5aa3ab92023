"""Stories about metadata that drivers are told of."""

from __future__ import annotations

import dataclasses

from generated.messages import Action, Detail
from tests.faults.stage import Stage
from tests.faults.stories import Facts, Story, a_network, a_share


def _configure(stage: Stage) -> None:
    default = dataclasses.replace(
        stage.core.settings.default, driver_updatable_metadata=("k",), driver_updatable_subnet_metadata=("k",)
    )
    stage.core.settings = dataclasses.replace(stage.core.settings, default=default)


async def ask_share(stage: Stage, facts: Facts) -> None:
    _configure(stage)
    body = {"metadata": {"k": "v", "other": "x"}}
    assert (await stage.member("POST", f"/v2/shares/{facts['share']}/metadata", body)).status == 200


async def a_share_on_a_subnet(stage: Stage, facts: Facts) -> None:
    await a_network(stage, facts)
    await a_share(stage, facts)


async def ask_subnet(stage: Stage, facts: Facts) -> None:
    _configure(stage)
    network = facts["share_keys"]["share_network_id"]
    shown = await stage.member("GET", f"/v2/share-networks/{network}", version="2.89")
    subnet = shown.json["share_network"]["share_network_subnets"][0]["id"]
    path = f"/v2/share-networks/{network}/subnets/{subnet}/metadata"
    assert (await stage.member("POST", path, {"metadata": {"k": "v"}}, version="2.89")).status == 200


async def check(stage: Stage, facts: Facts) -> None:
    """The user was told that it worked; a crash after that may tell it again."""
    found = await stage.rows("SELECT DISTINCT action_id, detail_id FROM messages")
    assert [(row["action_id"], row["detail_id"]) for row in found] == [
        (Action.UPDATE_METADATA, Detail.UPDATE_METADATA_SUCCESS)
    ]


STORIES = {
    "share_metadata_update": Story(ask_share, check, a_share),
    "subnet_metadata_update": Story(ask_subnet, check, a_share_on_a_subnet, servers=True),
}
