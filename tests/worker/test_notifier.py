"""The sender: in order, at least once, one process at a time; a receiver that is away loses nothing."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from typing import Any

import pytest

from db import notifications
from db.connection import Database, Row
from generated.settings import OpenkeelSection, OsloMessagingNotificationsSection, Settings
from services.core import Core
from services.policy import Policy
from worker import transports
from worker.notifier import Notifier
from worker.transports import LogTransport, NotDelivered, Refused, WebhookTransport


class Receiver:
    """A transport that keeps what it is given, or answers with the next of ``errors``."""

    def __init__(self, name: str = "receiver", *errors: Exception) -> None:
        self.name, self.errors, self.got = name, list(errors), []  # type: ignore[var-annotated]

    async def send(self, message: Row) -> None:
        if self.errors:
            raise self.errors.pop(0)
        self.got.append(message["event_type"])

    async def close(self) -> None:
        return


def core_over(db: Database, retry: int = -1) -> Core:
    section = OsloMessagingNotificationsSection(driver=("test",), retry=retry)
    settings = Settings(oslo_messaging_notifications=section)
    return Core(db, settings, Policy(settings))


async def add(db: Database, *events: str) -> None:
    async with db.write() as conn:
        for event in events:
            envelope = notifications.Envelope(event, "share.h", context={"request_id": "req-1"})
            await notifications.add(conn, envelope, {"a": 1})


async def waiting(db: Database) -> list[str]:
    async with db.read() as conn:
        return [row["event_type"] for row in await notifications.waiting(conn, 100)]


async def test_events_go_out_in_order_and_once(db: Database) -> None:
    await add(db, "a", "b", "c")
    receiver = Receiver()
    notifier = Notifier(core_over(db), [receiver], "me")
    assert await notifier.send_batch() is False
    await notifier.send_batch()
    assert receiver.got == ["a", "b", "c"]
    assert await waiting(db) == []


async def test_nothing_overtakes_an_event_that_waits(db: Database) -> None:
    await add(db, "a", "b")
    first, second = Receiver("first"), Receiver("second", NotDelivered("away"))
    notifier = Notifier(core_over(db), [first, second], "me")
    with pytest.raises(NotDelivered):
        await notifier.send_batch()
    assert await waiting(db) == ["a", "b"]
    await notifier.send_batch()
    assert (first.got, second.got) == (["a", "b"], ["a", "b"])  # the first is not given "a" again


@pytest.mark.parametrize("error", [Refused("400"), NotDelivered("away")], ids=["refused", "retries used up"])
async def test_what_can_not_be_delivered_is_given_up(db: Database, error: Exception) -> None:
    await add(db, "a", "b")
    receiver = Receiver("r", error)
    await Notifier(core_over(db, retry=0), [receiver], "me").send_batch()
    assert receiver.got == ["b"]
    assert await waiting(db) == []


async def test_one_process_sends_at_a_time_and_another_takes_over(db: Database) -> None:
    mine, theirs = Receiver(), Receiver()
    await Notifier(core_over(db), [mine], "me").send_batch()
    await add(db, "a")
    other = Notifier(core_over(db), [theirs], "other")
    await other.send_batch()
    assert theirs.got == []
    async with db.write() as conn:
        await conn.run("UPDATE openkeel_leases SET lease_until = clock_timestamp() - interval '1 second'")
    await other.send_batch()
    assert theirs.got == ["a"]


async def test_run_stops_and_goes_on_after_a_failure(db: Database) -> None:
    await add(db, "a")
    receiver = Receiver("r", NotDelivered("away"))
    stop = asyncio.Event()
    running = asyncio.create_task(Notifier(core_over(db), [receiver], "me", poll=0.01).run(stop))
    async with asyncio.timeout(5):
        while not receiver.got:
            await asyncio.sleep(0.01)
    stop.set()
    await running


async def test_old_events_are_removed_and_unsent_ones_counted(db: Database) -> None:
    await add(db, "a", "b")
    async with db.write() as conn:
        row = (await notifications.waiting(conn, 1))[0]
        await notifications.done(conn, row["id"])
        await conn.run("UPDATE openkeel_notifications SET created_at = created_at - interval '1 day'")
        assert await notifications.purge(conn, 3600) == (2, 1)


@pytest.fixture
async def web() -> AsyncIterator[tuple[str, list[tuple[dict[str, str], Any]], list[int]]]:
    """URL of a receiver, what it was sent, and the statuses it answers next (then 200)."""
    got: list[tuple[dict[str, str], Any]] = []
    statuses: list[int] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().splitlines()[1:-1]
        headers = {key.lower(): value.strip() for key, _, value in (line.partition(":") for line in head)}
        got.append((headers, json.loads(await reader.readexactly(int(headers["content-length"])))))
        writer.write(b"HTTP/1.1 %d X\r\nContent-Length: 0\r\nConnection: close\r\n\r\n" % (statuses or [200]).pop(0))
        statuses[:] = statuses[1:]
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/events", got, statuses


async def test_the_webhook_gets_the_envelope(db: Database, web: Any) -> None:
    url, got, _ = web
    await add(db, "share.create.start")
    webhook = WebhookTransport(url, "secret", 5.0)
    await Notifier(core_over(db), [webhook], "me").send_batch()
    await webhook.close()
    [(headers, body)] = got
    assert headers["authorization"] == "Bearer secret"
    assert {key: body[key] for key in ("event_type", "publisher_id", "priority", "payload")} == {
        "event_type": "share.create.start", "publisher_id": "share.h", "priority": "INFO", "payload": {"a": 1},
    }  # fmt: skip
    assert body["_context_request_id"] == "req-1"
    assert len(body["message_id"]) == 36
    assert len(body["timestamp"]) == 26


@pytest.mark.parametrize(("status", "error"), [(400, Refused), (429, NotDelivered), (503, NotDelivered)])
async def test_the_webhooks_answers(web: Any, status: int, error: type[Exception]) -> None:
    url, _, statuses = web
    statuses.append(status)
    webhook = WebhookTransport(url, None, 5.0)
    with pytest.raises(error):
        await webhook.send({"event_type": "e"})
    await webhook.close()


async def test_a_receiver_that_is_not_there_is_tried_again() -> None:
    webhook = WebhookTransport("http://127.0.0.1:9/", None, 1.0)
    with pytest.raises(NotDelivered):
        await webhook.send({})
    await webhook.close()


async def test_the_log_has_the_originals_logger(caplog: pytest.LogCaptureFixture) -> None:
    from cli import log

    before = logging.getLogger().handlers[:]
    log.set_up(OpenkeelSection())
    logging.getLogger().handlers.append(caplog.handler)
    try:
        await LogTransport().send(
            {"event_type": "share.create.end", "priority": "INFO", "payload": {}, "_context_x": 1}
        )
    finally:
        logging.getLogger().handlers[:] = before
    [record] = caplog.records
    assert record.name == "oslo.messaging.notification.share.create.end"


def test_drivers_are_those_that_are_there() -> None:
    def names(*drivers: str, **own: Any) -> list[str]:
        settings = Settings(
            oslo_messaging_notifications=OsloMessagingNotificationsSection(driver=drivers),
            openkeel=OpenkeelSection(**own),
        )
        return [one.name for one in transports.build(settings)]

    assert names("log", "noop", "test", "messagingv2", "log", "nonsense") == ["log", "test"]
    assert names("webhook", notification_url="http://127.0.0.1/") == ["webhook"]
    with pytest.raises(ValueError, match="notification_url"):
        names("webhook")
