"""What the repository promises about itself: sizes, where SQL stands, names, lock files."""

from __future__ import annotations

import ast
import importlib.metadata
import pathlib
import re
import tomllib
from collections.abc import Iterator

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PRODUCT = ["api", "cli", "db", "deploy", "drivers", "handlers", "network", "scheduler", "services", "worker"]
BY_HAND = [*PRODUCT, "codegen"]
LINES, FUNCTION_LINES = 600, 80
SQL = re.compile(r"\b(SELECT .+ FROM|INSERT INTO|UPDATE \w+ SET|DELETE FROM)\b")


def sources(*folders: str) -> Iterator[pathlib.Path]:
    for folder in folders:
        yield from sorted((ROOT / folder).rglob("*.py"))


def test_files_stay_small() -> None:
    long = {str(path): count for path in sources(*BY_HAND) if (count := len(path.read_text().splitlines())) > LINES}
    assert not long


def test_functions_stay_small() -> None:
    long = []
    for path in sources(*BY_HAND):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                size = (node.end_lineno or node.lineno) - node.lineno
                if size > FUNCTION_LINES:
                    long.append(f"{path.relative_to(ROOT)}:{node.lineno} {node.name}: {size} lines")
    assert not long


def texts(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """String constants that are no docstrings, with their lines."""
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.lineno, node.value


def test_sql_stands_in_db_only() -> None:
    found = []
    for path in sources(*(folder for folder in PRODUCT if folder != "db")):
        for line, text in texts(ast.parse(path.read_text())):
            if SQL.search(text):
                found.append(f"{path.relative_to(ROOT)}:{line}")
    assert not found


def test_whose_rows_may_be_seen_is_said_in_one_place() -> None:
    """``Context.scope``: written anew, a token without a project may see everybody's rows."""
    own = re.compile(r"None if (call\.)?ctx\.is_admin|is_admin else (call\.)?ctx\.project_id")
    files = [file for file in sources(*PRODUCT) if file.name != "context.py"]
    found = [str(file.relative_to(ROOT)) for file in files if own.search(file.read_text())]
    assert found == []


def test_nothing_is_left_to_do_in_a_comment() -> None:
    mark = re.compile(r"#.*\b(TODO|FIXME|XXX|HACK)\b")
    found = [str(path) for path in sources(*BY_HAND) if mark.search(path.read_text())]
    assert not found


@pytest.mark.parametrize("name", ["dev", "product", "horizon", "keystone", "skyline", "tempest"])
def test_lock_files_have_hashes_and_name_no_index(name: str) -> None:
    text = (ROOT / "requirements" / f"{name}.txt").read_text()
    assert "://" not in text
    assert "--index" not in text
    pins = re.findall(r"^[\w.\[\]-]+==.*?(?=^\S|\Z)", text, flags=re.S | re.M)
    assert len(pins) > 40
    assert all("--hash=sha256:" in pin for pin in pins)


def test_lock_files_hold_every_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    locked = (ROOT / "requirements" / "product.txt").read_text().lower().replace("_", "-")
    for wanted in project["dependencies"]:
        name = re.split(r"[\[<>=~ ]", wanted.lower().replace(".", "-"))[0]
        assert re.search(rf"^{re.escape(name)}==", locked, flags=re.M), f"{name} is not locked"


def test_no_installed_distribution_claims_our_names() -> None:
    claimed = importlib.metadata.packages_distributions()
    for name in [*BY_HAND, "generated"]:
        others = [one for one in claimed.get(name, []) if one != "openkeel-manila"]
        assert not others, f"{name} belongs to {others}"


def test_every_package_says_what_it_is() -> None:
    for folder in [*PRODUCT, "codegen", "generated"]:
        tree = ast.parse((ROOT / folder / "__init__.py").read_text())
        assert len(ast.get_docstring(tree) or "") > 20, folder


def test_a_helpful_line_for_each_session() -> None:
    tree = ast.parse((ROOT / "noxfile.py").read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.decorator_list:
            assert (ast.get_docstring(node) or "").endswith("."), node.name
