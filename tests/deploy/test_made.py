"""What a step should have made is looked for: files, programs, packages of a lock file; and how far pip and apt are."""

from __future__ import annotations

import io
import json
import os
import pathlib
import re
import subprocess
import sys

import pytest

from deploy import bootstrap, debs, made, progress
from deploy.helm import program
from deploy.images import roots
from tests.clients import gomodules
from tests.datapath.clients.suites import programs as suites
from tests.datapath.kernel import image, kernels
from tests.lab.ovn import programs as ovn
from tests.peers import environments

LOCK = """\
# made by a tool
first==1.0 \\
    --hash=sha256:00
Second.Part==2.0 \\
    --hash=sha256:00
elsewhere==3.0 ; sys_platform == 'win32' \\
    --hash=sha256:00
"""


def _program(place: pathlib.Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("#!/bin/sh\n")
    place.chmod(0o755)


def _installed(site: pathlib.Path, *names: str) -> None:
    for name in names:
        (site / f"{name}.dist-info").mkdir(parents=True)
        (site / f"{name}.dist-info" / "RECORD").write_text("x")


@pytest.fixture
def lock(tmp_path: pathlib.Path) -> pathlib.Path:
    file = tmp_path / "lock.txt"
    file.write_text(LOCK)
    return file


def test_files_folders_and_programs(tmp_path: pathlib.Path) -> None:
    (tmp_path / "full").write_text("x")
    (tmp_path / "empty").touch()
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("nowhere")
    files = ["full", "empty", "folder/", "link", "absent"]
    assert made.lacking(tmp_path, files) == files[1:]
    assert made.lacking(tmp_path, (), ["full"]) == ["full"]
    _program(tmp_path / "run")
    assert made.lacking(tmp_path, (), ["run"]) == []


def test_packages_of_a_lock_file(tmp_path: pathlib.Path, lock: pathlib.Path) -> None:
    site = tmp_path / "site"
    _installed(site, "first-1.0", "second_part-1.9")
    assert made.lacking_packages([site], lock) == ["Second.Part==2.0"]
    _installed(site, "second_part-2.0")
    assert made.lacking_packages([site], lock) == []
    (site / "first-1.0.dist-info" / "RECORD").unlink()  # pip was interrupted
    assert made.lacking_packages([site], lock) == ["first==1.0"]


def test_the_environment_of_the_checkout_is_looked_at(
    tmp_path: pathlib.Path, lock: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    venv = tmp_path / "venv"
    for name, value in {"VENV": venv, "LOCK": lock, "STAMP": venv / ".installed"}.items():
        monkeypatch.setattr(bootstrap, name, value)
    _installed(venv / "lib" / "python3.11" / "site-packages", "first-1.0", "second_part-2.0")
    for name in bootstrap.TOOLS:
        _program(venv / "bin" / name)
    assert not bootstrap.ready()
    (venv / ".installed").write_text(bootstrap._stamp())
    assert bootstrap.ready()
    (venv / "bin" / "openstack").unlink()
    assert not bootstrap.ready() and bootstrap.lacking() == ["bin/openstack"]


@pytest.mark.parametrize("makes", [True, False])
def test_an_environment_of_another_program(
    tmp_path: pathlib.Path, lock: pathlib.Path, monkeypatch: pytest.MonkeyPatch, makes: bool
) -> None:
    (tmp_path / "requirements").mkdir()
    lock.rename(tmp_path / "requirements" / "tempest.txt")
    monkeypatch.setattr(environments, "ROOT", tmp_path)
    monkeypatch.setattr(environments, "CACHE", tmp_path / "cache")
    installs: list[pathlib.Path] = []

    def install(folder: pathlib.Path, _lock: pathlib.Path) -> None:
        installs.append(folder)
        if makes:
            _installed(folder / "lib" / "python3.11" / "site-packages", "first-1.0", "second_part-2.0")
            for name in environments.PROGRAMS["tempest"]:
                _program(folder / "bin" / name)

    monkeypatch.setattr(environments, "_install", install)
    if not makes:
        with pytest.raises(RuntimeError, match="first==1.0, .*bin/tempest are missing although no command failed"):
            environments.programs("tempest")
        return
    where = environments.programs("tempest")
    assert environments.programs("tempest") == where and len(installs) == 1
    (where / "tempest").unlink()
    monkeypatch.setattr(environments, "_install", lambda folder, _lock: _program(folder / "bin" / "tempest"))
    environments.programs("tempest")
    assert (where / "tempest").exists()


@pytest.fixture
def go(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """A ``go`` that succeeds and makes nothing; it prints what stands in ``answer.json``, which names a folder."""
    answer = tmp_path / "answer.json"
    (tmp_path / "module").mkdir()
    answer.write_text(json.dumps({"Dir": str(tmp_path / "module")}))
    script = tmp_path / "bin" / "go"
    _program(script)
    script.write_text(f'#!/bin/sh\n[ "$1" = env ] && echo go1.26.8 || cat {answer}\n')
    monkeypatch.setenv("PATH", str(script.parent), prepend=os.pathsep)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(environments, "CACHE", tmp_path / "cache")
    return tmp_path


def test_a_compiler_that_makes_nothing(go: pathlib.Path) -> None:
    from deploy.helm import build

    with pytest.raises(SystemExit, match="missing although no command failed"):
        build.build()
    place = program.place(build.MODULE, "helm")
    _program(place)
    assert build.built() == place
    place.write_text("")
    assert build.built() is None


def test_a_module_without_content_and_tests_that_are_none(go: pathlib.Path) -> None:
    with pytest.raises(RuntimeError, match="go.mod is missing"):
        gomodules.fetched("example.test/one", "v1.0.0")
    (go / "module" / "go.mod").write_text("module example.test/one\n")
    source = gomodules.fetched("example.test/one", "v1.0.0")
    with pytest.raises(RuntimeError, match="one.test is missing"):
        gomodules.built_test(source, "./none", "one.test")
    with pytest.raises(RuntimeError, match="go build ./cmd/tofu: tofu.part is missing"):
        gomodules.terraform()
    (source / "go.mod").unlink()
    (source / "half").write_text("of an interrupted copy")
    assert (gomodules.fetched("example.test/one", "v1.0.0") / "go.mod").exists()
    assert not (source / "half").exists()


def test_a_guest_of_which_half_is_there(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(kernels.Kernel, "packages", lambda self: debs.Fetched(tmp_path, {}, {}))
    monkeypatch.setattr(image, "fetch", lambda wanted: debs.Fetched(tmp_path, {}, {}))
    built: list[str] = []

    def build(folder: pathlib.Path, kernel: kernels.Kernel) -> None:
        built.append(str(kernel))
        for name in image.IMAGE:
            (folder / name).write_text("x")

    monkeypatch.setattr(image, "build", build)
    folder = image.kept(kernels.BOOKWORM)
    (folder / "vmlinuz").write_text("")
    assert image.kept(kernels.BOOKWORM) == image.kept(kernels.BOOKWORM) == folder
    assert built == ["6.1", "6.1"] and (folder / "vmlinuz").read_text() == "x"


def test_a_kernel_without_a_module(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = tmp_path / "lib" / "modules" / "6.1.0"
    tree.mkdir(parents=True)
    (tree / "modules.dep").write_text("kernel/fs/nfs/nfs.ko.xz:\n")
    (tree / "modules.builtin").write_text("kernel/net/net-failover.ko\n")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: None)
    monkeypatch.setattr(image, "MODULES", ["nfs", "net_failover", "crc32c_generic", "nfsv4"])
    with pytest.raises(RuntimeError, match="^Linux 6.1.0: nfsv4 is missing although no command failed"):
        image._modules(tmp_path, tree, tmp_path / "root")


@pytest.mark.parametrize("makes", [True, False])
def test_a_crate_without_a_program(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, makes: bool) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "openkeel-manila").mkdir()
    cargo = tmp_path / "bin" / "cargo"
    _program(cargo)
    made_so = 'mkdir "$5/bin"; echo program > "$5/bin/fsx"; chmod 755 "$5/bin/fsx"' if makes else "true"
    cargo.write_text(f"#!/bin/sh\n{made_so}\n")
    monkeypatch.setenv("PATH", str(cargo.parent), prepend=os.pathsep)
    if not makes:
        with pytest.raises(suites.Lacking, match="bin/fsx is missing although no command failed"):
            suites.crate("fsx")
        return
    program = suites.crate("fsx")
    program.write_text("")  # a full disk leaves empty files
    assert suites.crate("fsx") == program and program.read_text() == "program\n"


def test_open_vswitch_and_ovn(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    ovn.folder().mkdir(parents=True)
    (ovn.folder() / ".whole").touch()
    assert ovn.fetched() is None and "usr/bin/ovn-northd" in ovn.absent()
    monkeypatch.setattr(ovn, "_unpack", lambda place: place.mkdir())
    with pytest.raises(RuntimeError, match="missing although no command failed"):
        ovn.fetch()


def test_a_root_file_system_without_a_package(tmp_path: pathlib.Path) -> None:
    import tarfile

    status = b"Package: python3.11-minimal\nStatus: install ok installed\nVersion: 1\nArchitecture: amd64\n"
    with tarfile.open(tmp_path / "root.tar", "w") as tar:
        entry = tarfile.TarInfo("./var/lib/dpkg/status")
        entry.size = len(status)
        tar.addfile(entry, io.BytesIO(status))
    wanted = ("python3.11-minimal", "nfs-ganesha=9.14-1", "tzdata/trixie")
    assert roots.lacking(tmp_path / "root.tar", wanted) == list(wanted[1:])


def test_debian_packages_that_bring_no_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bootstrap, "apt_get", lambda *words: True)
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr("shutil.which", lambda name, **_: name if name == "apt-get" else None)
    said = bootstrap.image_packages()
    assert said is not None and "buildah, mmdebstrap, podman, runc are missing although no command failed" in said


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_on_a_terminal_and_elsewhere() -> None:
    terminal, file = Terminal(), io.StringIO()
    for out in (terminal, file):
        line = progress.Line("pip", out)
        for words in ("package 1 of about 3, a", "package 2 of about 3, b", "package 3 of about 3, c"):
            line.show(words)
        line.end()
    assert terminal.getvalue().count("\r") == 5 and "3 of about 3" in terminal.getvalue()
    assert file.getvalue() == "pip: package 1 of about 3, a\n"  # the others came within seconds


def test_what_is_said_in_between_has_a_line_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with progress.shown("apt-get", progress.of_apt) as hear:
        assert hear("dlstatus:1:50.0:file 1 of 2\n") and not hear("Get:1 http://mirror\n")
        hear.say("unpacking")
    assert re.sub(r"\s*\r\s*", "|", terminal.getvalue()) == "|apt-get: fetching 50 %, file 1 of 2|unpacking\n"


def test_progress_of_pip_and_apt() -> None:
    read = progress.of_pip(159)
    assert read("Collecting attrs==26.1.0 (from -r x)\n") == "package 1 of about 159, attrs"
    assert read("  Downloading attrs-26.1.0-py3-none-any.whl (67 kB)\n") is None
    assert read("Collecting cffi==2.1.1\n") == "package 2 of about 159, cffi"
    assert read("Installing collected packages: attrs, cffi\n") == "installing 2 packages"
    assert progress.of_apt("dlstatus:2:34.6106:Retrieving file 2 of 2\n") == "fetching 35 %, Retrieving file 2 of 2"
    assert progress.of_apt("pmstatus:cowsay:60.0000:Unpacking cowsay (amd64)\n") is not None
    assert progress.of_apt("Reading package lists...\n") is None


@pytest.mark.parametrize("status", [0, 3])
def test_what_a_program_said_is_shown_when_it_failed(status: int) -> None:
    child = f"import sys; print('Collecting a'); print('the reason'); sys.exit({status})"
    code = "import sys; from deploy import progress; "
    code += f"sys.exit(not progress.followed([sys.executable, '-c', {child!r}], 'pip', progress.of_pip(1)))"
    done = subprocess.run([sys.executable, "-c", code], cwd=bootstrap.ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == bool(status)
    assert "pip: package 1 of about 1, a" in done.stderr and ("the reason" in done.stderr) == bool(status)
