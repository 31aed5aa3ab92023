"""Every option of the configuration file.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.options import (
    api,
    back_end,
    barbican,
    coordination,
    cors,
    database,
    default,
    key_manager,
    keystone_authtoken,
    network,
    neutron,
    openkeel,
    oslo_concurrency,
    oslo_messaging_notifications,
    oslo_middleware,
    oslo_policy,
    quota,
)
from generated.options.option import BACKEND, NETWORK, Option

__all__ = ["BACKEND", "NETWORK", "OPTIONS", "Option"]

OPTIONS: tuple[Option, ...] = (
    *api.OPTIONS,
    *back_end.OPTIONS,
    *barbican.OPTIONS,
    *coordination.OPTIONS,
    *cors.OPTIONS,
    *database.OPTIONS,
    *default.OPTIONS,
    *key_manager.OPTIONS,
    *keystone_authtoken.OPTIONS,
    *network.OPTIONS,
    *neutron.OPTIONS,
    *openkeel.OPTIONS,
    *oslo_concurrency.OPTIONS,
    *oslo_messaging_notifications.OPTIONS,
    *oslo_middleware.OPTIONS,
    *oslo_policy.OPTIONS,
    *quota.OPTIONS,
)
