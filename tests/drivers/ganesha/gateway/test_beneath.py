"""Folders that a stranger writes to: whatever is in them, nothing else is touched, and nobody waits."""

from __future__ import annotations

import json
import os
import pathlib
import socket
from collections.abc import Callable

import pytest

from drivers.ganesha.gateway.beneath import Folder, Refused
from drivers.ganesha.gateway.orders import ANSWER_LIMIT, MESSAGE_LIMIT, Answer, Order, Orders

VALUES: tuple[object, ...] = (None, True, 1, 1.5, "1", [], {}, -1, 2**63)
GOOD = {"generation": 3, "mounted": True, "exported": True, "pod": "u", "message": ""}


def _socket(at: pathlib.Path) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(at))


PLANTED: dict[str, Callable[[pathlib.Path], object]] = {
    "link to a file": lambda at: at.symlink_to("../secret"),
    "link to nothing": lambda at: at.symlink_to("../nothing"),
    "link to itself": lambda at: at.symlink_to(at.name),
    "pipe": os.mkfifo,
    "socket": _socket,
    "folder": pathlib.Path.mkdir,
    "huge": lambda at: os.truncate(os.open(at, os.O_CREAT | os.O_WRONLY), 1 << 40),
}


@pytest.mark.parametrize("what", PLANTED)
def test_nothing_but_a_file_is_read(tmp_path: pathlib.Path, what: str) -> None:
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "in").mkdir()
    PLANTED[what](tmp_path / "in" / "x.json")
    with Folder.at(tmp_path / "in") as folder, pytest.raises(Refused):
        folder.read("x.json", 100)


@pytest.mark.parametrize("what", [one for one in PLANTED if one != "folder"])
def test_what_is_written_goes_nowhere_else(tmp_path: pathlib.Path, what: str) -> None:
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "in").mkdir()
    for name in ("x.json", "x.json.new"):
        PLANTED[what](tmp_path / "in" / name)
    with Folder.at(tmp_path / "in") as folder:
        folder.write("x.json", "new")
        assert folder.read("x.json", 100) == b"new"
    assert (tmp_path / "secret").read_text() == "secret"
    assert os.listdir(tmp_path / "in") == ["x.json"]


@pytest.mark.parametrize("name", ["..", ".", "", "a/b", "../x", "/etc/passwd", ".hidden", "a\0b", "x" * 300, "-x"])
def test_names_lead_nowhere(tmp_path: pathlib.Path, name: str) -> None:
    with Folder.at(tmp_path) as folder:
        for call in (folder.look, folder.remove, folder.below):
            with pytest.raises(Refused):
                call(name)
        with pytest.raises(Refused):
            folder.read(name, 1)
        with pytest.raises(Refused):
            folder.write(name, "")


def test_a_folder_is_made_in_place_of_what_is_there(tmp_path: pathlib.Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "link").symlink_to("other")
    (tmp_path / "file").write_text("")
    (tmp_path / "wide").mkdir(0o777)
    with Folder.at(tmp_path) as folder:
        for name in ("link", "file", "wide", "missing"):
            with folder.below(name, 0o700) as made:
                made.write("x", "")
        with pytest.raises(NotADirectoryError):
            folder.below("wide").below("x")
    assert os.listdir(tmp_path / "other") == []
    assert {(tmp_path / name).lstat().st_mode for name in ("link", "file", "wide", "missing")} == {0o40700}


KINDS: dict[str, type] = {
    "generation": int, "mounted": bool, "exported": bool, "pod": str, "prepared": bool,
    "size": int, "used": int, "message": str,
}  # fmt: skip
MALFORMED = {
    "nothing": b"",
    "no JSON": b"{",
    "no text": b"\xff\xfe",
    "a list": b"[]",
    "nothing of all": b"null",
    "a number": b"7",
    "no parts": b"{}",
    "other parts": json.dumps(GOOD | {"more": 1}).encode(),
    "deep": b"[" * 10_000,
    "deep part": json.dumps(GOOD).encode()[:-1] + b', "size": ' + b"[" * 5000 + b"]" * 5000 + b"}",
    "no number": json.dumps(GOOD).replace("3", "NaN").encode(),
    "a long number": json.dumps(GOOD).replace("3", "9" * 5000).encode(),
    "too large": json.dumps(GOOD | {"message": "x" * ANSWER_LIMIT}).encode(),
    **{
        f"{part} is {value!r}": json.dumps(GOOD | {part: value}).encode()
        for part, kind in KINDS.items()
        for value in VALUES
        if type(value) is not kind or value in (-1, 2**63)
    },
}


@pytest.mark.parametrize("what", MALFORMED)
def test_an_answer_that_is_none_is_refused(tmp_path: pathlib.Path, what: str) -> None:
    orders = Orders(tmp_path / "control", tmp_path)
    (tmp_path / "x.json").write_bytes(MALFORMED[what])
    with pytest.raises(Refused):
        orders.answer("x")
    orders.reply("x", Answer(1, mounted=False, exported=False))  # the gateway's agent gets out of it
    assert orders.answer("x") == Answer(1, mounted=False, exported=False)


def test_what_an_answer_says_is_short_and_to_be_printed(tmp_path: pathlib.Path) -> None:
    orders = Orders(tmp_path / "control", tmp_path)
    (tmp_path / "x.json").write_text(json.dumps(GOOD | {"message": "\x1b[2Ja\ud800\n" + "x" * 5000}))
    found = orders.answer("x")
    assert found is not None and found.message.startswith("?[2Ja??xxx") and len(found.message) == MESSAGE_LIMIT


def test_orders_are_made_anew_where_something_else_is(tmp_path: pathlib.Path) -> None:
    other = tmp_path / "other"
    (other / "desired").mkdir(parents=True)
    (other / "desired" / "y.json").write_text("theirs")
    (tmp_path / "control").symlink_to("other")
    orders = Orders(tmp_path / "control", tmp_path / "answers")
    orders.make()
    orders.give(Order("x", 1, exported=True))
    orders.desired.rename(tmp_path / "aside")
    orders.desired.symlink_to("../other/desired")
    with pytest.raises(NotADirectoryError):
        orders.withdraw("y")
    orders.make()
    orders.enlist("u", ["x"])
    assert orders.names() == [] and orders.roster() == ("u", frozenset({"x"})) and orders.answer("x") is None
    assert (other / "desired" / "y.json").read_text() == "theirs"
