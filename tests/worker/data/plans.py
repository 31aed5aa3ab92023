"""Any trees of files, for property tests."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tests.worker.data.trees import Thing

NAMES = st.one_of(
    st.binary(min_size=1, max_size=255).map(lambda name: name.replace(b"/", b"_").replace(b"\0", b"_")),
    st.text("abAB .", min_size=1, max_size=3).map(str.encode),
    st.sampled_from([b"-rf", b"a\nb", "größe".encode(), b"\xff\xfe", b"x" * 255, b" ", b"..."]),
).filter(lambda name: name not in (b".", b".."))
TIMES = st.one_of(st.integers(0, 2**31 * 10**9), st.sampled_from([0, 1, 999_999_999, 1_700_000_000_123_456_789]))
MODES = st.one_of(st.integers(0, 0o7777), st.sampled_from([0o4755, 0o2755, 0o1777, 0, 0o400]))
OWNERS = st.tuples(*(st.sampled_from([0, 1, 1000, 65534, 2**31, 2**32 - 2]),) * 2)
ATTRIBUTES = st.lists(
    st.tuples(st.sampled_from(["user.a", "user.größe", "user.empty"]), st.binary(max_size=40)), max_size=2
).map(tuple)
PARTS = st.lists(
    st.tuples(
        st.sampled_from([0, 1, 4096, 65535, 65536, 70000, 2**20 - 1, 2**20, 3 * 2**20 + 5]),
        st.sampled_from([b"x", b"\0", b"ab"]),
        st.sampled_from([1, 20, 70000, 2**20 + 1]),
    ),
    max_size=3,
).map(tuple)


def things() -> st.SearchStrategy[Thing]:
    """Any file, folders with any files below."""
    common: dict[str, Any] = {"mode": MODES, "owner": OWNERS, "mtime": TIMES}
    more = st.lists(NAMES, max_size=2).map(tuple)
    file = st.builds(
        Thing, kind=st.just("file"), parts=PARTS, size=st.sampled_from([0, 1, 2**20, 5 * 2**20]),
        attributes=ATTRIBUTES, more_names=more, **common,
    )  # fmt: skip
    link = st.builds(
        Thing, kind=st.just("link"), leads_to=st.sampled_from([b"/nowhere/at/all", b"a", b"x" * 1000]),
        more_names=more, **common,
    )  # fmt: skip
    other = st.builds(Thing, kind=st.sampled_from(["pipe", "socket", "device"]), more_names=more, **common)
    return st.recursive(st.one_of(file, file, link, other), lambda below: folders(below), max_leaves=12)


def folders(below: st.SearchStrategy[Thing] | None = None) -> st.SearchStrategy[Thing]:
    """A folder with anything in it."""
    inside = st.dictionaries(NAMES, things() if below is None else below, max_size=5)
    return st.builds(
        Thing, kind=st.just("folder"), mode=MODES, owner=OWNERS, mtime=TIMES, attributes=ATTRIBUTES,
        below=inside.map(lambda found: tuple(found.items())),
    )  # fmt: skip
