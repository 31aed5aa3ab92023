"""Make a back end enforce the access rules that the rows say.

The rows hold the wanted rules, whatever requests led to them: one run takes up all queued changes of a share instance,
and a run that finds none has nothing to do. So any number of requests, in any order, end with what the API shows.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping, Sequence

import structlog

from db import access_sync, driver_rows
from drivers.base import RuleUpdate
from generated.errors import ShareResourceNotFound
from generated.messages import Action, Detail
from generated.runtime import Row
from services.work import AccessUpdate
from worker.operation import INFRASTRUCTURE, Finished, Operation, Step, Work

LOG = structlog.get_logger("worker")
Results = dict[str, RuleUpdate]
REFUSALS = {"unsupported": Detail.UNSUPPORTED_CLIENT_ACCESS, "forbidden": Detail.FORBIDDEN_CLIENT_ACCESS}
_CHANGING = ("applying", "denying", "updating")


async def take_up(work: Work) -> None:
    """Queued rules become ``applying``, ``denying`` or ``updating``; those of a run that died are there already."""
    instance_id = work.job(AccessUpdate).instance_id
    async with work.write() as conn:
        work.state["rules"] = rules = await access_sync.mark(conn, instance_id)
    if not any(rule["state"] in _CHANGING for rule in rules):
        raise Finished


async def enforce(work: Work) -> None:
    """Let the driver apply them. One bad rule ends in error alone."""
    instance_id = work.job(AccessUpdate).instance_id
    async with work.core.db.read() as conn:
        share, server = await driver_rows.share_on_server(conn, instance_id)
    if share is None:
        raise Finished
    work.state["project_id"] = share["project_id"]
    work.state["results"] = await apply(work, share, server, work.state["rules"])


async def record(work: Work) -> None:
    """Write what came of it; the owner is told why a rule is refused, where the driver says it."""
    job, results = work.job(AccessUpdate), work.state["results"]
    fresh = [rule["id"] for rule in work.state["rules"] if rule["state"] in _CHANGING]
    reasons = {results[one].get("refused") for one in fresh if one in results}
    async with work.write() as conn:
        await access_sync.settle(conn, job.instance_id, results)
        for detail in [REFUSALS[one] for one in REFUSALS if one in reasons]:
            project = work.state["project_id"]
            await work.tell(conn, Action.UPDATE_ACCESS_RULES, project, job.share_id, detail=detail)


async def apply(work: Work, share: Row, server: Row | None, rules: Sequence[Row]) -> Results:
    """What became of each rule that went otherwise than asked.

    When the driver refuses several changes at once, they are tried one by one, so that a rule that can't be applied
    does not take the others with it.
    """
    if share["cast_rules_to_readonly"]:
        rules = [{**rule, "access_level": "ro"} for rule in rules]
    sent = _understood(work, share, rules)
    try:
        return dict(await _update(work, share, server, sent))
    except INFRASTRUCTURE:
        raise
    except Exception as error:
        changing = [rule for rule in sent if rule["state"] in _CHANGING]
        if not changing:
            raise
        if len(changing) == 1:
            return _refused(changing[0], error)
        LOG.warning("the driver refused several rules, each is tried alone", share=share["share_id"], error=repr(error))
    return await _one_by_one(work, share, server, sent)


async def _one_by_one(work: Work, share: Row, server: Row | None, rules: Sequence[Row]) -> Results:
    results: Results = {}
    standing = [rule for rule in rules if rule["state"] != "applying"]
    for rule in [one for one in rules if one["state"] in _CHANGING]:
        if rule["state"] == "applying":
            standing = [*standing, rule]
        alone = [{**one, "state": one["state"] if one is rule else "active"} for one in standing]
        try:
            results |= dict(await _update(work, share, server, alone))
        except INFRASTRUCTURE:
            raise
        except Exception as error:
            results |= _refused(rule, error)
        if rule["state"] == "denying" or results.get(rule["id"], {}).get("state") == "error":
            standing = [one for one in standing if one is not rule]
    return results


def _refused(rule: Row, error: Exception) -> Results:
    """A rule that is gone already counts as removed; any other error is the rule's."""
    if rule["state"] == "denying" and isinstance(error, ShareResourceNotFound):
        return {}
    LOG.warning("the driver refused a rule", rule=rule["id"], state=rule["state"], error=repr(error))
    return {rule["id"]: {"state": "error"}}


def _understood(work: Work, share: Row, rules: Sequence[Row]) -> list[Row]:
    """Without the IPv6 rules that the back end's exports can't have: they count as applied, they let nobody in."""
    if share["share_proto"].lower() != "nfs" or 6 in work.driver.get_configured_ip_versions():
        return list(rules)
    return [
        rule for rule in rules if rule["access_type"] != "ip" or ipaddress.ip_network(rule["access_to"]).version == 4
    ]


async def _update(work: Work, share: Row, server: Row | None, rules: Sequence[Row]) -> Mapping[str, RuleUpdate]:
    by_state = {state: [rule for rule in rules if rule["state"] == state] for state in _CHANGING}
    try:
        found = await work.driver.update_access(
            share,
            [rule for rule in rules if rule["state"] != "denying"],
            by_state["applying"],
            by_state["denying"],
            by_state["updating"],
            share_server=server,
        )
    except NotImplementedError:
        return await _rule_by_rule(work, share, server, by_state)
    return found or {}


async def _rule_by_rule(
    work: Work, share: Row, server: Row | None, by_state: Mapping[str, Sequence[Row]]
) -> Mapping[str, RuleUpdate]:
    """The older calls of a driver that is told of one rule at a time; it can't be told to make everything match."""
    found: dict[str, RuleUpdate] = {}
    for rule in (*by_state["denying"], *by_state["updating"]):
        await work.driver.deny_access(share, rule, share_server=server)
    for rule in (*by_state["updating"], *by_state["applying"]):
        key = await work.driver.allow_access(share, rule, share_server=server)
        if key:
            found[rule["id"]] = {"access_key": key}
    return found


async def remove_all(work: Work, share: Row, server: Row | None) -> None:
    """Take every rule off a share instance that is about to go, from the back end and from the rows.

    Whatever the driver raises is passed on. After a refusal the rules are in error: nobody knows which still let in.
    """
    async with work.core.db.read() as conn:
        rules = (await driver_rows.rules(conn, [share["id"]]))[share["id"]]
    if rules:
        try:
            await _deny_all(work, share, server, rules)
        except (*INFRASTRUCTURE, ShareResourceNotFound):
            raise
        except Exception:
            async with work.write() as conn:
                await access_sync.fail(conn, share["id"], ("active", *access_sync.TAKEN_UP))
            raise
    async with work.write() as conn:
        await access_sync.forget(conn, share["id"])


async def _deny_all(work: Work, share: Row, server: Row | None, rules: Sequence[Row]) -> None:
    try:
        await work.driver.update_access(share, [], [], rules, [], share_server=server)
    except NotImplementedError:
        for rule in rules:
            await work.driver.deny_access(share, rule, share_server=server)


async def failed(work: Work, error: Exception) -> None:
    """The changes taken up end in error."""
    async with work.write() as conn:
        await access_sync.fail(conn, work.job(AccessUpdate).instance_id)


OPERATION = Operation(
    AccessUpdate,
    (Step("take_up", take_up), Step("enforce", enforce), Step("record", record)),
    failed,
)
