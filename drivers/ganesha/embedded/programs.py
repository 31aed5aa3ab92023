"""Which Ganesha this machine's gateways run, and whether it may be."""

from __future__ import annotations

import logging
from pathlib import Path

from drivers.ganesha.gateway.config import Serving
from drivers.ganesha.options import GaneshaOptions, minor_versions
from drivers.ganesha.program import found, pins
from generated.errors import ShareBackendException

log = logging.getLogger(__name__)
_OLDEST = ".".join(map(str, pins.OLDEST))


def admitted(options: GaneshaOptions) -> found.Program:
    """The Ganesha that the options name, or the machine's.

    Raises:
        ShareBackendException: there is none, or it is older than what tenants' data is safe with and the options do
            not allow that. The text says what to do.
    """
    root = Path(options.ganesha_root) if options.ganesha_root else None
    try:
        program = found.chosen(root)
    except found.Unusable as error:
        raise ShareBackendException(msg=str(error)) from error
    serving(options, program)
    if not program.old:
        return program
    reason = (
        f"NFS-Ganesha {program.release} ({program.words[0]}) is older than {_OLDEST}: Linux clients from 6.6 on read "
        "zeros with NFS 4.2 and write them back, those from 6.19 on can't list folders, and many processes that lock "
        "one file crash it"
    )
    if not options.ganesha_allow_old:
        raise ShareBackendException(msg=f"{reason}. {found.WAY_OUT}; ganesha_allow_old = true runs the old one anyway")
    offered = ", ".join(f"4.{minor}" for minor in serving(options, program).minors)
    log.warning("%s. It is allowed by ganesha_allow_old; NFS %s is offered, without 4.2", reason, offered)
    return program


def serving(options: GaneshaOptions, program: found.Program) -> Serving:
    """How gateways serve; an old Ganesha without NFS 4.2, in which it loses data.

    Raises:
        ShareBackendException: no minor version is left.
    """
    minors = minor_versions(options)
    if program.old:
        minors = tuple(one for one in minors if one != 2)
    if not minors:
        text = f"ganesha_minor_versions = 2 can't be had of NFS-Ganesha {program.release}, which loses data with it"
        raise ShareBackendException(msg=text)
    return Serving(
        version=program.version,
        plugins=program.plugins,
        minors=minors,
        grace=options.ganesha_grace_period,
        lease=options.ganesha_lease_lifetime,
        metrics=options.ganesha_metrics_port,
    )
