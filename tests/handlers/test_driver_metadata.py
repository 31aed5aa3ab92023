"""Metadata that a driver is told of when it changes."""

from __future__ import annotations

import dataclasses

from generated.messages import Action, Detail
from tests.handlers.share_stage import Stage

SAID = (Action.UPDATE_METADATA, Detail.UPDATE_METADATA_SUCCESS)
REFUSED = (Action.UPDATE_METADATA, Detail.UPDATE_METADATA_FAILURE)


def configure(stage: Stage, *keys: str) -> None:
    default = dataclasses.replace(stage.core.settings.default, driver_updatable_metadata=keys)
    stage.core.settings = dataclasses.replace(stage.core.settings, default=default)


async def test_each_way_to_set_a_key_reaches_the_driver(stage: Stage) -> None:
    share = await stage.share()
    told = []
    driver = stage.backends[share["host"].partition("#")[0].partition("@")[2]].driver

    async def note(share: object, metadata: object, share_server: object = None) -> None:
        told.append(metadata)

    driver.update_share_from_metadata = note  # type: ignore[method-assign]
    path = f"/v2/shares/{share['id']}/metadata"
    configure(stage, "k")
    for method, where, body in (
        ("POST", "", {"metadata": {"k": "1", "other": "x"}}),
        ("PUT", "", {"metadata": {"k": "2"}}),
        ("POST", "/k", {"meta": {"k": "3"}, "metadata": {"k": "3"}}),
        ("POST", "", {"metadata": {"other": "y"}}),
    ):
        answer = await stage.ask("member-a", method, f"{path}{where}", body)
        assert answer.status == 200, answer.json
        await stage.work()
    # the last one sets another key, but the original tells the driver of all that the share has then
    assert told == [{"k": "1"}, {"k": "2"}, {"k": "3"}, {"k": "3"}]
    assert await stage.messages() == [SAID] * 4


async def test_other_keys_and_no_configuration_tell_nobody(stage: Stage) -> None:
    share = await stage.share()
    path = f"/v2/shares/{share['id']}/metadata"
    await stage.ask("member-a", "POST", path, {"metadata": {"k": "1"}})
    configure(stage, "another")
    await stage.ask("member-a", "POST", path, {"metadata": {"k": "2"}})
    await stage.work()
    assert await stage.messages() == []


async def test_a_driver_that_refuses_leaves_a_message(stage: Stage) -> None:
    share = await stage.share()
    configure(stage, "k")
    for one in stage.backends.values():
        one.driver.faults.fail("update_share_from_metadata")  # type: ignore[attr-defined]
    answer = await stage.ask("member-a", "POST", f"/v2/shares/{share['id']}/metadata", {"metadata": {"k": "1"}})
    assert answer.status == 200
    await stage.work()
    assert await stage.messages() == [REFUSED]
