"""Where the configuration comes from besides one file: folders, the environment; and all ways to log in to Keystone."""

from __future__ import annotations

import pathlib
import sys
from typing import Any

import pytest
from keystoneauth1 import loading

from api.tokens.keystone import KeystoneTokens
from cli import config, manage
from cli.config import BadConfiguration, load
from generated.settings import Settings
from network import factory
from network.barbican import BarbicanKeys

CLOUD = "http://keystone.example/v3"
PLUGINS = (
    *("password", "token", "v3password", "v3token", "v3totp", "v3applicationcredential", "v3oidcpassword"),
    *("v3oidcclientcredentials", "v3oidcaccesstoken", "v3oauth2clientcredential", "v3oauth2mtlsclientcredential"),
    "v3tokenlessauth",
)
"""Plug-ins of keystoneauth1 that log a service in: those that ask a person, OAuth 1.0a and version 2 are left out."""
INSTEAD = {"auth_url": CLOUD, "access_token_type": "access_token", "system_scope": "all"}


def _options(plugin: str) -> dict[str, str]:
    """A value for every option of a plug-in."""
    names = [one.dest for one in loading.get_plugin_loader(plugin).get_options()]
    return {name: INSTEAD.get(name, f"a-{name}") for name in names}


def _facts(plugin: Any) -> list[dict[str, str]]:
    """What a plug-in and its methods were told."""
    parts = [plugin, *getattr(plugin, "auth_methods", ())]
    return [{name: value for name, value in vars(one).items() if isinstance(value, str)} for one in parts]


def _settings(folder: pathlib.Path, section: str, plugin: str, values: dict[str, str]) -> Settings:
    lines = "".join(f"{name} = {value}\n" for name, value in values.items())
    file = folder / "manila.conf"
    file.write_text(f"[{section}]\nauth_type = {plugin}\n{lines}")
    return load([file])


@pytest.mark.parametrize("plugin", PLUGINS)
@pytest.mark.parametrize("section", ["keystone_authtoken", "neutron", "barbican"])
def test_every_plug_in_is_told_what_the_section_says(tmp_path: pathlib.Path, section: str, plugin: str) -> None:
    values = _options(plugin)
    settings = _settings(tmp_path, section, plugin, values)
    told = getattr(settings, section)
    assert {name: getattr(told, name) for name in values} == values
    if section == "keystone_authtoken":
        made = KeystoneTokens(settings.keystone_authtoken)._connected().auth
    elif section == "barbican":
        made = BarbicanKeys(settings.barbican)._session.auth
    else:
        made = factory._tokens(settings.neutron, True)[1]._plugin  # type: ignore[union-attr]
    expected: Any = loading.get_plugin_loader(plugin).load_from_options(**values)
    assert type(made) is type(expected) and _facts(made) == _facts(expected)


def test_an_application_credential_s_secret_is_hidden(tmp_path: pathlib.Path) -> None:
    from generated.options import OPTIONS

    hidden = {(one.section, one.name) for one in OPTIONS if one.secret}
    for section in ("keystone_authtoken", "neutron", "barbican"):
        for name in ("password", "token", "passcode", "application_credential_secret", "client_secret", "access_token"):
            assert (section, name) in hidden


def test_the_old_version_of_identity_is_read_over(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "manila.conf"
    file.write_text("[neutron]\nauth_version = v3\n[keystone_authtoken]\nauth_version = v3\n")
    load([file])


def test_a_folder_is_read_after_the_files_before_it_in_the_order_of_names(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file, folder = tmp_path / "manila.conf", tmp_path / "conf.d"
    folder.mkdir()
    file.write_text("[DEFAULT]\nhost = file\nosapi_max_limit = 1\nquota_shares = 5\n")
    (folder / "20-second.conf").write_text("[DEFAULT]\nhost = second\n")
    (folder / "10-first.conf").write_text("[DEFAULT]\nhost = first\nosapi_max_limit = 2\n")
    (folder / "notes.txt").write_text("no configuration\n")
    settings = load([file, folder])
    assert (settings.default.host, settings.default.osapi_max_limit) == ("second", 2)
    words = ["manila-manage", "--config-file", str(file), "--config-dir", str(folder), "config", "list"]
    monkeypatch.setattr(sys, "argv", words)
    assert manage.main() == 0 and "host = second\n" in capsys.readouterr().out
    monkeypatch.setattr(sys, "argv", ["manila-manage", "--config-dir", str(tmp_path / "none"), "config", "list"])
    assert manage.main() == 1
    assert str(tmp_path / "none") in capsys.readouterr().err


def test_the_policy_file_is_found_in_the_folder_or_beside_the_files(tmp_path: pathlib.Path) -> None:
    file, folder = tmp_path / "a" / "manila.conf", tmp_path / "conf.d"
    for one in (file.parent, folder):
        one.mkdir()
    file.write_text("[DEFAULT]\nhost = h\n")
    assert load([file, folder]).oslo_policy.policy_file == str(file.parent / "policy.yaml")
    (folder / "policy.yaml").write_text("")
    assert load([file, folder]).oslo_policy.policy_file == str(folder / "policy.yaml")
    assert load([folder]).oslo_policy.policy_file == str(folder / "policy.yaml")


def test_the_folder_of_the_original_is_read_without_being_named(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "manila.conf.d").mkdir()
    (tmp_path / "manila.conf.d" / "a.conf").write_text("[DEFAULT]\nhost = here\n")
    places = tuple(file.replace("/etc/manila", str(tmp_path)) for file in config.DEFAULT_FILES)
    monkeypatch.setattr(config, "DEFAULT_FILES", places)
    assert load().default.host == "here"


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("OS_DEFAULT__OSAPI_MAX_LIMIT", "many"),
        ("OS_KEYSTONE_AUTHTOKEN__INSECURE", "perhaps"),
        ("OS_B__REPORT_INTERVAL", "x"),
    ],
)
def test_a_bad_value_of_the_environment_is_named_as_such(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    file = tmp_path / "manila.conf"
    file.write_text("[DEFAULT]\nhost = h\n")
    monkeypatch.setenv(variable, value)
    if variable.startswith("OS_B_"):
        load([file])  # an option that no section has is nobody's
        return
    with pytest.raises(BadConfiguration, match=f"environment variable {variable}: ") as caught:
        load([file])
    assert str(file) not in str(caught.value)


def test_a_bad_value_of_the_environment_for_a_back_end(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "manila.conf"
    file.write_text("[DEFAULT]\nenabled_share_backends = b\n[b]\nshare_driver = dummy\n")
    monkeypatch.setenv("OS_B__MAX_SHARES_PER_SHARE_SERVER", "many")
    assert "environment variable OS_B__MAX_SHARES_PER_SHARE_SERVER" in load([file]).mistakes["b"]
