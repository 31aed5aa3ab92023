"""``manila-manage``: the output that deployment tools read."""

from __future__ import annotations

import json
import pathlib
import sys

import pytest
import yaml

from cli import manage
from cli.commands import logs
from db import heartbeats, quotas, tasks
from db.connection import Database
from db.write import insert

BASELINE = "afc3b5e1f406"


@pytest.fixture
def run(tmp_path: pathlib.Path, database_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    """Runs a command; returns its exit status, output and complaints."""
    file = tmp_path / "manila.conf"
    file.write_text(f"[DEFAULT]\nhost = h\n[database]\nconnection = {database_url}\n")

    def call(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["manila-manage", "--config-file", str(file), *arguments])
        status = manage.main()
        said = capsys.readouterr()
        return status, said.out, said.err

    return call


@pytest.fixture
async def service(db: Database) -> int:
    async with db.write() as conn:
        return await heartbeats.register(conn, "manila-share", "manila-share", "node1.example@alpha", "nova")


def in_thread(run, *arguments: str) -> tuple[int, str, str]:  # type: ignore[no-untyped-def]
    """The command starts a loop of its own, so it needs a thread of its own here."""
    import concurrent.futures

    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        found: tuple[int, str, str] = pool.submit(run, *arguments).result()
    return found


async def test_db_sync_and_version(run, service: int) -> None:  # type: ignore[no-untyped-def]
    assert in_thread(run, "db", "sync") == (0, "", "")
    assert in_thread(run, "db", "version") == (0, f"{BASELINE}\n", "")


async def test_service_list(run, service: int) -> None:  # type: ignore[no-untyped-def]
    status, out, _ = in_thread(run, "service", "list")
    head, line = out.splitlines()
    assert status == 0
    assert head == "Binary           Host                                 Zone             Status     State Updated at"
    assert line.split()[:5] == ["manila-share", "node1", "nova", "enabled", "XXX"]
    assert line.startswith("manila-share     node1                                nova             enabled    XXX   ")
    found = json.loads(in_thread(run, "service", "list", "--format_output", "json")[1])
    assert found["services"][0]["binary"] == "manila-share"
    assert yaml.safe_load(in_thread(run, "service", "list", "--format_output", "yaml")[1]) == found


async def test_a_live_service_smiles(run, db: Database, service: int) -> None:  # type: ignore[no-untyped-def]
    async with db.write() as conn:
        await heartbeats.beat(conn, service)
    assert ":-)" in in_thread(run, "service", "list")[1]
    assert in_thread(run, "service", "cleanup") == (0, "", "")


async def test_cleanup_removes_dead_services(run, service: int) -> None:  # type: ignore[no-untyped-def]
    assert in_thread(run, "service", "cleanup")[1] == "Cleaned up service node1.example@alpha\n"
    assert len(in_thread(run, "service", "list")[1].splitlines()) == 1


async def test_a_service_that_was_replaced_goes_and_the_others_stay(run, service: int, db: Database) -> None:  # type: ignore[no-untyped-def]
    """Of two hosts the one that stopped says so, and is cleaned up; the other one serves on."""
    async with db.write() as conn:
        other = await heartbeats.register(conn, "manila-share", "manila-share", "node2.example@alpha", "nova")
        for one in (service, other):
            await heartbeats.beat(conn, one)
        await heartbeats.stopped(conn, service)
    lines = in_thread(run, "service", "list")[1].splitlines()[1:]
    assert {line.split()[1]: line.split()[4] for line in lines} == {"node1": "XXX", "node2": ":-)"}
    assert in_thread(run, "service", "cleanup")[1] == "Cleaned up service node1.example@alpha\n"
    async with db.read() as conn:
        left = await conn.all("SELECT host, state FROM services WHERE deleted = 0")
    assert left == [{"host": "node2.example@alpha", "state": "up"}]


async def test_host_list(run, service: int) -> None:  # type: ignore[no-untyped-def]
    out = in_thread(run, "host", "list")[1].splitlines()
    assert out == ["host                     \tzone           ", "node1.example@alpha      \tnova           "]
    assert len(in_thread(run, "host", "list", "other")[1].splitlines()) == 1


def test_config_list_hides_secrets(run) -> None:  # type: ignore[no-untyped-def]
    status, out, _ = run("config", "list")
    assert status == 0
    assert "host = h\n" in out
    assert "osapi_max_limit = 1000\n" in out


def test_errors_of_log_files_are_listed(run, tmp_path: pathlib.Path) -> None:  # type: ignore[no-untyped-def]
    assert run("logs", "errors") == (0, "No errors in logfiles!\n", "")
    file = tmp_path / "manila.conf"
    file.write_text(file.read_text().replace("[DEFAULT]\n", f"[DEFAULT]\ndebug = true\nlog_dir = {tmp_path}\n"))
    assert run("logs", "errors") == (0, "No errors in logfiles!\n", "")
    (tmp_path / "a.log").write_text("t 1 ERROR manila [-] first\nt 1 INFO manila [-] fine\nt 1 ERROR manila [-] last\n")
    (tmp_path / "b.log").write_text("t 1 INFO manila [-] no ERRORS\n")
    out = f"{tmp_path}/a.log:-\nLine 3 : t 1 ERROR manila [-] last\nLine 1 : t 1 ERROR manila [-] first\n"
    assert run("logs", "errors") == (0, out, "")


def test_the_machines_log_is_searched(run, tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "messages"
    monkeypatch.setattr(logs, "SYSTEM", (tmp_path / "syslog", file))
    assert run("logs", "syslog") == (1, "", "manila-manage: Unable to find system log file!\n")
    file.write_text("kernel: up\n")
    assert run("logs", "syslog")[1] == "Last 10 manila syslog entries:-\nNo manila entries in syslog!\n"
    file.write_text("manila-api: one\nkernel: up\nmanila-api: two\nmanila-api: three\n")
    assert run("logs", "syslog", "2")[1] == "Last 2 manila syslog entries:-\nmanila-api: three\nmanila-api: two\n"


def test_what_is_wrong_is_said_in_a_line(run, tmp_path: pathlib.Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "policy.yaml").write_text('"share:create": "nonsense"\n')
    status, _, err = run("policy", "check")
    assert status == 1
    assert "policy.yaml:1: rule share:create can't be understood" in err
    assert err.endswith(": nonsense\n") and err.count("\n") == 1
    (tmp_path / "policy.yaml").write_text('"share:create": "@"\n')
    assert run("policy", "check") == (0, "", "")


async def test_without_arguments_the_categories_are_listed(monkeypatch, capsys) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(sys, "argv", ["manila-manage"])
    assert manage.main() == 2
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == ""
    assert lines[1].startswith("OpenStack manila version: ")
    assert lines[3:5] == ["manila-manage category action [<args>]", "Available categories:"]
    assert {"\tconfig", "\tdb", "\thost", "\tservice", "\tshare", "\tshare_server", "\tversion"} <= set(lines)


@pytest.mark.parametrize(
    "words", [("nonsense",), ("db", "nonsense"), ("db", "purge", "x"), ("share", "update_host", "--currenthost", "a")]
)
def test_what_is_not_understood_has_status_2(run, words: tuple[str, ...], capsys) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(SystemExit) as ended:
        run(*words)
    assert ended.value.code == 2
    assert capsys.readouterr().err.splitlines()[-1].startswith("manila-manage")


async def test_stamp_and_sync_know_one_revision(run, service: int) -> None:  # type: ignore[no-untyped-def]
    for action in ("stamp", "sync"):
        for revision in ((), ("head",), (BASELINE,)):
            assert in_thread(run, "db", action, *revision) == (0, "", "")
        said = "manila-manage: Can't locate revision identified by 'nonsense'\n"
        assert in_thread(run, "db", action, "nonsense") == (1, "", said)
    assert in_thread(run, "db", "version")[1] == f"{BASELINE}\n"
    assert in_thread(run, "db", "downgrade")[0] == 1


async def test_purge_takes_an_age(run, service: int) -> None:  # type: ignore[no-untyped-def]
    assert in_thread(run, "db", "purge", "-1") == (1, "Must supply a non-negative value for age.\n", "")
    assert in_thread(run, "db", "purge") == (0, "", "")
    assert in_thread(run, "db", "purge", "5") == (0, "", "")


@pytest.fixture
async def share(db: Database) -> str:
    """A share with an instance on ``node1@alpha#pool``, one on ``node10@alpha#pool``, and quota in use."""
    async with db.write() as conn:
        for share, host in (("s1", "node1@alpha#pool"), ("s10", "node10@alpha#pool")):
            values = {"id": share, "project_id": "p", "user_id": "u", "size": 2, "is_soft_deleted": False}
            await insert(conn, "shares", {**values, "snapshot_inherit_share_access_support": False})
            await insert(
                conn,
                "share_instances",
                {
                    "id": f"i-{share}",
                    "share_id": share,
                    "host": host,
                    "status": "error",
                    "cast_rules_to_readonly": False,
                },
            )
        await quotas.reserve(conn, "p", "u", {"shares": 2, "gigabytes": 4}, None)
        await insert(conn, "share_servers", {"id": "v1", "host": "node1@alpha", "status": "active"})
    return "s1"


async def host_of(db: Database, table: str, ident: str) -> str:
    async with db.read() as conn:
        row = await conn.one(f"SELECT host FROM {table} WHERE id = %s", (ident,))
    assert row is not None
    return str(row["host"])


async def test_update_host(run, db: Database, share: str) -> None:  # type: ignore[no-untyped-def]
    async with db.write() as conn:
        await tasks.enqueue(conn, "share_delete", "node1@alpha", {})
    call = ("share", "update_host", "--currenthost")
    said = "a@b#c specifies a pool but x@y does not.\n"
    assert in_thread(run, *call, "a@b#c", "--newhost", "x@y") == (1, said, "")
    said = "a@b specifies a backend but x does not.\n"
    assert in_thread(run, *call, "a@b", "--newhost", "x") == (1, said, "")
    said = "Updated host of 0 share instances, 0 share groups and 0 share servers on a@b to x.\n"
    assert in_thread(run, *call, "a@b", "--newhost", "x", "--force", "yes") == (0, said, "")
    said = "Updated host of 1 share instances, 0 share groups and 1 share servers on node1 to node2.\n"
    assert in_thread(run, *call, "node1", "--newhost", "node2") == (0, said, "")
    assert await host_of(db, "share_instances", "i-s1") == "node2@alpha#pool"
    assert await host_of(db, "share_instances", "i-s10") == "node10@alpha#pool"  # another host
    assert await host_of(db, "share_servers", "v1") == "node2@alpha"
    said = "Updated host of 1 share instances, 0 share groups and 1 share servers on node2@alpha to node2@beta.\n"
    assert in_thread(run, *call, "node2@alpha", "--newhost", "node2@beta") == (0, said, "")
    async with db.read() as conn:
        assert [row["queue"] for row in await tasks.since(conn, 0)] == ["node2@beta"]


async def test_share_delete_gives_the_quota_back(run, db: Database, share: str) -> None:  # type: ignore[no-untyped-def]
    assert in_thread(run, "share", "delete", "--share_id", share) == (0, "Deleted share s1\n", "")
    assert in_thread(run, "share", "delete", "--share_id", share) == (
        1, "", "manila-manage: Resource could not be found.\n",
    )  # fmt: skip
    async with db.read() as conn:
        usage = await conn.all(
            "SELECT resource, in_use FROM quota_usages WHERE share_type_id IS NULL ORDER BY resource"
        )
    assert [(row["resource"], row["in_use"]) for row in usage] == [("gigabytes", 2), ("shares", 1)]


async def test_share_server_capabilities(run, db: Database, share: str) -> None:  # type: ignore[no-untyped-def]
    call = ("share_server", "update_share_server_capabilities", "--share_servers", "v1, v2", "--capabilities")
    status, out, _ = in_thread(run, *call, "bad")
    assert (status, out) == (
        1,
        "One or more capabilities are invalid for this operation. The supported capability(ies) is(are) "
        "['security_service_update_support', 'network_allocation_update_support'].\n",
    )
    status, out, _ = in_thread(run, *call, "security_service_update_support", "--value", "True")
    assert (status, out) == (
        0,
        "The capability(ies) ['security_service_update_support'] of the following share server(s) ['v1', 'v2'] "
        "was(were) updated to True.\n",
    )
    async with db.read() as conn:
        row = await conn.one("SELECT security_service_update_support AS yes FROM share_servers WHERE id = 'v1'")
    assert row == {"yes": True}


async def test_tasks_are_listed_and_run_at_once(run, db: Database) -> None:  # type: ignore[no-untyped-def]
    async with db.write() as conn:
        late = await tasks.enqueue(conn, "share_delete", "node1@alpha", {"instance_id": "i1"}, "share:s1", 3600)
        await tasks.enqueue(conn, "share_create", "node1@alpha", {"instance_id": "i2"}, "share:s2")
    status, out, _ = in_thread(run, "task", "list", "--json")
    assert (status, [one["kind"] for one in json.loads(out)["tasks"]]) == (0, ["share_delete", "share_create"])
    status, out, _ = in_thread(run, "task", "list", "--about", "i1")
    assert out.splitlines()[1].split()[:4] == [str(late), "share_delete", "node1@alpha", "queued"]
    assert in_thread(run, "task", "retry", str(late)) == (0, "", "")
    async with db.write() as conn:
        claimed = await tasks.claim(conn, "me", ["node1@alpha"], 5, 30.0)
        assert {one["id"] for one in claimed} >= {late}
        for one in claimed:
            await tasks.finish(conn, one, "me", "it broke" if one["id"] == late else None)
    status, out, _ = in_thread(run, "task", "list", "--failed")
    assert out.splitlines()[1].endswith("share:s1 it broke")
    status, _, complaint = in_thread(run, "task", "retry", str(late))
    assert (status, complaint.startswith("manila-manage: task")) == (1, True)
