"""Log records: both formats, the request's id, and no secrets at any level."""

from __future__ import annotations

import json
import logging
import pathlib
import re
from collections.abc import Iterator

import pytest
import structlog

from cli import lines, log, plain_log
from drivers.ganesha.gateway.log import Log
from generated.settings import DefaultSection, OpenkeelSection


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    """Logging as it was before the test."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    for one in root.handlers:
        if one not in handlers:
            one.close()
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()
    structlog.contextvars.clear_contextvars()


def written(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().err


@pytest.mark.parametrize(("debug", "lines"), [(True, 2), (False, 1)])
def test_records_go_to_the_file_that_is_named(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str], debug: bool, lines: int
) -> None:
    log.set_up(OpenkeelSection(), DefaultSection(debug=debug, log_dir=str(tmp_path), log_file="own.log"))
    structlog.get_logger("manila.api").debug("asked")
    structlog.get_logger("manila.api").error("broken")
    assert len((tmp_path / "own.log").read_text().splitlines()) == lines
    assert written(capsys) == ""


def test_a_file_in_a_folder_is_named_after_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["/usr/bin/manila-share"])
    assert log.place(DefaultSection()) is None
    assert log.place(DefaultSection(log_dir="/var/log/manila")) == pathlib.Path("/var/log/manila/manila-share.log")
    assert log.place(DefaultSection(log_dir="/a", log_file="/b/c.log")) == pathlib.Path("/b/c.log")


def test_a_line_has_the_originals_shape(capsys: pytest.CaptureFixture[str]) -> None:
    log.set_up(OpenkeelSection(log_level="DEBUG"))
    structlog.contextvars.bind_contextvars(request_id="req-1")
    structlog.get_logger("manila.api").info("answered", status=200)
    line = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} \d+ INFO manila\.api \[req-1\] answered status=200\n"
    assert re.fullmatch(line, written(capsys))


def test_json_has_the_same_facts(capsys: pytest.CaptureFixture[str]) -> None:
    log.set_up(OpenkeelSection(log_format="json"))
    structlog.contextvars.bind_contextvars(request_id="req-1")
    logging.getLogger("library").warning("odd %s", "thing")
    found = json.loads(written(capsys))
    assert (found["event"], found["level"], found["logger"], found["request_id"]) == (
        "odd thing", "warning", "library", "req-1",
    )  # fmt: skip


def test_an_exception_is_logged_with_its_trace(capsys: pytest.CaptureFixture[str]) -> None:
    log.set_up(OpenkeelSection())
    try:
        raise ValueError("password=hunter2")
    except ValueError as error:
        structlog.get_logger("x").error("failed", exc_info=error)
    text = written(capsys)
    assert "Traceback" in text
    assert "hunter2" not in text


def test_the_level_counts(capsys: pytest.CaptureFixture[str]) -> None:
    log.set_up(OpenkeelSection(log_level="WARNING"))
    structlog.get_logger("x").info("quiet")
    assert written(capsys) == ""


SECRETS = [
    "X-Auth-Token: S3CRET",
    "{'X-Auth-Token': 'S3CRET', 'Accept': 'x'}",
    '{"auth": {"identity": {"methods": ["password"], "password": {"user": {"name": "n", "password": "S3CRET"}}}}}',
    '{"auth": {"identity": {"methods": ["token"], "token": {"id": "S3CRET"}}}}',
    "postgresql://manila:S3CRET@db:5432/manila",
    "admin_password=S3CRET user=x",
    'auth_key: "S3CRET"',
    "x-subject-token = S3CRET",
    "curl -H 'X-Service-Token: S3CRET'",
]


@pytest.mark.parametrize("text", SECRETS)
@pytest.mark.parametrize("shape", ["line", "json"])
def test_secrets_are_hidden(capsys: pytest.CaptureFixture[str], text: str, shape: str) -> None:
    log.set_up(OpenkeelSection(log_level="DEBUG", log_format=shape))
    structlog.get_logger("ours").debug("said", header=text, facts={"in": text}, token="S3CRET")
    logging.getLogger("theirs").debug("said %s", text)
    found = written(capsys)
    assert found.count("said") == 2
    assert "S3CRET" not in found


def test_what_is_no_secret_stays(capsys: pytest.CaptureFixture[str]) -> None:
    harmless = "share_id=1 tokens seen: 3, http://host:80/v2"
    assert lines.redact(harmless) == harmless


@pytest.mark.parametrize("form", ["line", "json"])
def test_a_small_programs_records_are_those_of_the_others(capsys: pytest.CaptureFixture[str], form: str) -> None:
    """What a gateway's agent writes by the standard library alone, and the others by structlog."""
    found = []
    for small in (False, True):
        if small:
            plain_log.set_up(form, "INFO")
        else:
            log.set_up(OpenkeelSection(log_format=form, log_level="INFO"))
        logger = Log("gateway") if small else structlog.get_logger("gateway")
        logger.info("Ganesha may start", missing=["a"], waited=0.1, token="S3CRET")
        logger.error("an order is not followed", error="password=S3CRET")
        logging.getLogger("asyncio").warning("%s is slow", "it")
        logging.getLogger("asyncio").debug("not shown")
        text = written(capsys)
        assert "S3CRET" not in text
        records = text.splitlines()
        if form == "json":
            found.append([str({**json.loads(one), "timestamp": ""}) for one in records])
        else:
            found.append([re.sub(r"^\S+ \S+ ", "", one) for one in records])
    assert found[0] == found[1]
    assert len(found[1]) == 3
