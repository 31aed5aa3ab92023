"""``manila.conf``: original names in, frozen settings out, and mistakes told with file, section and option."""

from __future__ import annotations

import pathlib

import pytest

from cli import config, samples
from cli.config import BadConfiguration, load, replaced
from generated.errors import InvalidParameterValue
from generated.options import OPTIONS
from generated.policies import RULES
from scheduler.requests import rules_of
from services.policy import Policy
from worker import backends

TEXT = """\
[DEFAULT]
host = node9
enabled_share_backends = one,two
enabled_share_protocols = NFS,CIFS
quota_shares = 7
osapi_max_limit = 50
network_plugin_ipv6_enabled = true

[quota]
snapshots = 3

[database]
connection = postgresql://u:p@db/manila

[keystone_authtoken]
www_authenticate_uri = http://k/identity
auth_url = http://k/identity

[oslo_policy]
policy_file = rules.yaml

[one]
share_backend_name = ONE
driver_handles_share_servers = true
admin_network_config_group = wires

[two]
share_backend_name = TWO
driver_handles_share_servers = false
reserved_share_percentage = 12

[wires]
standalone_network_plugin_gateway = 10.0.0.1

[kept_for_later]
share_backend_name = THREE
"""


@pytest.fixture
def file(tmp_path: pathlib.Path) -> pathlib.Path:
    made = tmp_path / "manila.conf"
    made.write_text(TEXT)
    return made


def test_options_arrive_under_their_original_names(file: pathlib.Path) -> None:
    found = load([file])
    assert (found.default.host, found.default.osapi_max_limit) == ("node9", 50)
    assert found.default.enabled_share_protocols == ("NFS", "CIFS")
    assert found.database.connection == "postgresql://u:p@db/manila"
    assert found.quota.snapshots == 3
    assert found.backends["one"].driver_handles_share_servers is True
    assert found.backends["two"].reserved_share_percentage == 12
    assert set(found.backends) == {"one", "two"}
    assert found.networks["wires"].standalone_network_plugin_gateway == "10.0.0.1"
    assert found.networks["wires"].network_plugin_ipv6_enabled is True
    assert found.oslo_policy.policy_file == str(file.parent / "rules.yaml")


def test_a_ratio_of_default_is_the_scheduler_s_and_no_back_end_s(file: pathlib.Path) -> None:
    text = TEXT.replace("[DEFAULT]\n", "[DEFAULT]\nmax_over_subscription_ratio = 3.5\n")
    file.write_text(text.replace("[two]\n", "[two]\nmax_over_subscription_ratio = 2\n"))
    found = load([file])
    assert rules_of(found).ratio == 3.5
    assert [found.backends[name].max_over_subscription_ratio for name in ("one", "two")] == [20.0, 2.0]
    file.write_text(TEXT.replace("[DEFAULT]\n", "[DEFAULT]\nmax_over_subscription_ratio = 0.5\n"))
    with pytest.raises(BadConfiguration, match="max_over_subscription_ratio"):
        load([file])


def test_what_a_back_end_does_with_servers_and_rules_is_said_in_its_section(file: pathlib.Path) -> None:
    """In DEFAULT, where the original's sample has them, they do nothing, as there."""
    said = "automatic_share_server_cleanup = {}\nunused_share_server_cleanup_interval = {}\n"
    said += "unmanage_remove_access_rules = {}\n"
    text = TEXT.replace("[DEFAULT]\n", "[DEFAULT]\n" + said.format("false", 700, "true"))
    file.write_text(text.replace("[two]\n", "[two]\n" + said.format("false", 20, "true")))
    found = load([file]).backends
    assert [
        (one.automatic_share_server_cleanup, one.unused_share_server_cleanup_interval, one.unmanage_remove_access_rules)
        for one in (found["one"], found["two"])
    ] == [(True, 10, False), (False, 20, True)]


def test_lists_by_key(file: pathlib.Path) -> None:
    assert load([file]).default.backup_protocol_access_mapping == (("ip", "nfs"),)
    mapping = "backup_protocol_access_mapping = ip:[nfs, cifs],user:[cifs]"
    file.write_text(file.read_text().replace("[DEFAULT]\n", f"[DEFAULT]\n{mapping}\n"))
    assert load([file]).default.backup_protocol_access_mapping == (("ip", "nfs,cifs"), ("user", "cifs"))
    assert load([file]).backends["one"].protocol_access_mapping == (("ip", "nfs"), ("user", "cifs"))


def test_former_names_still_work(file: pathlib.Path) -> None:
    assert load([file]).quota.shares == 7


def test_settings_are_frozen(file: pathlib.Path) -> None:
    found = load([file])
    with pytest.raises(AttributeError):
        found.default.host = "other"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("change", "parts"),
    [
        (("quota_shares = 7", "quota_sharez = 7"), ["[DEFAULT]", "quota_sharez", "not a known option"]),
        (("[quota]\nsnapshots = 3", "[quota]\nsnapshots = many"), ["quota", "snapshots"]),
        (("osapi_max_limit = 50", "osapi_max_limit = x"), ["osapi_max_limit"]),
        (("share_backend_name = TWO", "share_backend_nam = TWO"), ["[two]", "share_backend_nam"]),
        (("[quota]", "[quota"), ["manila.conf"]),
    ],
)
def test_mistakes_stop_the_start(file: pathlib.Path, change: tuple[str, str], parts: list[str]) -> None:
    file.write_text(TEXT.replace(*change))
    with pytest.raises(BadConfiguration) as caught:
        load([file])
    assert str(file) in str(caught.value)
    assert all(part in str(caught.value) for part in parts), str(caught.value)


def test_a_file_of_the_original_is_read_with_the_options_of_its_libraries(file: pathlib.Path) -> None:
    options = "debug = true\nlog_file = /var/log/manila/api.log\ntransport_url = rabbit://u:p@bus\nlog_dir = /tmp\n"
    bus = "[oslo_messaging_rabbit]\nrabbit_quorum_queue = true\n"
    file.write_text(TEXT.replace("[DEFAULT]\n", f"[DEFAULT]\n{options}use_syslog = False\n") + bus)
    found = load([file]).default
    assert (found.debug, found.log_file, found.log_dir) == (True, "/var/log/manila/api.log", "/tmp")


def test_a_missing_file_is_told(tmp_path: pathlib.Path) -> None:
    with pytest.raises(BadConfiguration, match="none.conf"):
        load([tmp_path / "none.conf"])


def test_one_option_can_be_replaced(file: pathlib.Path) -> None:
    found = load([file])
    assert replaced(found, "osapi_max_limit", "9").default.osapi_max_limit == 9
    assert replaced(found, "shares", 2, "quota").quota.shares == 2
    assert replaced(found, "enabled_share_protocols", ["NFS"]).default.enabled_share_protocols == ("NFS",)
    assert replaced(found, "is_deferred_deletion_enabled", True).default.is_deferred_deletion_enabled is True
    assert replaced(found, "reserved_share_percentage", "4", "one").backends["one"].reserved_share_percentage == 4
    assert replaced(found, "standalone_network_plugin_gateway", "1.1.1.1", "wires").networks[
        "wires"
    ].standalone_network_plugin_gateway == "1.1.1.1"  # fmt: skip
    assert found.default.osapi_max_limit == 50
    for option, value in (("nope", 1), ("osapi_max_limit", "x")):
        with pytest.raises(BadConfiguration, match=option):
            replaced(found, option, value)


def test_the_sample_names_every_option_and_can_be_used(tmp_path: pathlib.Path) -> None:
    text = samples.config()
    assert all(f"#{one.name} = " in text for one in OPTIONS)
    made = tmp_path / "manila.conf"
    made.write_text(text)
    assert load([made]).quota == load([]).quota


def test_the_sample_policy_is_the_default(tmp_path: pathlib.Path) -> None:
    text = samples.policies()
    assert all(f'#"{rule.name}": "{rule.check}"' in text for rule in RULES)
    (tmp_path / "manila.conf").write_text("[DEFAULT]\n")
    (tmp_path / "policy.yaml").write_text(
        "\n".join(line.removeprefix("#") if line.startswith('#"') else line for line in text.splitlines())
    )
    policy = Policy(config.load([tmp_path / "manila.conf"]))
    assert len(policy.enforcer.file_rules) == len(RULES)


def test_what_tells_the_originals_libraries_only_is_read_over(file: pathlib.Path) -> None:
    text = file.read_text().replace(
        "[DEFAULT]\n", "[DEFAULT]\napi_paste_config = /etc/manila/api-paste.ini\nos_region_name = R\n"
    )
    text = text.replace(
        "[keystone_authtoken]\n",
        "[keystone_authtoken]\nproject_domain_id = default\nuser_domain_id = other\n"
        "memcache_security_strategy = ENCRYPT\nmemcache_secret_key = k\n",
    )
    file.write_text(text + "\n[neutron]\nauth_uri = http://k\nmemcached_servers = m:11211\nmemcache_secret_key = k\n")
    found = load([file]).keystone_authtoken
    assert (found.project_domain_id, found.user_domain_id) == ("default", "other")
    file.write_text(file.read_text().replace("memcached_servers", "memcached_serverz"))
    with pytest.raises(BadConfiguration, match="memcached_serverz"):
        load([file])


def test_every_unknown_option_is_told_at_once_with_its_line(file: pathlib.Path) -> None:
    text = TEXT.replace("quota_shares = 7", "quota_sharez = 7\n  and more\n# quota_sharey = 1")
    file.write_text(text.replace("share_backend_name = TWO", "share_backend_nam = TWO"))
    second = file.parent / "more.conf"
    second.write_text("\n[keystone_authtoken]\nwww_authenticate = x\n")
    lines = file.read_text().splitlines()
    with pytest.raises(BadConfiguration) as caught:
        load([file, second])
    assert str(caught.value).splitlines() == [
        f"{file}:{lines.index('quota_sharez = 7') + 1}: [DEFAULT] quota_sharez is not a known option",
        f"{file}:{lines.index('share_backend_nam = TWO') + 1}: [two] share_backend_nam is not a known option",
        f"{second}:3: [keystone_authtoken] www_authenticate is not a known option",
    ]


KOLLA = """
[keystone_authtoken]
memcache_use_advanced_pool = True
memcache_pool_maxsize = 10
memcache_security_strategy = ENCRYPT
memcache_secret_key = k
memcached_servers = m:11211
[neutron]
valid_interfaces = internal
endpoint_override = http://n
region_name = R
memcache_use_advanced_pool = True
[nova]
auth_url = http://k
valid_interfaces = internal
[service_user]
send_service_user_token = True
[barbican]
auth_endpoint = http://k
barbican_endpoint_type = internal
verify_ssl_path = /etc/ca.pem
[database]
mysql_enable_ndb = False
mysql_wsrep_sync_wait = 1
tcp_keepidle = 5
max_retries = -1
[cache]
enabled = True
[privsep]
helper_command = sudo
"""


def merged(text: str, more: str) -> str:
    """A file with the options of another added at the head of their sections."""
    for part in more.strip().split("\n[")[0:]:
        name, _, options = part.lstrip("[").partition("]\n")
        head = f"[{name}]\n"
        text = text.replace(head, f"{head}{options}\n") if head in text else f"{text}\n{head}{options}\n"
    return text


def test_options_of_clients_and_libraries_in_kollas_files_are_read_over(file: pathlib.Path) -> None:
    file.write_text(merged(TEXT, KOLLA))
    assert load([file]).neutron.region_name == "R"


def test_who_logs_in_is_never_read_over(file: pathlib.Path) -> None:
    file.write_text(merged(TEXT, "[keystone_authtoken]\nconsumer_key = a"))
    with pytest.raises(BadConfiguration, match="consumer_key"):
        load([file])


def test_what_a_driver_is_told_that_is_not_here_is_not_ours_to_know(file: pathlib.Path) -> None:
    text = TEXT.replace("enabled_share_backends = one,two", "enabled_share_backends = one,two,generic1")
    own = "[generic1]\nshare_driver = manila.share.drivers.generic.GenericShareDriver\nservice_instance_user = m\n"
    file.write_text(text + own)
    assert load([file]).backends["generic1"].share_driver == "manila.share.drivers.generic.GenericShareDriver"
    file.write_text(text + own.replace("manila.share.drivers.generic.GenericShareDriver", "dummy"))
    with pytest.raises(BadConfiguration, match=r"\[generic1\] service_instance_user is not a known option"):
        load([file])


@pytest.mark.parametrize(
    ("change", "parts"),
    [
        (("reserved_share_percentage = 12", "reserved_share_percentage = a"), ["reserved_share_percentage"]),
        (
            ("reserved_share_percentage = 12", "kubernetes_attachment = ovn_port\nreserved_share_percentage = a"),
            ["kubernetes_attachment", "ovn_port", "ovn-port", "reserved_share_percentage"],
        ),
        (("share_backend_name = TWO", "neutron_nfs_access = maybe"), ["neutron_nfs_access", "maybe"]),
    ],
)
def test_a_bad_value_of_a_back_end_is_its_own(file: pathlib.Path, change: tuple[str, str], parts: list[str]) -> None:
    file.write_text(TEXT.replace(*change))
    found = load([file])
    assert (set(found.backends), set(found.mistakes)) == ({"one"}, {"two"})
    assert found.mistakes["two"].startswith("[two] ")
    assert all(part in found.mistakes["two"] for part in parts), found.mistakes
    with pytest.raises(InvalidParameterValue, match=r"^\[two\] "):
        backends.section_of(found, "two")


def test_a_bad_value_that_several_back_ends_may_share_stops_the_start(file: pathlib.Path) -> None:
    file.write_text(TEXT.replace("[wires]\n", "[wires]\nneutron_nfs_access = maybe\n"))
    with pytest.raises(BadConfiguration, match=r"\[wires\] neutron_nfs_access"):
        load([file])
