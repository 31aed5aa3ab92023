"""Options of section ``quota``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.options.option import Option

OPTIONS: tuple[Option, ...] = (
    Option("quota", "shares", "shares", "int", 50, old_names=("DEFAULT.quota_shares",), help="Shares per project."),
    Option(
        "quota",
        "snapshots",
        "snapshots",
        "int",
        50,
        old_names=("DEFAULT.quota_snapshots",),
        help="Snapshots per project.",
    ),
    Option(
        "quota",
        "gigabytes",
        "gigabytes",
        "int",
        1000,
        old_names=("DEFAULT.quota_gigabytes",),
        help="GiB of shares per project.",
    ),
    Option(
        "quota",
        "per_share_gigabytes",
        "per_share_gigabytes",
        "int",
        -1,
        old_names=("DEFAULT.quota_per_share_gigabytes",),
        help="Largest size of one share, -1 no limit.",
    ),
    Option(
        "quota",
        "snapshot_gigabytes",
        "snapshot_gigabytes",
        "int",
        1000,
        old_names=("DEFAULT.quota_snapshot_gigabytes",),
        help="GiB of snapshots per project.",
    ),
    Option(
        "quota",
        "share_networks",
        "share_networks",
        "int",
        10,
        old_names=("DEFAULT.quota_share_networks",),
        help="Share networks per project.",
    ),
    Option(
        "quota",
        "share_replicas",
        "share_replicas",
        "int",
        100,
        old_names=("DEFAULT.quota_share_replicas",),
        help="Replicas per project.",
    ),
    Option(
        "quota",
        "replica_gigabytes",
        "replica_gigabytes",
        "int",
        1000,
        old_names=("DEFAULT.quota_replica_gigabytes",),
        help="GiB of replicas per project.",
    ),
    Option(
        "quota",
        "share_groups",
        "share_groups",
        "int",
        50,
        old_names=("DEFAULT.quota_share_groups",),
        help="Share groups per project.",
    ),
    Option(
        "quota",
        "share_group_snapshots",
        "share_group_snapshots",
        "int",
        50,
        old_names=("DEFAULT.quota_share_group_snapshots",),
        help="Share group snapshots per project.",
    ),
    Option(
        "quota",
        "reservation_expire",
        "reservation_expire",
        "int",
        86400,
        help="Seconds after which an uncommitted reservation is void.",
    ),
    Option(
        "quota", "until_refresh", "until_refresh", "int", 0, help="Reservations between two usage refreshes, 0 never."
    ),
    Option("quota", "max_age", "max_age", "int", 0, help="Seconds between two usage refreshes, 0 never."),
    Option(
        "quota",
        "driver",
        "driver",
        "str",
        "manila.quota.DbQuotaDriver",
        old_names=("DEFAULT.quota_driver",),
        help="Quota class.",
    ),
    Option("quota", "backups", "backups", "int", 10, old_names=("DEFAULT.quota_backups",), help="Backups per project."),
    Option(
        "quota",
        "backup_gigabytes",
        "backup_gigabytes",
        "int",
        1000,
        old_names=("DEFAULT.quota_backup_gigabytes",),
        help="GiB of backups per project.",
    ),
    Option("quota", "encryption_keys", "encryption_keys", "int", 100, help="Encryption keys per project."),
)
