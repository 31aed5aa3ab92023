"""D-Bus calls on a real bus, messages beside those of another implementation, and garbage."""

from __future__ import annotations

import asyncio
import contextlib
import pathlib
import shutil
import struct
from collections.abc import AsyncIterator
from typing import Any

import pytest
from dbus_fast import Message, MessageType
from hypothesis import given, strategies

from drivers.ganesha.gateway import config, dbus
from drivers.ganesha.gateway.command import until

BUS = ("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus")


@pytest.fixture
async def bus(tmp_path: pathlib.Path) -> AsyncIterator[pathlib.Path]:
    """The socket of a bus as a gateway has one."""
    if shutil.which("dbus-daemon") is None:
        pytest.skip("Debian's package dbus-daemon is not here")
    (tmp_path / "bus.conf").write_text(config.bus(tmp_path))
    words = ("dbus-daemon", f"--config-file={tmp_path / 'bus.conf'}", "--nofork", "--nopidfile")
    process = await asyncio.create_subprocess_exec(*words)
    try:
        assert await until((tmp_path / "bus").exists, 5)
        yield tmp_path / "bus"
    finally:
        process.terminate()
        await process.wait()


async def call(at: pathlib.Path, *words: Any) -> list[Any]:
    async with dbus.Bus.at(at) as line:
        return await line.call(*words)


async def test_a_call_is_answered(bus: pathlib.Path) -> None:
    (names,) = await call(bus, *BUS, "ListNames")
    assert "org.freedesktop.DBus" in names
    assert await call(bus, *BUS, "NameHasOwner", "s", ["org.ganesha.nfsd"]) == [False]
    assert await call(bus, *BUS, "RequestName", "su", ["org.example", 0]) == [1]


async def test_calls_follow_one_another_on_a_connection(bus: pathlib.Path) -> None:
    async with dbus.Bus.at(bus) as line:
        # becoming an owner brings a signal that nobody asked for
        assert await line.call(*BUS, "RequestName", "su", ["org.example", 0]) == [1]
        with pytest.raises(dbus.Refusal):
            await line.call(*BUS, "NoSuchThing")
        assert [await line.call(*BUS, "NameHasOwner", "s", ["org.example"]) for _ in range(3)] == [[True]] * 3


async def test_structures_are_read(bus: pathlib.Path) -> None:
    (said,) = await call(bus, *BUS, "GetConnectionCredentials", "s", ["org.freedesktop.DBus"])
    assert said["ProcessID"] > 0


async def test_an_error_has_its_name(bus: pathlib.Path) -> None:
    with pytest.raises(dbus.Refusal) as caught:
        await call(bus, "org.ganesha.nfsd", "/org/ganesha/nfsd/ExportMgr", "org.ganesha.nfsd.exportmgr", "ShowExports")
    assert caught.value.name == "org.freedesktop.DBus.Error.ServiceUnknown"


async def test_many_calls_leave_no_connection(bus: pathlib.Path) -> None:
    for _ in range(50):
        await call(bus, *BUS, "GetId")
    await asyncio.sleep(0.1)
    (names,) = await call(bus, *BUS, "ListNames")
    assert len([one for one in names if one.startswith(":")]) == 1


@pytest.mark.parametrize(
    ("signature", "parts"),
    [
        ("(tt)a(qs((sb)(sb))t(tt))", ["(tt)", "a(qs((sb)(sb))t(tt))"]),
        ("bs(tt)bbb(ttdt)a{sv}aas", ["b", "s", "(tt)", "b", "b", "b", "(ttdt)", "a{sv}", "aas"]),
        ("", []),
    ],
)
def test_signatures_are_split(signature: str, parts: list[str]) -> None:
    assert list(dbus.types(signature)) == parts


TEXT = strategies.text(strategies.characters(codec="utf-8", exclude_characters="\0"), max_size=9)
VALUES: dict[str, strategies.SearchStrategy[Any]] = {
    "s": TEXT,
    "q": strategies.integers(0, 2**16 - 1),
    "u": strategies.integers(0, 2**32 - 1),
    "t": strategies.integers(0, 2**64 - 1),
    "b": strategies.booleans(),
    "d": strategies.floats(allow_nan=False),
    "(qs)": strategies.tuples(strategies.integers(0, 9), TEXT).map(list),
    "a(st)": strategies.lists(strategies.tuples(TEXT, strategies.integers(0, 9)).map(list), max_size=3),
    "a{sq}": strategies.dictionaries(TEXT, strategies.integers(0, 9), max_size=3),
    "aas": strategies.lists(strategies.lists(TEXT, max_size=3), max_size=3),
}
BODIES = strategies.lists(strategies.sampled_from(sorted(VALUES)), max_size=6).flatmap(
    lambda kinds: strategies.tuples(strategies.just(kinds), strategies.tuples(*(VALUES[kind] for kind in kinds)))
)


@given(BODIES)
def test_another_implementations_values_are_read(chosen: tuple[list[str], tuple[Any, ...]]) -> None:
    kinds, values = chosen
    answer = Message(
        message_type=MessageType.METHOD_RETURN, signature="".join(kinds), body=list(values), reply_serial=1
    )
    answer.serial = 1
    whole = answer._marshall(False)
    length = struct.unpack_from("<I", whole, 4)[0]
    read = list(dbus.Reader(bytes(whole), "<", len(whole) - length).values("".join(kinds)))
    assert read == list(values)


@given(TEXT, strategies.integers(0, 2**16 - 1))
def test_our_calls_are_those_of_another_implementation(text: str, number: int) -> None:
    ours = dbus.message(7, "org.a", "/org/a", "org.a.b", "Do", "sqs", [text, number, "x"])
    theirs = Message("org.a", "/org/a", "org.a.b", "Do", signature="sqs", body=[text, number, "x"], serial=7)
    assert ours == bytes(theirs._marshall(False))


@pytest.mark.parametrize("signature", ["(", "a", "(s", "z", "aa", ")", "a()"])
def test_what_is_no_signature_is_refused(signature: str) -> None:
    with pytest.raises(ValueError, match="no "):
        list(dbus.types(signature))


def test_big_endian_and_padding_are_read() -> None:
    data = struct.pack(">B3xI2s6xQ", 7, 1, b"a\0", 2**40)
    assert list(dbus.Reader(data, ">").values("yst")) == [7, "a", 2**40]


def test_an_array_of_structures_and_a_dictionary_are_read() -> None:
    # 8 bytes: length and padding; two structures of a number and a text; then {"k": <true>}
    pairs = struct.pack("<II", 28, 0) + struct.pack("<H2xI2s6x", 1, 1, b"a\0") + struct.pack("<H2xI4s", 2, 3, b"bcd\0")
    (found,) = dbus.Reader(pairs, "<").values("a(qs)")
    assert found == [[1, "a"], [2, "bcd"]]
    table = struct.pack("<II", 16, 0) + struct.pack("<I2sB2sxxxI", 1, b"k\0", 1, b"b\0", 1)
    assert dbus.Reader(table, "<").value("a{sv}") == {"k": True}


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"l\2\1\1",
        b"?" * 16,
        b"l\2\0\1" + b"\xff" * 12,
        struct.pack("<4BIII", ord("l"), 2, 0, 1, 0, 1, 8) + b"\5\1z\0    ",
    ],
    ids=["nothing", "half", "no order", "too large", "no type"],
)
async def test_garbage_from_the_bus_is_an_end_and_no_traceback(tmp_path: pathlib.Path, sent: bytes) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(b"OK 1234\r\n" + sent)
        writer.write_eof()
        with contextlib.suppress(ConnectionError):
            await reader.read()
        writer.close()

    server = await asyncio.start_unix_server(answer, str(tmp_path / "bus"))
    async with server:
        with pytest.raises(EOFError):
            await call(tmp_path / "bus", *BUS, "GetId")


async def test_who_is_not_let_in_gets_an_error(tmp_path: pathlib.Path) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(b"REJECTED EXTERNAL\r\n")
        writer.close()

    server = await asyncio.start_unix_server(answer, str(tmp_path / "bus"))
    async with server:
        with pytest.raises(ConnectionRefusedError):
            await call(tmp_path / "bus", *BUS, "GetId")
