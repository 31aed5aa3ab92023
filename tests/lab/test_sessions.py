"""What a session of the lab does without helm, which some of its tests install the chart with."""

from __future__ import annotations

import pathlib

import pytest

from deploy.helm import build
from tests.lab import programs, sessions


@pytest.fixture
def unbuilt(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """helm is not built; what was built meanwhile."""
    done: list[str] = []

    def built() -> pathlib.Path:
        done.append("helm")
        return pathlib.Path("/cache/helm")

    monkeypatch.setattr(build, "built", lambda: None)
    monkeypatch.setattr(build, "build", built)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    return done


def test_it_is_built_where_that_is_allowed(unbuilt: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(programs.MINUTES, "25")
    assert sessions.helm() == "tests that install the chart run: /cache/helm, built in 0 s" and unbuilt == ["helm"]


def test_it_is_not_built_where_nothing_may_be(unbuilt: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(programs.MINUTES, "0")
    said = sessions.helm()
    assert "LEFT OUT: helm is not built" in said and "allows 0" in said and unbuilt == []


def test_what_it_lacks_is_said_and_stops_no_other_test(unbuilt: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def fails() -> pathlib.Path:
        raise SystemExit("put `go` on the PATH")

    monkeypatch.delenv(programs.MINUTES, raising=False)
    monkeypatch.setattr(build, "build", fails)
    assert sessions.helm().endswith("LEFT OUT: put `go` on the PATH")
