"""Which Ganesha a back end takes: the machine's, one in a folder, and none that loses data."""

from __future__ import annotations

import logging
import pathlib
import shutil

import pytest

from drivers.ganesha.embedded import programs
from drivers.ganesha.options import GaneshaOptions
from generated.errors import ShareBackendException


@pytest.fixture
def machine(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """A folder in PATH for programs of the machine."""

    def which(name: str, path: str) -> str | None:
        return str(tmp_path / name) if (tmp_path / name).exists() else None

    monkeypatch.setattr(shutil, "which", which)
    return tmp_path


def _installed(folder: pathlib.Path, version: str) -> None:
    file = folder / "ganesha.nfsd"
    file.write_text(f"#!/bin/sh\necho NFS-Ganesha Release = V{version}\n")
    file.chmod(0o755)


def _options(**more: object) -> GaneshaOptions:
    return GaneshaOptions(name="g", **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("version", ["9.11", "9.14", "10.0"])
def test_a_new_one_is_taken_from_the_machine(machine: pathlib.Path, version: str) -> None:
    _installed(machine, version)
    program = programs.admitted(_options())
    assert program.release == version and program.words == (str(machine / "ganesha.nfsd"),)
    assert programs.serving(_options(), program).minors == (1, 2)


@pytest.mark.parametrize("version", ["4.3", "6.5", "9.10"])
def test_an_old_one_is_refused_with_the_reason_and_the_way_out(machine: pathlib.Path, version: str) -> None:
    _installed(machine, version)
    with pytest.raises(ShareBackendException) as refused:
        programs.admitted(_options())
    for word in (version, "9.11", "read zeros", "6.19", "manila-manage ganesha fetch", "ganesha_allow_old"):
        assert word in str(refused.value)


def test_an_old_one_that_is_allowed_serves_without_4_2(machine: pathlib.Path, caplog: pytest.LogCaptureFixture) -> None:
    _installed(machine, "4.3")
    with caplog.at_level(logging.WARNING):
        program = programs.admitted(_options(ganesha_allow_old=True))
    assert "NFS 4.1 is offered" in caplog.text and "6.19" in caplog.text
    assert programs.serving(_options(), program).minors == (1,)
    both = _options(ganesha_allow_old=True, ganesha_minor_versions="0, 1, 2")
    assert programs.serving(both, program).minors == (0, 1)
    with pytest.raises(ShareBackendException, match="loses data"):
        programs.admitted(_options(ganesha_allow_old=True, ganesha_minor_versions="2"))


@pytest.mark.parametrize("text", ["", "3", "1.2", "one"])
def test_minor_versions_that_there_are_not(machine: pathlib.Path, text: str) -> None:
    _installed(machine, "9.14")
    with pytest.raises(ShareBackendException, match="ganesha_minor_versions"):
        programs.admitted(_options(ganesha_minor_versions=text))


def test_none_at_all(machine: pathlib.Path) -> None:
    with pytest.raises(ShareBackendException, match="manila-manage ganesha fetch"):
        programs.admitted(_options())
    with pytest.raises(ShareBackendException, match="holds no NFS-Ganesha"):
        programs.admitted(_options(ganesha_root=str(machine / "away")))


def test_one_that_says_nothing(machine: pathlib.Path) -> None:
    (machine / "ganesha.nfsd").write_text("#!/bin/sh\necho broken >&2\nexit 127\n")
    (machine / "ganesha.nfsd").chmod(0o755)
    with pytest.raises(ShareBackendException, match="does not say its version: broken"):
        programs.admitted(_options())
