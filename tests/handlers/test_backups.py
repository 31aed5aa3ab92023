"""Share backups: by a share's back end, and by the data service that mounts and copies."""

from __future__ import annotations

import asyncio
import dataclasses
import pathlib
import shutil
import stat
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest

from db import quotas
from db.connection import Database, Row
from tests.handlers.catalogue import TENANT_A, TENANT_B, refusal
from tests.handlers.share_world import World, make_share, world
from worker import periodic
from worker.data import access
from worker.data.mounts import Folders
from worker.operation import Backend
from worker.schedule import TASKS

OPTIONS: dict[str, Any] = {"backup_options": {"backup_type": "dummy"}}
EXPERIMENTAL = {"X-OpenStack-Manila-API-Experimental": "true"}
EXPORT = "10.0.0.9:/backups"


@pytest.fixture
async def w(db: Database, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    monkeypatch.setattr(access, "LOOK_EVERY", 0.02)
    async with world(db) as made:
        settings = made.runner.core.settings
        default = dataclasses.replace(
            settings.default,
            backup_mount_export=EXPORT,
            mount_tmp_location=str(tmp_path / "mounts"),
            backup_mount_tmp_location=str(tmp_path / "mounts"),
            data_node_access_ips=("10.9.9.9",),
        )
        own = dataclasses.replace(settings.openkeel, data_folders=str(tmp_path / "exports"))
        made.runner.core.settings = dataclasses.replace(settings, default=default, openkeel=own)
        await set_location(made, made.instance)
        yield made


async def settled(w: World) -> None:
    """Wait until nothing is due, now or later: the data service looks again and again whether it is let in."""
    async with asyncio.timeout(15):
        while True:
            await w.settle()
            async with w.db.read() as conn:
                if not await conn.all("SELECT 1 FROM openkeel_tasks WHERE state IN ('queued', 'running')"):
                    return
            await asyncio.sleep(0.02)


async def set_location(w: World, instance: str, path: str = "10.0.0.1:/share") -> None:
    async with w.db.write() as conn:
        await conn.run(
            "INSERT INTO share_instance_export_locations (share_instance_id, path, is_admin_only, uuid, deleted)"
            " VALUES (%s, %s, false, %s, 0)",
            (instance, path, instance),
        )


def folder(w: World, export: str = "10.0.0.1:/share") -> pathlib.Path:
    """What stands for an export."""
    made = Folders(pathlib.Path(str(w.runner.core.settings.openkeel.data_folders))).folder(export)
    made.mkdir(parents=True, exist_ok=True)
    return made


async def turn(w: World, name: str) -> None:
    """Run a periodic task."""
    one = next(known for known in TASKS if known.name == name)
    backend = Backend("alpha", "node1@alpha", w.driver) if one.per_backend else None
    await one.run(periodic.Now(w.runner.core, backend))


async def post(w: World, who: str = "member-a", version: str = "2.99", **body: Any) -> Any:
    body = {"share_id": w.share, **body}
    return await w.ask(who, "POST", "/v2/share-backups", {"share_backup": body}, version, headers=EXPERIMENTAL)


async def make(w: World, **body: Any) -> str:
    """A backup that is available; its id."""
    answer = await post(w, **body)
    assert answer.status == 202, answer.content
    await settled(w)
    await turn(w, "backup_continue")
    backup = str(answer.json["share_backup"]["id"])
    assert (await show(w, backup))["status"] == "available"
    return backup


async def show(w: World, backup: str, who: str = "admin", version: str = "2.99") -> Row:
    answer = await w.ask(who, "GET", f"/v2/share-backups/{backup}", version=version, headers=EXPERIMENTAL)
    assert answer.status == 200, answer.content
    return dict(answer.json["share_backup"])


async def act(w: World, backup: str, body: Any, who: str = "member-a", version: str = "2.99") -> Any:
    return await w.ask(who, "POST", f"/v2/share-backups/{backup}/action", body, version, headers=EXPERIMENTAL)


async def delete(w: World, backup: str, who: str = "member-a") -> Any:
    return await w.ask(who, "DELETE", f"/v2/share-backups/{backup}", headers=EXPERIMENTAL)


async def state(w: World, share: str | None = None) -> tuple[str, str | None]:
    """Status and task state of a share."""
    found = (await w.ask("admin", "GET", f"/v2/shares/{share or w.share}")).json["share"]
    return found["status"], found["task_state"]


async def used(w: World, project: str = TENANT_A) -> dict[str, int]:
    async with w.db.read() as conn:
        return {name: row["in_use"] for name, row in (await quotas.usage(conn, project)).items() if row["in_use"]}


# ---- by the back end


async def test_life_of_a_driver_backup(w: World) -> None:
    answer = await post(w, name="n", description="d", **OPTIONS)
    made = answer.json["share_backup"]
    shown = {name: made[name] for name in ("status", "progress", "restore_progress", "size", "name", "backup_type")}
    assert list(shown.values()) == ["creating", "0", "0", 1, "n", "dummy"]
    await settled(w)
    assert await state(w) == ("backup_creating", None)
    assert await used(w) == {"backups": 1, "backup_gigabytes": 1}
    await turn(w, "backup_continue")
    found = await show(w, made["id"])
    assert (found["status"], found["progress"], found["host"], found["topic"]) == (
        "available", "100", "node1@alpha", "manila-share",
    )  # fmt: skip
    assert await state(w) == ("available", None)
    answer = await act(w, made["id"], {"restore": None})
    assert answer.json == {"restore": {"backup_id": made["id"], "share_id": w.share}}
    await settled(w)
    assert (await state(w))[0] == "backup_restoring"
    await turn(w, "restore_continue")
    assert (await show(w, made["id"]))["restore_progress"] == "100"
    assert await state(w) == ("available", None)
    assert (await delete(w, made["id"])).status == 202
    await settled(w)
    assert refusal(await delete(w, made["id"])) == (404, f"No backup exists with ID {made['id']}.")
    assert await used(w) == {}


async def test_progress_is_shown_and_what_fails_ends(w: World, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter([{"total_progress": "40"}, None])

    async def slow(*args: Any, **kwargs: Any) -> Any:
        answer = next(answers)
        if answer is None:
            raise RuntimeError("the storage is on fire")
        return answer

    monkeypatch.setattr(w.driver, "create_backup_continue", slow)
    backup = (await post(w, **OPTIONS)).json["share_backup"]["id"]
    await settled(w)
    await turn(w, "backup_continue")
    assert ((await show(w, backup))["status"], (await show(w, backup))["progress"]) == ("creating", "40")
    await turn(w, "backup_continue")
    assert ((await show(w, backup))["status"], (await show(w, backup))["progress"]) == ("error", "0")
    assert await state(w) == ("available", None)


@pytest.mark.parametrize(
    ("method", "backup_status", "share_status"),
    [
        ("create_backup", "error", "available"),
        ("restore_backup", "error", "backup_restoring_error"),
        ("restore_backup_continue", "available", "backup_restoring_error"),
        ("delete_backup", "error_deleting", "available"),
    ],
)
async def test_a_driver_that_fails(w: World, method: str, backup_status: str, share_status: str) -> None:
    if method == "create_backup":
        w.faults.fail(method)
        backup = (await post(w, **OPTIONS)).json["share_backup"]["id"]
    else:
        backup = await make(w, **OPTIONS)
        w.faults.fail(method)
        answer = await (delete(w, backup) if method == "delete_backup" else act(w, backup, {"restore": None}))
        assert answer.status == 202, answer.content
    await settled(w)
    await turn(w, "restore_continue")
    assert (await show(w, backup))["status"] == backup_status
    assert (await state(w))[0] == share_status


async def test_another_share_is_no_target_of_a_driver_that_says_so(w: World) -> None:
    backup = await make(w, **OPTIONS)
    target, _ = await make_share(w.db)
    assert (await act(w, backup, {"restore": target}, version="2.90")).json["restore"]["share_id"] == w.share
    await settled(w)
    await turn(w, "restore_continue")
    assert (await act(w, backup, {"restore": target})).json["restore"]["share_id"] == target
    await settled(w)
    assert (await show(w, backup))["status"] == "error"
    assert (await state(w, target))[0] == "backup_restoring_error"
    (message,) = (await w.ask("member-a", "GET", "/v2/messages")).json["messages"]
    assert (message["action_id"], message["detail_id"], message["resource_id"]) == ("028", "032", target)


# ---- what is refused


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"share_id": None}, (400, "'share_id' is missing from the request body.")),
        ({"share_id": 5}, (400, "No share exists with ID 5.")),
        ({"share_id": "nosuch"}, (400, "No share exists with ID nosuch.")),
        ({"name": "x" * 256}, (400, "'name' must be a text of at most 255 characters.")),
        ({"description": {}}, (400, "'description' must be a text of at most 255 characters.")),
        ({"backup_options": {}}, (400, "'backup_options' must be an object with at least one entry.")),
        ({"backup_options": "x"}, (400, "'backup_options' must be an object with at least one entry.")),
        (
            {"backup_options": {"backup_type": "x" * 33}},
            (400, "'backup_type' must be a text of at most 32 characters."),
        ),
    ],
)
async def test_bodies_that_are_refused(w: World, body: Row, expected: tuple[int, str]) -> None:
    assert refusal(await post(w, **body)) == expected
    assert await used(w) == {}
    assert await state(w) == ("available", None)


async def test_states_that_forbid_a_backup(w: World) -> None:
    await w.set_share(is_soft_deleted=True)
    assert refusal(await post(w)) == (
        403, f"Backup can not be created for share '{w.share}' since it has been soft deleted.",
    )  # fmt: skip
    await w.set_share(is_soft_deleted=False, task_state="migration_starting")
    assert (await post(w)).status == 409
    await w.set_share(task_state=None)
    await w.set_instance(status="error")
    assert refusal(await post(w)) == (
        400, f"Share {w.share} is in 'error' state, but it must be in 'available' state to create a backup.",
    )  # fmt: skip
    await w.set_instance(status="available")
    await w.snapshot()
    await settled(w)
    assert refusal(await post(w)) == (400, f"Cannot backup share {w.share} while it has snapshots.")


async def test_the_generic_way_knows_its_protocols(w: World) -> None:
    await w.set_share(share_proto="CIFS")
    assert refusal(await post(w)) == (
        400,
        f"Cannot backup share {w.share}. The generic approach for share backups only supports the following protocols: "
        "['NFS'].",
    )
    assert refusal(await post(w, backup_options={})) == refusal(await post(w))
    assert (await post(w, **OPTIONS)).status == 202


async def test_one_share_has_backups_of_one_type(w: World) -> None:
    await w.set_share(display_name="s")
    await make(w, **OPTIONS)
    assert refusal(await post(w, backup_options={"backup_type": "other"})) == (
        400,
        "Share 's' has existing backups with backup_type: 'dummy'. You must delete these backups to schedule a backup "
        "with a different backup_type, or re-use the same backup_type.",
    )
    assert await used(w) == {"backups": 1, "backup_gigabytes": 1}
    assert (await post(w, backup_options={"backup_type": "dummy"})).status == 202


async def test_quotas(w: World) -> None:
    for name, text in (
        ("backups", "BackupLimitExceeded: Maximum number of backups allowed (0) exceeded."),
        (
            "backup_gigabytes",
            "ShareBackupSizeExceedsAvailableQuota: Requested backup exceeds allowed Backup gigabytes quota. Requested "
            "1G, quota is 0G and 0G has been consumed.",
        ),
    ):
        path = f"/v2/quota-sets/{TENANT_A}"
        assert (await w.ask("admin", "PUT", path, {"quota_set": {name: 0}})).status == 200
        assert refusal(await post(w, **OPTIONS)) == (413, text)
    assert await state(w) == ("available", None)


async def test_a_share_with_backups_stays(w: World) -> None:
    await make(w, **OPTIONS)
    assert refusal(await w.ask("member-a", "DELETE", f"/v2/shares/{w.share}")) == (
        403, "Invalid share: Share still has 1 dependent backups.",
    )  # fmt: skip


async def test_what_forbids_a_restore(w: World) -> None:
    backup = await make(w, **OPTIONS)
    small, _ = await make_share(w.db, size=0)
    public, _ = await make_share(w.db, project_id=TENANT_B, is_public=True)
    foreign, _ = await make_share(w.db, project_id=TENANT_B)
    for target, expected in (
        (small, (400, "Invalid share: Share size 0 is too small to restore backup of size 1.")),
        (public, (403, "Policy doesn't allow share:get to be performed.")),
        (foreign, (404, "NotFound: Resource could not be found.")),
        ("nosuch", (404, "NotFound: Resource could not be found.")),
        (5, (400, "'restore' must be the id of a share, or null.")),
    ):
        assert refusal(await act(w, backup, {"restore": target})) == expected
    await w.set_instance(status="error")
    assert refusal(await act(w, backup, {"restore": None})) == (
        400, "Invalid share: Share to be restored to must be available.",
    )  # fmt: skip
    assert (await act(w, backup, {"reset_status": {"status": "creating"}}, "admin")).status == 202
    for answer, text in (
        (await act(w, backup, {"restore": None}), f"Invalid backup: Backup {backup} status must be available."),
        (await act(w, backup, {"restore": 5}), f"Invalid backup: Backup {backup} status must be available."),
        (await delete(w, backup), f"Invalid backup: Backup {backup} status must be available or error."),
    ):
        assert refusal(answer) == (400, text)


async def test_a_stranger_finds_nothing(w: World) -> None:
    backup = await make(w, **OPTIONS)
    missing = (404, f"No backup exists with ID {backup}.")
    path = f"/v2/share-backups/{backup}"
    assert refusal(await w.ask("member-b", "GET", path, headers=EXPERIMENTAL)) == missing
    body = {"share_backup": {"name": "mine"}}
    assert refusal(await w.ask("member-b", "PUT", path, body, headers=EXPERIMENTAL)) == missing
    assert refusal(await delete(w, backup, "member-b")) == missing
    assert refusal(await act(w, backup, {"restore": None}, "member-b")) == missing
    assert refusal(await post(w, "member-b")) == (400, f"No share exists with ID {w.share}.")
    await w.set_share(is_public=True)
    assert refusal(await post(w, "member-b")) == (403, "Policy doesn't allow share:get to be performed.")


async def test_update_and_reset(w: World) -> None:
    backup = await make(w, name="n", **OPTIONS)
    path = f"/v2/share-backups/{backup}"
    answer = await w.ask("member-a", "PUT", path, {"share_backup": {"name": None, "status": "x"}}, headers=EXPERIMENTAL)
    assert (answer.json["share_backup"]["name"], answer.json["share_backup"]["status"]) == (None, "available")
    answer = await w.ask("member-a", "PUT", path, {"share_backup": {"description": 5}}, headers=EXPERIMENTAL)
    assert answer.json["share_backup"]["description"] == 5, "this answer shows it as it was sent"
    assert (await show(w, backup))["description"] == "5"
    for body in ({}, {"share_backup": None}, {"share_backup": "x"}):
        answer = await w.ask("member-a", "PUT", path, body, headers=EXPERIMENTAL)
        assert refusal(answer) == (422, "Body does not contain 'share_backup' information.")
    assert (await act(w, backup, {"reset_status": {"status": "restoring"}}, "admin")).status == 400
    assert (await act(w, "nosuch", {"reset_status": {"status": "error"}}, "admin")).status == 404


async def test_lists_of_backups_need_three_statements(
    w: World, statements: Callable[[], AbstractContextManager[list[str]]]
) -> None:
    for _ in range(3):
        await make(w, **OPTIONS)
    with statements() as seen:
        path = f"/v2/share-backups/detail?share_id={w.share}&limit=2"
        answer = await w.ask("member-a", "GET", path, headers=EXPERIMENTAL)
    assert len(answer.json["share_backups"]) == 2
    assert "marker=" in answer.json["share_backup_links"][0]["href"]
    # the worker looks for tasks meanwhile
    assert len([one for one in seen if "openkeel_tasks" not in one]) <= 3


# ---- by the data service


async def test_life_of_a_data_backup(w: World) -> None:
    files = folder(w)
    (files / "sub").mkdir()
    (files / "sub" / "file").write_text("first")
    (files / "lost+found").mkdir()
    files.chmod(0o2751)
    answer = await post(w, name="generic")
    backup = answer.json["share_backup"]["id"]
    await settled(w)
    found = await show(w, backup)
    assert (found["status"], found["progress"], found["topic"], found["backup_type"]) == (
        "available", "100", "manila-data", None,
    )  # fmt: skip
    assert await state(w) == ("available", None)
    saved = folder(w, EXPORT) / backup
    assert [one.name for one in saved.iterdir()] == [backup]
    assert (stat.S_IMODE(saved.stat().st_mode), stat.S_IMODE((saved / backup).stat().st_mode)) == (0o700, 0o2751)
    assert sorted(str(one.relative_to(saved / backup)) for one in saved.glob("*/**/*")) == ["sub", "sub/file"]
    assert await w.rules() == []
    (files / "sub" / "file").write_text("second")
    (files / "later").touch()
    files.chmod(0o777)
    assert (await act(w, backup, {"restore": None})).status == 202
    await settled(w)
    assert (files / "sub" / "file").read_text() == "first"
    assert (files / "later").exists()
    assert stat.S_IMODE(files.stat().st_mode) == 0o2751
    assert ((await show(w, backup))["status"], (await show(w, backup))["restore_progress"]) == ("available", "100")
    assert await state(w) == ("available", None)
    assert (await delete(w, backup)).status == 202
    await settled(w)
    assert not saved.exists()
    assert await used(w) == {}
    mounts = pathlib.Path(w.runner.core.settings.default.mount_tmp_location)
    assert list(mounts.iterdir()) == []


async def test_a_data_backup_is_restored_to_another_share(w: World) -> None:
    (folder(w) / "file").write_text("kept")
    folder(w).chmod(0o750)
    backup = (await post(w)).json["share_backup"]["id"]
    await settled(w)
    target, instance = await make_share(w.db)
    await set_location(w, instance, "10.0.0.1:/target")
    assert (await act(w, backup, {"restore": target})).status == 202
    await settled(w)
    assert (folder(w, "10.0.0.1:/target") / "file").read_text() == "kept"
    assert stat.S_IMODE(folder(w, "10.0.0.1:/target").stat().st_mode) == 0o750
    assert await state(w, target) == ("available", None)


async def test_a_backup_of_an_earlier_release_is_restored(w: World) -> None:
    """Its files are in the folder itself, whose owner and mode are not the share's."""
    backup = (await post(w)).json["share_backup"]["id"]
    await settled(w)
    saved = folder(w, EXPORT) / backup
    (saved / backup).rmdir()
    (saved / "file").write_text("kept")
    folder(w).chmod(0o755)
    assert (await act(w, backup, {"restore": None})).status == 202
    await settled(w)
    assert (folder(w) / "file").read_text() == "kept"
    assert stat.S_IMODE(folder(w).stat().st_mode) == 0o755


async def test_the_owners_rule_stays(w: World) -> None:
    rule = await w.allow("10.9.9.9", access_level="rw")
    await settled(w)
    backup = (await post(w)).json["share_backup"]["id"]
    await settled(w)
    assert (await show(w, backup))["status"] == "available"
    assert [one["id"] for one in await w.rules()] == [rule]


@pytest.mark.parametrize("what", ["nobody says who the data service is", "no export", "a rule that is refused"])
async def test_a_data_backup_that_fails(w: World, what: str) -> None:
    settings = w.runner.core.settings
    if what == "a rule that is refused":
        w.faults.fail("update_access", count=1)
    else:
        change = {"data_node_access_ips": ()} if what.startswith("nobody") else {"backup_mount_export": None}
        default = dataclasses.replace(settings.default, **change)
        w.runner.core.settings = dataclasses.replace(settings, default=default)
    backup = (await post(w)).json["share_backup"]["id"]
    await settled(w)
    assert (await show(w, backup))["status"] == "creating"
    assert await state(w) == ("available", "data_copying_error")
    await turn(w, "data_backup_continue")
    assert (await show(w, backup))["status"] == "error"
    assert await w.rules() == [] or what == "a rule that is refused"


async def test_a_data_restore_that_fails(w: World) -> None:
    backup = (await post(w)).json["share_backup"]["id"]
    await settled(w)
    shutil.rmtree(folder(w, EXPORT) / backup)
    assert (await act(w, backup, {"restore": None})).status == 202
    await settled(w)
    assert await state(w) == ("backup_restoring_error", "data_copying_error")
    assert (await show(w, backup))["status"] == "available"
    assert (await delete(w, backup)).status == 202
    await settled(w)
    assert await used(w) == {}


async def test_work_that_nobody_does_any_more_is_ended(w: World) -> None:
    backup = (await post(w)).json["share_backup"]["id"]
    await settled(w)
    async with w.db.write() as conn:
        await conn.run("UPDATE share_backups SET status = 'restoring' WHERE id = %s", (backup,))
    await w.set_share(source_backup_id=backup)
    await w.set_instance(status="backup_restoring")
    await turn(w, "data_restore_continue")
    assert (await show(w, backup))["status"] == "available"
    assert (await state(w))[0] == "backup_restoring_error"
