"""The program's layer depends on its content only, and starts every program of pyproject.toml."""

from __future__ import annotations

import os
import pathlib
import tarfile

import pytest

from deploy.images import place, product, recipes


def test_the_same_content_gives_the_same_bytes(tmp_path: pathlib.Path) -> None:
    for number, name in enumerate(("one", "two")):
        tree = tmp_path / name
        for file in ("b/x", "a/y") if number else ("a/y", "b/x"):
            (tree / file).parent.mkdir(parents=True, exist_ok=True)
            (tree / file).write_text(file)
            os.utime(tree / file, (number, number))
        (tree / "a/y").chmod(0o777 if number else 0o755)
        product.archive(tree, tmp_path / f"{name}.tar")
    assert (tmp_path / "one.tar").read_bytes() == (tmp_path / "two.tar").read_bytes()


def test_the_time_can_be_told(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1234567890")
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "a").touch()
    product.archive(tmp_path / "tree", tmp_path / "out.tar")
    with tarfile.open(tmp_path / "out.tar") as tar:
        assert [one.mtime for one in tar] == [1234567890]


def test_the_layer_has_every_program_and_all_packages(tmp_path: pathlib.Path) -> None:
    layer = product.program(tmp_path)
    with tarfile.open(layer) as tar:
        names = set(tar.getnames())
        found = tar.extractfile("usr/local/bin/manila-api")
        assert found is not None
        assert b"from cli.api import main" in found.read()
        assert all(one.uid == one.gid == 0 and one.mtime == place.epoch() for one in tar)
    assert {f"usr/local/bin/{name}" for name in (*product.scripts(), recipes.HEALTH)} <= names
    assert f"{product.PACKAGES}/generated/__init__.py" in names
    assert not [name for name in names if name.endswith(".pyc")]


def test_every_image_starts_something_that_it_has() -> None:
    for recipe in recipes.RECIPES:
        own = {file.name for file in (place.HERE / "files").glob(f"{recipe.name}/*")}
        known = own | (set(product.scripts()) if recipe.product else set())
        assert recipe.command[0] in known, recipe.name


def test_who_is_root_says_why() -> None:
    assert all(bool(one.why_root) == (one.user == 0) for one in recipes.RECIPES)
