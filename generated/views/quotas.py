"""Views of ``quotas``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from generated.runtime import Json, Row, See, by_version


def quota_class_set_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    return {
        "shares": row["shares"],
        "gigabytes": row["gigabytes"],
        "snapshots": row["snapshots"],
        "snapshot_gigabytes": row["snapshot_gigabytes"],
        "share_networks": row["share_networks"],
        "id": row["id"],
    }


def quota_class_set_40(row: Row, see: See) -> dict[str, Json]:
    """From 2.40 on: with share_groups, with share_group_snapshots."""
    return {
        "shares": row["shares"],
        "gigabytes": row["gigabytes"],
        "snapshots": row["snapshots"],
        "snapshot_gigabytes": row["snapshot_gigabytes"],
        "share_networks": row["share_networks"],
        "id": row["id"],
        "share_groups": row["share_groups"],
        "share_group_snapshots": row["share_group_snapshots"],
    }


def quota_class_set_53(row: Row, see: See) -> dict[str, Json]:
    """From 2.53 on: with share_replicas, with replica_gigabytes."""
    return {
        "shares": row["shares"],
        "gigabytes": row["gigabytes"],
        "snapshots": row["snapshots"],
        "snapshot_gigabytes": row["snapshot_gigabytes"],
        "share_networks": row["share_networks"],
        "id": row["id"],
        "share_groups": row["share_groups"],
        "share_group_snapshots": row["share_group_snapshots"],
        "share_replicas": row["share_replicas"],
        "replica_gigabytes": row["replica_gigabytes"],
    }


def quota_class_set_62(row: Row, see: See) -> dict[str, Json]:
    """From 2.62 on: with per_share_gigabytes."""
    return {
        "shares": row["shares"],
        "gigabytes": row["gigabytes"],
        "snapshots": row["snapshots"],
        "snapshot_gigabytes": row["snapshot_gigabytes"],
        "share_networks": row["share_networks"],
        "id": row["id"],
        "share_groups": row["share_groups"],
        "share_group_snapshots": row["share_group_snapshots"],
        "share_replicas": row["share_replicas"],
        "replica_gigabytes": row["replica_gigabytes"],
        "per_share_gigabytes": row["per_share_gigabytes"],
    }


def quota_class_set_80(row: Row, see: See) -> dict[str, Json]:
    """From 2.80 on: with backups, with backup_gigabytes."""
    return {
        "shares": row["shares"],
        "gigabytes": row["gigabytes"],
        "snapshots": row["snapshots"],
        "snapshot_gigabytes": row["snapshot_gigabytes"],
        "share_networks": row["share_networks"],
        "id": row["id"],
        "share_groups": row["share_groups"],
        "share_group_snapshots": row["share_group_snapshots"],
        "share_replicas": row["share_replicas"],
        "replica_gigabytes": row["replica_gigabytes"],
        "per_share_gigabytes": row["per_share_gigabytes"],
        "backups": row["backups"],
        "backup_gigabytes": row["backup_gigabytes"],
    }


def quota_class_set_90(row: Row, see: See) -> dict[str, Json]:
    """From 2.90 on: with encryption_keys."""
    return {
        "shares": row["shares"],
        "gigabytes": row["gigabytes"],
        "snapshots": row["snapshots"],
        "snapshot_gigabytes": row["snapshot_gigabytes"],
        "share_networks": row["share_networks"],
        "id": row["id"],
        "share_groups": row["share_groups"],
        "share_group_snapshots": row["share_group_snapshots"],
        "share_replicas": row["share_replicas"],
        "replica_gigabytes": row["replica_gigabytes"],
        "per_share_gigabytes": row["per_share_gigabytes"],
        "backups": row["backups"],
        "backup_gigabytes": row["backup_gigabytes"],
        "encryption_keys": row["encryption_keys"],
    }


QUOTA_CLASS_SET = by_version(
    (0, quota_class_set_0),
    (40, quota_class_set_40),
    (53, quota_class_set_53),
    (62, quota_class_set_62),
    (80, quota_class_set_80),
    (90, quota_class_set_90),
)


def quota_class_set_updated_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    return {
        "shares": row["shares"],
        "gigabytes": row["gigabytes"],
        "snapshots": row["snapshots"],
        "snapshot_gigabytes": row["snapshot_gigabytes"],
        "share_networks": row["share_networks"],
    }


def quota_class_set_updated_40(row: Row, see: See) -> dict[str, Json]:
    """From 2.40 on: with share_groups, with share_group_snapshots."""
    return {
        "shares": row["shares"],
        "gigabytes": row["gigabytes"],
        "snapshots": row["snapshots"],
        "snapshot_gigabytes": row["snapshot_gigabytes"],
        "share_networks": row["share_networks"],
        "share_groups": row["share_groups"],
        "share_group_snapshots": row["share_group_snapshots"],
    }


def quota_class_set_updated_53(row: Row, see: See) -> dict[str, Json]:
    """From 2.53 on: with share_replicas, with replica_gigabytes."""
    return {
        "shares": row["shares"],
        "gigabytes": row["gigabytes"],
        "snapshots": row["snapshots"],
        "snapshot_gigabytes": row["snapshot_gigabytes"],
        "share_networks": row["share_networks"],
        "share_groups": row["share_groups"],
        "share_group_snapshots": row["share_group_snapshots"],
        "share_replicas": row["share_replicas"],
        "replica_gigabytes": row["replica_gigabytes"],
    }


def quota_class_set_updated_62(row: Row, see: See) -> dict[str, Json]:
    """From 2.62 on: with per_share_gigabytes."""
    return {
        "shares": row["shares"],
        "gigabytes": row["gigabytes"],
        "snapshots": row["snapshots"],
        "snapshot_gigabytes": row["snapshot_gigabytes"],
        "share_networks": row["share_networks"],
        "share_groups": row["share_groups"],
        "share_group_snapshots": row["share_group_snapshots"],
        "share_replicas": row["share_replicas"],
        "replica_gigabytes": row["replica_gigabytes"],
        "per_share_gigabytes": row["per_share_gigabytes"],
    }


def quota_class_set_updated_80(row: Row, see: See) -> dict[str, Json]:
    """From 2.80 on: with backups, with backup_gigabytes."""
    return {
        "shares": row["shares"],
        "gigabytes": row["gigabytes"],
        "snapshots": row["snapshots"],
        "snapshot_gigabytes": row["snapshot_gigabytes"],
        "share_networks": row["share_networks"],
        "share_groups": row["share_groups"],
        "share_group_snapshots": row["share_group_snapshots"],
        "share_replicas": row["share_replicas"],
        "replica_gigabytes": row["replica_gigabytes"],
        "per_share_gigabytes": row["per_share_gigabytes"],
        "backups": row["backups"],
        "backup_gigabytes": row["backup_gigabytes"],
    }


def quota_class_set_updated_90(row: Row, see: See) -> dict[str, Json]:
    """From 2.90 on: with encryption_keys."""
    return {
        "shares": row["shares"],
        "gigabytes": row["gigabytes"],
        "snapshots": row["snapshots"],
        "snapshot_gigabytes": row["snapshot_gigabytes"],
        "share_networks": row["share_networks"],
        "share_groups": row["share_groups"],
        "share_group_snapshots": row["share_group_snapshots"],
        "share_replicas": row["share_replicas"],
        "replica_gigabytes": row["replica_gigabytes"],
        "per_share_gigabytes": row["per_share_gigabytes"],
        "backups": row["backups"],
        "backup_gigabytes": row["backup_gigabytes"],
        "encryption_keys": row["encryption_keys"],
    }


QUOTA_CLASS_SET_UPDATED = by_version(
    (0, quota_class_set_updated_0),
    (40, quota_class_set_updated_40),
    (53, quota_class_set_updated_53),
    (62, quota_class_set_updated_62),
    (80, quota_class_set_updated_80),
    (90, quota_class_set_updated_90),
)


def quota_set_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    return {
        "shares": row["shares"],
        "gigabytes": row["gigabytes"],
        "snapshots": row["snapshots"],
        "snapshot_gigabytes": row["snapshot_gigabytes"],
        "id": row["id"],
        "share_networks": row["share_networks"],
    }


def quota_set_40(row: Row, see: See) -> dict[str, Json]:
    """From 2.40 on: with share_groups, with share_group_snapshots."""
    return {
        "shares": row["shares"],
        "gigabytes": row["gigabytes"],
        "snapshots": row["snapshots"],
        "snapshot_gigabytes": row["snapshot_gigabytes"],
        "id": row["id"],
        "share_networks": row["share_networks"],
        "share_groups": row["share_groups"],
        "share_group_snapshots": row["share_group_snapshots"],
    }


def quota_set_53(row: Row, see: See) -> dict[str, Json]:
    """From 2.53 on: with share_replicas, with replica_gigabytes."""
    return {
        "shares": row["shares"],
        "gigabytes": row["gigabytes"],
        "snapshots": row["snapshots"],
        "snapshot_gigabytes": row["snapshot_gigabytes"],
        "id": row["id"],
        "share_networks": row["share_networks"],
        "share_groups": row["share_groups"],
        "share_group_snapshots": row["share_group_snapshots"],
        "share_replicas": row["share_replicas"],
        "replica_gigabytes": row["replica_gigabytes"],
    }


def quota_set_62(row: Row, see: See) -> dict[str, Json]:
    """From 2.62 on: with per_share_gigabytes."""
    return {
        "shares": row["shares"],
        "gigabytes": row["gigabytes"],
        "snapshots": row["snapshots"],
        "snapshot_gigabytes": row["snapshot_gigabytes"],
        "id": row["id"],
        "share_networks": row["share_networks"],
        "share_groups": row["share_groups"],
        "share_group_snapshots": row["share_group_snapshots"],
        "share_replicas": row["share_replicas"],
        "replica_gigabytes": row["replica_gigabytes"],
        "per_share_gigabytes": row["per_share_gigabytes"],
    }


def quota_set_80(row: Row, see: See) -> dict[str, Json]:
    """From 2.80 on: with backups, with backup_gigabytes."""
    return {
        "shares": row["shares"],
        "gigabytes": row["gigabytes"],
        "snapshots": row["snapshots"],
        "snapshot_gigabytes": row["snapshot_gigabytes"],
        "id": row["id"],
        "share_networks": row["share_networks"],
        "share_groups": row["share_groups"],
        "share_group_snapshots": row["share_group_snapshots"],
        "share_replicas": row["share_replicas"],
        "replica_gigabytes": row["replica_gigabytes"],
        "per_share_gigabytes": row["per_share_gigabytes"],
        "backups": row["backups"],
        "backup_gigabytes": row["backup_gigabytes"],
    }


def quota_set_90(row: Row, see: See) -> dict[str, Json]:
    """From 2.90 on: with encryption_keys."""
    return {
        "shares": row["shares"],
        "gigabytes": row["gigabytes"],
        "snapshots": row["snapshots"],
        "snapshot_gigabytes": row["snapshot_gigabytes"],
        "id": row["id"],
        "share_networks": row["share_networks"],
        "share_groups": row["share_groups"],
        "share_group_snapshots": row["share_group_snapshots"],
        "share_replicas": row["share_replicas"],
        "replica_gigabytes": row["replica_gigabytes"],
        "per_share_gigabytes": row["per_share_gigabytes"],
        "backups": row["backups"],
        "backup_gigabytes": row["backup_gigabytes"],
        "encryption_keys": row["encryption_keys"],
    }


QUOTA_SET = by_version(
    (0, quota_set_0),
    (40, quota_set_40),
    (53, quota_set_53),
    (62, quota_set_62),
    (80, quota_set_80),
    (90, quota_set_90),
)


def quota_set_detail_25(row: Row, see: See) -> dict[str, Json]:
    """From 2.25 on."""
    return {
        "shares": row["shares"],
        "gigabytes": row["gigabytes"],
        "snapshots": row["snapshots"],
        "snapshot_gigabytes": row["snapshot_gigabytes"],
        "id": row["id"],
        "share_networks": row["share_networks"],
    }


def quota_set_detail_40(row: Row, see: See) -> dict[str, Json]:
    """From 2.40 on: with share_groups, with share_group_snapshots."""
    return {
        "shares": row["shares"],
        "gigabytes": row["gigabytes"],
        "snapshots": row["snapshots"],
        "snapshot_gigabytes": row["snapshot_gigabytes"],
        "id": row["id"],
        "share_networks": row["share_networks"],
        "share_groups": row["share_groups"],
        "share_group_snapshots": row["share_group_snapshots"],
    }


def quota_set_detail_53(row: Row, see: See) -> dict[str, Json]:
    """From 2.53 on: with share_replicas, with replica_gigabytes."""
    return {
        "shares": row["shares"],
        "gigabytes": row["gigabytes"],
        "snapshots": row["snapshots"],
        "snapshot_gigabytes": row["snapshot_gigabytes"],
        "id": row["id"],
        "share_networks": row["share_networks"],
        "share_groups": row["share_groups"],
        "share_group_snapshots": row["share_group_snapshots"],
        "share_replicas": row["share_replicas"],
        "replica_gigabytes": row["replica_gigabytes"],
    }


def quota_set_detail_62(row: Row, see: See) -> dict[str, Json]:
    """From 2.62 on: with per_share_gigabytes."""
    return {
        "shares": row["shares"],
        "gigabytes": row["gigabytes"],
        "snapshots": row["snapshots"],
        "snapshot_gigabytes": row["snapshot_gigabytes"],
        "id": row["id"],
        "share_networks": row["share_networks"],
        "share_groups": row["share_groups"],
        "share_group_snapshots": row["share_group_snapshots"],
        "share_replicas": row["share_replicas"],
        "replica_gigabytes": row["replica_gigabytes"],
        "per_share_gigabytes": row["per_share_gigabytes"],
    }


def quota_set_detail_80(row: Row, see: See) -> dict[str, Json]:
    """From 2.80 on: with backups, with backup_gigabytes."""
    return {
        "shares": row["shares"],
        "gigabytes": row["gigabytes"],
        "snapshots": row["snapshots"],
        "snapshot_gigabytes": row["snapshot_gigabytes"],
        "id": row["id"],
        "share_networks": row["share_networks"],
        "share_groups": row["share_groups"],
        "share_group_snapshots": row["share_group_snapshots"],
        "share_replicas": row["share_replicas"],
        "replica_gigabytes": row["replica_gigabytes"],
        "per_share_gigabytes": row["per_share_gigabytes"],
        "backups": row["backups"],
        "backup_gigabytes": row["backup_gigabytes"],
    }


def quota_set_detail_90(row: Row, see: See) -> dict[str, Json]:
    """From 2.90 on: with encryption_keys."""
    return {
        "shares": row["shares"],
        "gigabytes": row["gigabytes"],
        "snapshots": row["snapshots"],
        "snapshot_gigabytes": row["snapshot_gigabytes"],
        "id": row["id"],
        "share_networks": row["share_networks"],
        "share_groups": row["share_groups"],
        "share_group_snapshots": row["share_group_snapshots"],
        "share_replicas": row["share_replicas"],
        "replica_gigabytes": row["replica_gigabytes"],
        "per_share_gigabytes": row["per_share_gigabytes"],
        "backups": row["backups"],
        "backup_gigabytes": row["backup_gigabytes"],
        "encryption_keys": row["encryption_keys"],
    }


QUOTA_SET_DETAIL = by_version(
    (25, quota_set_detail_25),
    (40, quota_set_detail_40),
    (53, quota_set_detail_53),
    (62, quota_set_detail_62),
    (80, quota_set_detail_80),
    (90, quota_set_detail_90),
)


def quota_set_updated_0(row: Row, see: See) -> dict[str, Json]:
    """From 2.0 on."""
    return {
        "shares": row["shares"],
        "gigabytes": row["gigabytes"],
        "snapshots": row["snapshots"],
        "snapshot_gigabytes": row["snapshot_gigabytes"],
        "share_networks": row["share_networks"],
    }


def quota_set_updated_40(row: Row, see: See) -> dict[str, Json]:
    """From 2.40 on: with share_groups, with share_group_snapshots."""
    return {
        "shares": row["shares"],
        "gigabytes": row["gigabytes"],
        "snapshots": row["snapshots"],
        "snapshot_gigabytes": row["snapshot_gigabytes"],
        "share_networks": row["share_networks"],
        "share_groups": row["share_groups"],
        "share_group_snapshots": row["share_group_snapshots"],
    }


def quota_set_updated_53(row: Row, see: See) -> dict[str, Json]:
    """From 2.53 on: with share_replicas, with replica_gigabytes."""
    return {
        "shares": row["shares"],
        "gigabytes": row["gigabytes"],
        "snapshots": row["snapshots"],
        "snapshot_gigabytes": row["snapshot_gigabytes"],
        "share_networks": row["share_networks"],
        "share_groups": row["share_groups"],
        "share_group_snapshots": row["share_group_snapshots"],
        "share_replicas": row["share_replicas"],
        "replica_gigabytes": row["replica_gigabytes"],
    }


def quota_set_updated_62(row: Row, see: See) -> dict[str, Json]:
    """From 2.62 on: with per_share_gigabytes."""
    return {
        "shares": row["shares"],
        "gigabytes": row["gigabytes"],
        "snapshots": row["snapshots"],
        "snapshot_gigabytes": row["snapshot_gigabytes"],
        "share_networks": row["share_networks"],
        "share_groups": row["share_groups"],
        "share_group_snapshots": row["share_group_snapshots"],
        "share_replicas": row["share_replicas"],
        "replica_gigabytes": row["replica_gigabytes"],
        "per_share_gigabytes": row["per_share_gigabytes"],
    }


def quota_set_updated_80(row: Row, see: See) -> dict[str, Json]:
    """From 2.80 on: with backups, with backup_gigabytes."""
    return {
        "shares": row["shares"],
        "gigabytes": row["gigabytes"],
        "snapshots": row["snapshots"],
        "snapshot_gigabytes": row["snapshot_gigabytes"],
        "share_networks": row["share_networks"],
        "share_groups": row["share_groups"],
        "share_group_snapshots": row["share_group_snapshots"],
        "share_replicas": row["share_replicas"],
        "replica_gigabytes": row["replica_gigabytes"],
        "per_share_gigabytes": row["per_share_gigabytes"],
        "backups": row["backups"],
        "backup_gigabytes": row["backup_gigabytes"],
    }


def quota_set_updated_90(row: Row, see: See) -> dict[str, Json]:
    """From 2.90 on: with encryption_keys."""
    return {
        "shares": row["shares"],
        "gigabytes": row["gigabytes"],
        "snapshots": row["snapshots"],
        "snapshot_gigabytes": row["snapshot_gigabytes"],
        "share_networks": row["share_networks"],
        "share_groups": row["share_groups"],
        "share_group_snapshots": row["share_group_snapshots"],
        "share_replicas": row["share_replicas"],
        "replica_gigabytes": row["replica_gigabytes"],
        "per_share_gigabytes": row["per_share_gigabytes"],
        "backups": row["backups"],
        "backup_gigabytes": row["backup_gigabytes"],
        "encryption_keys": row["encryption_keys"],
    }


QUOTA_SET_UPDATED = by_version(
    (0, quota_set_updated_0),
    (40, quota_set_updated_40),
    (53, quota_set_updated_53),
    (62, quota_set_updated_62),
    (80, quota_set_updated_80),
    (90, quota_set_updated_90),
)
