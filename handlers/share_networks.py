"""Share networks."""

from __future__ import annotations

import builtins
import time

from db import migrations_of_servers, quotas, security_services, share_networks, subnets
from db.connection import Conn
from generated.errors import InvalidInput
from generated.microversions import LIKE_FILTERS, SUBNET_METADATA, SUBNETS
from generated.runtime import Fault, Json, Row
from generated.views.share_networks import SHARE_NETWORK, SHARE_NETWORK_SUMMARY
from handlers.call import Call, Reply
from handlers.network_values import given_time, segment
from handlers.paging import after_marker, page
from services import networks
from services.literals import items_of_new
from services.values import LARGEST_INT, kept_text, strict_bool

TEXTS = {"name": 255, "description": 255}
IDS = dict.fromkeys(networks.NEUTRON_IDS, 36)
NOT_FILTERS = (
    "all_tenants", "created_since", "created_before", "limit", "offset", "security_service_id", "project_id",
)  # fmt: skip
HIDDEN = ("network_type", "segmentation_id")
INTEGERS = ("ip_version", "segmentation_id")


def shown(call: Call, row: Row) -> Json:
    """A network as this version shows it."""
    return SHARE_NETWORK[call.version](networks.with_default_subnet(row), call.see)


def _values(call: Call) -> dict[str, Json]:
    if not call.has("share_network"):
        raise Fault(422)
    values = call.body["share_network"]
    if not isinstance(values, dict):
        raise Fault(400)
    return _kept(values)


def _kept(values: dict[str, Json]) -> dict[str, Json]:
    return {name: kept_text(value) if name in TEXTS or name in IDS else value for name, value in values.items()}


async def show(call: Call) -> Reply:
    """One network."""
    call.ctx.enforce("share_network:show")
    async with call.core.db.read() as conn:
        row = await networks.find_or_404(conn, call.ctx, call.path["id"])
    return Reply({"share_network": shown(call, row)})


async def create(call: Call) -> Reply:
    """A network with its first subnet."""
    call.ctx.enforce("share_network:create")
    values = _values(call)
    if "nova_net_id" in values:
        raise Fault(400, "nova networking is not supported starting in Ocata.")
    async with call.core.db.write() as conn:
        subnet = {name: values[name] for name in networks.NEUTRON_IDS if name in values}
        if call.version >= SUBNETS and "availability_zone" in values:
            subnet["availability_zone_id"] = await networks.zone_id(conn, values["availability_zone"])
        networks.check_neutron_ids(values)
        networks.check_texts(values, {**TEXTS, **IDS})
        dated, described = given_time(values), segment(values)
        items = items_of_new(values.get("metadata") or None) if call.version >= SUBNET_METADATA else {}
        network = {name: values[name] for name in TEXTS if name in values} | dated
        subnet |= {**described, **dated}
        row = await networks.create(conn, call.core, call.ctx, network, subnet, items)
    return Reply({"share_network": shown(call, row)})


async def update(call: Call) -> Reply:
    """Name and description; the Neutron ids while no share server uses them."""
    call.ctx.enforce("share_network:update")
    if not call.has("share_network"):
        raise Fault(422)
    sent = call.body["share_network"]
    named = sent if isinstance(sent, (str, dict)) else ()
    async with call.core.db.write() as conn:
        row = await networks.find_or_404(conn, call.ctx, call.path["id"], lock=True)
        if "nova_net_id" in named:
            raise Fault(400, "nova networking is not supported starting in Ocata.")
        if row["servers"] and any(one not in TEXTS for one in named):
            raise Fault(
                403,
                f"Cannot update share network {row['id']}. It is used by share servers. Only 'name' and "
                "'description' fields are available for update",
            )
        if not isinstance(sent, dict):
            raise Fault(400)
        values = _kept(sent)
        networks.check_texts(values, {**TEXTS, **IDS}, "Could not save supplied data due to database error")
        if any(name in values for name in networks.NEUTRON_IDS):
            await _update_subnet(conn, row, values)
        given = {name: values[name] for name in TEXTS if name in values}
        await share_networks.change(conn, row["id"], networks.changed(row, given))
        row = networks.as_sent(await networks.find(conn, call.ctx, row["id"]), sent, TEXTS)
    return Reply({"share_network": shown(call, row)})


async def _update_subnet(conn: Conn, network: Row, values: dict[str, Json]) -> None:
    """Change the Neutron ids of the network's only default subnet. Raises Fault 400."""
    defaults = [one for one in network["share_network_subnets"] if one["is_default"]]
    if len(defaults) != 1:
        word = "an unique" if defaults else "a"
        raise Fault(
            400,
            f"The share network {network['id']} does not have {word} 'default' subnet that serves all availability "
            "zones, so subnet details ('neutron_net_id', 'neutron_subnet_id') cannot be updated.",
        )
    empty = all(defaults[0][name] is None for name in networks.NEUTRON_IDS)
    if empty and any(values.get(name) is None for name in networks.NEUTRON_IDS):
        raise Fault(
            400,
            f"To update the share network {network['id']} you need to specify both 'neutron_net_id' and "
            "'neutron_subnet_id'.",
        )
    given = {name: values[name] for name in networks.NEUTRON_IDS if name in values}
    await subnets.describe(conn, defaults[0]["id"], networks.changed(defaults[0], given))


async def delete(call: Call) -> Reply:
    """Remove a network that nothing uses, with its subnet and idle share servers."""
    call.ctx.enforce("share_network:delete")
    async with call.core.db.write() as conn:
        row = await networks.find_or_404(conn, call.ctx, call.path["id"], lock=True)
        await _check_deletable(conn, row)
        subnet_ids = [one["id"] for one in row["share_network_subnets"]]
        servers = await subnets.servers_on(conn, subnet_ids)
        for server in servers:
            if not server["is_auto_deletable"]:
                raise Fault(
                    409,
                    "The service cannot determine if there are any non-managed shares on the share network subnet "
                    f"{server['subnet_id']}, so it cannot be deleted. Please contact the cloud administrator to "
                    "rectify.",
                )
        for server in servers:
            await networks.delete_server(conn, server, call.ctx.request_id)
        await security_services.take_away(conn, row["id"])
        await subnets.remove(conn, subnet_ids)
        await share_networks.remove(conn, row["id"])
        await quotas.reserve(conn, row["project_id"], row["user_id"] or "", {"share_networks": -1})
    return Reply()


async def _check_deletable(conn: Conn, network: Row) -> None:
    """Raise Fault 409 for a network with shares, groups, or more than one subnet."""
    instances, groups = await share_networks.in_use(conn, network["id"])
    if instances:
        raise Fault(409, f"Can not delete share network {network['id']}, it has {instances} share(s).")
    if groups:
        raise Fault(409, f"Can not delete share network {network['id']}, it has {groups} share group(s).")
    if await migrations_of_servers.on_network(conn, network["id"]):
        raise Fault(409, f"Can not delete share network {network['id']}, a share server is being migrated to it.")
    if len(network["share_network_subnets"]) > 1:
        raise Fault(
            409,
            f"The share network {network['id']} has more than one subnet attached. Please remove the subnets untill "
            "you have one or no subnets remaining.",
        )


async def list(call: Call) -> Reply:
    """Ids and names of the networks that meet the filters."""
    call.ctx.enforce("share_network:index")
    rows = await _listed(call)
    return Reply({"share_networks": await call.shown(SHARE_NETWORK_SUMMARY[call.version], rows)})


async def detail(call: Call) -> Reply:
    """The networks that meet the filters."""
    call.ctx.enforce("share_network:detail")
    view = SHARE_NETWORK[call.version]
    rows = await _listed(call)
    return Reply({"share_networks": await call.shown(view, rows, networks.with_default_subnet)})


def project_of_list(call: Call) -> str | None:
    """Whose rows a list shows: None is everybody's; ``project_id`` and ``all_tenants`` are for administrators."""
    if not call.ctx.is_admin:
        return call.ctx.project_id or ""
    if "project_id" in call.query:
        return call.query.get("project_id")
    return None if all_tenants(call) else call.ctx.project_id or ""


def all_tenants(call: Call) -> bool:
    """The query parameter ``all_tenants``; an empty value is true. Raises InvalidInput (400)."""
    text = call.query.get("all_tenants")
    if not text:
        return text is not None
    try:
        return strict_bool(text)
    except ValueError as error:
        raise InvalidInput(str(error)) from error


async def _listed(call: Call) -> builtins.list[Row]:
    project = project_of_list(call)
    given = call.query.as_dict()
    filters: dict[str, str] = {}
    for name in ("created_since", "created_before"):
        if name in given:
            filters[name] = _date(given[name])
    if "security_service_id" in given:
        filters["security_service_id"] = given["security_service_id"]
    async with call.core.db.read() as conn:
        rows = await share_networks.list_all(conn, project, filters)
    given.pop("marker", None)
    hidden = () if call.see.network_details else HIDDEN
    for name, text in given.items():
        if name in NOT_FILTERS or name in hidden:
            continue
        value: str | int = _number(name, text) if name in INTEGERS else text
        rows = [row for row in rows if _matches(row, name, value, like=call.version >= LIKE_FILTERS)]
    return builtins.list(page(call, after_marker(call, rows)))


def _date(text: str) -> str:
    try:
        return time.strftime("%Y-%m-%d", time.strptime(text, "%Y-%m-%d"))
    except ValueError:
        raise Fault(400, f"{text} is not in yyyy-mm-dd format.") from None


def _number(name: str, text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        raise Fault(400, f"{name} must be an integer.") from None
    return min(value, LARGEST_INT)


def _matches(network: Row, name: str, value: str | int, *, like: bool) -> bool:
    """Whether the network or one of its subnets has this value; ``name~`` asks for a part of a text."""
    holders = [network, *network["share_network_subnets"]]
    if any(holder.get(name) == value for holder in holders):
        return True
    if not like or not name.endswith("~"):
        return False
    plain = name.rstrip("~")
    return any(isinstance(holder.get(plain), str) and str(value) in holder[plain] for holder in holders)
