"""Stories about share backups, by the back end and by the data service."""

from __future__ import annotations

import pathlib
from typing import Any

from services.core import Core
from tests.faults.stage import Stage, until
from tests.faults.stories import Facts, Story, a_share, show
from worker import backends, periodic
from worker.data.mounts import Folders
from worker.tasks import backups

EXPERIMENTAL = {"X-OpenStack-Manila-API-Experimental": "true"}


async def quiet(stage: Stage) -> None:
    """Wait until nothing is due, now or later: the data service looks again and again whether it is let in."""

    async def nothing() -> bool:
        return not await stage.rows("SELECT 1 FROM openkeel_tasks WHERE state IN ('queued', 'running')")

    await until(nothing, "no task waits")


async def ask(stage: Stage, method: str, path: str, body: Any = None) -> Any:
    answer = await stage.member(method, f"/v2/share-backups{path}", body, version="2.99", headers=EXPERIMENTAL)
    assert answer.status in (200, 202), answer.content
    return answer.json if answer.content else None


async def a_share_with_a_file(stage: Stage, facts: Facts) -> None:
    """The file is where the data service finds it: in the folder that stands for the export."""
    await a_share(stage, facts)
    (row,) = await stage.rows(
        "SELECT path FROM share_instance_export_locations WHERE deleted = 0 AND is_admin_only ORDER BY id LIMIT 1"
    )
    facts["files"] = folder(stage, row["path"])
    (facts["files"] / "file").write_text("contents")


def folder(stage: Stage, export: str) -> pathlib.Path:
    made = Folders(pathlib.Path(str(stage.core.settings.openkeel.data_folders))).folder(export)
    made.mkdir(parents=True, exist_ok=True)
    return made


def saved(stage: Stage, facts: Facts) -> pathlib.Path:
    """Where the backup's files are."""
    return folder(stage, "10.0.0.9:/backups") / str(facts["backup"])


async def look(core: Core) -> None:
    """What the periodic tasks do: ask the back end how far it is."""
    for backend in backends.build(core.settings):
        await backups.backup_continue(periodic.Now(core, backend))
        await backups.restore_continue(periodic.Now(core, backend))


async def ask_backup(stage: Stage, facts: Facts) -> None:
    body = {"share_id": facts["share"], **facts.get("options", {})}
    facts["backup"] = (await ask(stage, "POST", "", {"share_backup": body}))["share_backup"]["id"]


async def ask_driver_backup(stage: Stage, facts: Facts) -> None:
    facts["options"] = {"backup_options": {"backup_type": "dummy"}}
    await ask_backup(stage, facts)


async def a_driver_backup(stage: Stage, facts: Facts) -> None:
    await a_share(stage, facts)
    await ask_driver_backup(stage, facts)
    await stage.settled()
    await look(stage.core)


async def a_data_backup(stage: Stage, facts: Facts) -> None:
    await a_share_with_a_file(stage, facts)
    await ask_backup(stage, facts)
    await quiet(stage)
    (facts["files"] / "file").write_text("changed")


async def ask_restore(stage: Stage, facts: Facts) -> None:
    await ask(stage, "POST", f"/{facts['backup']}/action", {"restore": None})


async def ask_delete(stage: Stage, facts: Facts) -> None:
    await ask(stage, "DELETE", f"/{facts['backup']}")


async def check_backup(stage: Stage, facts: Facts) -> None:
    await quiet(stage)
    await look(stage.core)
    backup = (await ask(stage, "GET", f"/{facts['backup']}"))["share_backup"]
    assert (backup["status"], backup["progress"]) == ("available", "100")
    assert (await show(stage, facts))["status"] == "available"
    usage = await stage.usage()
    assert (usage["backups"], usage["backup_gigabytes"]) == (1, 1)


async def check_saved(stage: Stage, facts: Facts) -> None:
    await check_backup(stage, facts)
    assert (saved(stage, facts) / facts["backup"] / "file").read_text() == "contents"
    await check_nothing_left(stage)


async def check_restored(stage: Stage, facts: Facts) -> None:
    await check_backup(stage, facts)
    backup = (await ask(stage, "GET", f"/{facts['backup']}"))["share_backup"]
    assert backup["restore_progress"] == "100"
    if "files" in facts:
        assert (facts["files"] / "file").read_text() == "contents"
        await check_nothing_left(stage)


async def check_nothing_left(stage: Stage) -> None:
    """Neither mounts nor rules."""
    assert list(pathlib.Path(stage.core.settings.default.mount_tmp_location).iterdir()) == []
    assert await stage.rows("SELECT 1 FROM share_instance_access_map WHERE deleted = 'False'") == []


async def check_gone(stage: Stage, facts: Facts) -> None:
    await quiet(stage)
    assert await stage.rows("SELECT 1 FROM share_backups WHERE deleted = 'False'") == []
    usage = await stage.usage()
    assert "backups" not in usage
    assert "backup_gigabytes" not in usage
    if "files" in facts:
        assert not saved(stage, facts).exists()
        await check_nothing_left(stage)


STORIES = {
    "backup_create": Story(ask_driver_backup, check_backup, a_share),
    "backup_restore": Story(ask_restore, check_restored, a_driver_backup),
    "backup_delete": Story(ask_delete, check_gone, a_driver_backup),
    "data_backup_create": Story(ask_backup, check_saved, a_share_with_a_file),
    "data_backup_restore": Story(ask_restore, check_restored, a_data_backup),
    "data_backup_delete": Story(ask_delete, check_gone, a_data_backup),
}
