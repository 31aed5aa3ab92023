"""User messages are written with their expiry, and go when it has passed."""

from __future__ import annotations

from db.connection import Database
from generated.errors import NoValidHost
from generated.messages import Action, Detail, Resource
from services import messages


async def test_a_message_lives_until_it_expires(db: Database) -> None:
    async with db.write() as conn:
        await messages.create_message(
            conn, Action.CREATE, "p", resource_id="s", detail=Detail.FILTER_CAPACITY, request_id="req-1", ttl=60
        )
        await messages.create_message(conn, Action.CREATE, None, resource_id="nobody")
        row = await conn.one("SELECT *, expires_at - created_at AS life FROM messages")
        assert row is not None
        assert (row["resource_type"], row["action_id"], row["detail_id"]) == (Resource.SHARE, "002", "009")
        assert (row["message_level"], row["request_id"], row["life"].seconds) == ("ERROR", "req-1", 60)
        assert await messages.delete_expired(conn) == 0
        assert await messages.delete_expired(conn, ahead=61) == 1


def test_details_of_errors() -> None:
    assert messages.detail_of(NoValidHost(reason="r")) is Detail.NO_VALID_HOST
    assert messages.detail_of(ValueError()) is Detail.UNKNOWN_ERROR
