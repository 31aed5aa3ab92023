"""No text that reaches a record starts a line of its own or acts on a terminal, whichever field it is in."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Iterator

import pytest
import structlog
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cli import log, plain_log
from cli.log_text import escape
from generated.settings import OpenkeelSection

FORGED = "x\n2026-11-30 23:00:00.000 1 CRITICAL keystone [-] forged \x1b[2J\x9b31m\u2028\u202e\ud800\x00\r\x85"
TEXTS = st.text(st.characters(codec=None, exclude_categories=())) | st.just(FORGED)
HEAD = re.compile(r"(?m)^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} \d+ [A-Z]+ \S+ \[\S+\] ")
MANY = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    """Logging as it was before the test."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()
    structlog.contextvars.clear_contextvars()


def raised(text: str) -> BaseException:
    """An exception with a cause, a context, a note and a group, each of which holds ``text``."""
    try:
        try:
            try:
                raise KeyError(text)
            except KeyError as first:
                raise ValueError(text, text) from first
        except ValueError:
            raise ExceptionGroup(text, [RuntimeError(text), OSError(5, text, text)]) from None
    except ExceptionGroup as error:
        error.add_note(text)
        return error


def ours(text: str) -> None:
    structlog.get_logger("ours").warning(text, path=text, value={text: [text]}, error=repr(ValueError(text)))


def theirs(text: str) -> None:
    logging.getLogger("library").warning("refused %s %r", text, text)


def named(text: str) -> None:
    logging.getLogger(f"a.{text}").warning("x")


def bound(text: str) -> None:
    with structlog.contextvars.bound_contextvars(request_id=text, tenant=text):
        structlog.get_logger("ours").warning("x")


def keyed(text: str) -> None:
    structlog.get_logger("ours").warning("x", **{f"k{text}": 1})


def full(form: str) -> None:
    log.set_up(OpenkeelSection(log_level="DEBUG", log_format=form))


def small(form: str) -> None:
    plain_log.set_up(form, "DEBUG")


def parted(text: str) -> None:
    logging.getLogger("agent").warning("x", extra={"parts": {"path": text, f"k{text}": [text]}})


WAYS = [(full, way) for way in (ours, theirs, named, bound, keyed)] + [(small, way) for way in (theirs, named, parted)]
"""How a program sets its logs up, and how a text gets into a record of it."""
Ways = tuple[Callable[[str], None], Callable[[str], None]]


@MANY
@given(text=TEXTS)
@pytest.mark.parametrize("ways", WAYS)
@pytest.mark.parametrize("form", ["line", "json"])
def test_a_record_is_one_line(capsys: pytest.CaptureFixture[str], ways: Ways, form: str, text: str) -> None:
    set_up, way = ways
    set_up(form)
    way(text)
    written = capsys.readouterr().err
    assert written.endswith("\n") and written[:-1].isprintable(), repr(written)
    for key, value in json.loads(written).items() if form == "json" else ():
        assert key.isprintable() and str(value).isprintable()


@MANY
@given(text=TEXTS)
@pytest.mark.parametrize("set_up", [full, small])
@pytest.mark.parametrize("form", ["line", "json"])
def test_a_traceback_has_as_many_lines_whatever_its_messages_hold(
    capsys: pytest.CaptureFixture[str], set_up: Callable[[str], None], form: str, text: str
) -> None:
    set_up(form)
    counts = set()
    for one in ("plain", text):
        logging.getLogger("library").error("failed", exc_info=raised(one))
        written = capsys.readouterr().err
        assert written.replace("\n", "").isprintable(), repr(written)
        trace = json.loads(written)["exception"] if form == "json" else written
        assert trace.replace("\n", "").isprintable()
        counts.add((written.count("\n"), trace.count("\n"), len(HEAD.findall(written))))
    assert len(counts) == 1 and max(counts)[1] >= 8


def test_a_traceback_shows_cause_group_and_note(capsys: pytest.CaptureFixture[str]) -> None:
    log.set_up(OpenkeelSection())
    try:
        raise ValueError("outer") from raised("inner")
    except ValueError as error:
        structlog.get_logger("ours").error("failed", exc_info=error)
    written = capsys.readouterr().err
    for part in (
        "ValueError: outer",
        "direct cause",
        "ExceptionGroup: inner (2 sub-exceptions)",
        "RuntimeError: inner",
    ):
        assert part in written
    assert "test_log_text.py" in written


def test_what_can_be_read_stays() -> None:
    assert escape("Größe 共有 \\d+ 'x' é") == "Größe 共有 \\d+ 'x' é"
    assert escape("a\nb\x1b[0m\x7f\ud800\U000e0001") == "a\\nb\\x1b[0m\\x7f\\ud800\\U000e0001"
