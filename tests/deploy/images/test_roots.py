"""A layer holds what one root file system has more than another."""

from __future__ import annotations

import io
import pathlib
import tarfile

import pytest

from deploy.images.roots import difference


def tar(file: pathlib.Path, *members: tuple[str, str, str]) -> pathlib.Path:
    """A tar of (kind, name, content or target)."""
    kinds = {"file": tarfile.REGTYPE, "folder": tarfile.DIRTYPE, "link": tarfile.SYMTYPE, "hard": tarfile.LNKTYPE}
    with tarfile.open(file, "w") as made:
        for kind, name, content in members:
            one = tarfile.TarInfo(name)
            one.type = kinds[kind]
            if kind == "file":
                one.size = len(content)
                made.addfile(one, io.BytesIO(content.encode()))
            else:
                one.linkname = content
                made.addfile(one)
    return file


def test_what_is_new_or_other_is_written_and_nothing_else(tmp_path: pathlib.Path) -> None:
    same = (("folder", "./etc", ""), ("file", "./etc/same", "a"), ("link", "./l", "etc/same"))
    base = tar(tmp_path / "base", *same, ("file", "./etc/other", "b"))
    new = (("file", "./etc/other", "c"), ("file", "./etc/new", "d"), ("hard", "./hard", "./etc/new"))
    whole = tar(tmp_path / "whole", *same, *new)
    assert difference(base, whole, tmp_path / "out") == 3
    with tarfile.open(tmp_path / "out") as found:
        assert found.getnames() == ["./etc/other", "./etc/new", "./hard"]
        content = found.extractfile("./etc/other")
        assert content is not None
        assert content.read() == b"c"


def test_a_mode_alone_is_a_difference(tmp_path: pathlib.Path) -> None:
    base, whole = tar(tmp_path / "base", ("file", "./a", "x")), tmp_path / "whole"
    one = tarfile.TarInfo("./a")
    one.size, one.mode = 1, 0o600
    with tarfile.open(whole, "w") as made:
        made.addfile(one, io.BytesIO(b"x"))
    assert difference(base, whole, tmp_path / "out") == 1


def test_nothing_may_be_missing(tmp_path: pathlib.Path) -> None:
    base = tar(tmp_path / "base", ("file", "./a", "x"), ("file", "./b", "y"))
    with pytest.raises(ValueError, match=r"lacks \./b"):
        difference(base, tar(tmp_path / "whole", ("file", "./a", "x")), tmp_path / "out")
