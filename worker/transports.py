"""Where notifications go: the drivers of ``[oslo_messaging_notifications]`` that this project has.

``log`` writes a log record, ``webhook`` posts JSON to ``[openkeel] notification_url``, ``test`` leaves the event in the
outbox, ``noop`` is nothing at all. The original's drivers that need a message broker are not here (ADR 0008).
"""

from __future__ import annotations

import json
from typing import Any, Protocol

import httpx2
import structlog

from generated.runtime import Row
from generated.settings import Settings

LOG = structlog.get_logger("notifications")
BROKER = ("messaging", "messagingv2", "routing")


class NotDelivered(Exception):
    """The transport did not take the notification now; it is tried again."""


class Refused(Exception):
    """The receiver will never take this notification; it is given up."""


class Transport(Protocol):
    """Takes notifications one at a time, in their order."""

    name: str

    async def send(self, message: Row) -> None:
        """Hand a notification on. Raises NotDelivered, Refused."""

    async def close(self) -> None:
        """Let go of connections."""


class LogTransport:
    """One log record each, by the logger ``oslo.messaging.notification.EVENT-TYPE``, as JSON."""

    name = "log"

    async def send(self, message: Row) -> None:
        logger = structlog.get_logger(f"oslo.messaging.notification.{message['event_type']}")
        write = logger.error if message["priority"] == "ERROR" else logger.info
        write(json.dumps({key: value for key, value in message.items() if not key.startswith("_")}))

    async def close(self) -> None:
        return


class TestTransport:
    """Keeps notifications where they are; what reads the outbox itself needs no more."""

    name = "test"

    async def send(self, message: Row) -> None:
        return

    async def close(self) -> None:
        return


class WebhookTransport:
    """A POST of the notification as JSON; any 2xx answer takes it.

    Args:
        url: of the receiver.
        token: sent as a bearer token, if given.
        timeout: seconds for one request.
    """

    name = "webhook"

    def __init__(self, url: str, token: str | None, timeout: float) -> None:
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        self._url = url
        self._http = httpx2.AsyncClient(timeout=timeout, headers=headers, trust_env=False)

    async def send(self, message: Row) -> None:
        try:
            answer = await self._http.post(self._url, content=json.dumps(message).encode())
        except httpx2.HTTPError as error:
            raise NotDelivered(repr(error)) from error
        if answer.is_success:
            return
        # 408 and 429 ask for another attempt; any other 4xx would come again
        if 400 <= answer.status_code < 500 and answer.status_code not in (408, 429):
            raise Refused(f"the receiver answered {answer.status_code}")
        raise NotDelivered(f"the receiver answered {answer.status_code}")

    async def close(self) -> None:
        await self._http.aclose()


def build(settings: Settings) -> list[Transport]:
    """The configured transports; a driver that is not here is named in the log and left out.

    Raises:
        ValueError: ``webhook`` without ``notification_url``.
    """
    own = settings.openkeel
    found: list[Transport] = []
    for driver in dict.fromkeys(settings.oslo_messaging_notifications.driver):
        made = _one(driver, own)
        if made is not None:
            found.append(made)
    return found


def _one(driver: str, own: Any) -> Transport | None:
    if driver == "log":
        return LogTransport()
    if driver == "test":
        return TestTransport()
    if driver == "webhook":
        if not own.notification_url:
            raise ValueError("[oslo_messaging_notifications] driver webhook needs [openkeel] notification_url")
        return WebhookTransport(own.notification_url, own.notification_token, own.notification_timeout)
    if driver in BROKER:
        LOG.warning("notifications are not sent to a message broker; use the driver webhook", driver=driver)
    elif driver != "noop":
        LOG.warning("no such notification driver", driver=driver)
    return None
