"""The original's tables, for migrations and for readers; queries use ``generated.columns`` and plain rows.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

import sqlalchemy as sa
from sqlalchemy.orm import registry
from sqlmodel import Field, SQLModel


class Table(SQLModel, registry=registry(), metadata=sa.MetaData()):
    """Base of the tables; ``Table.metadata`` holds them all."""

    metadata: ClassVar[sa.MetaData]


class AsyncOperationData(Table, table=True):
    """Table ``async_operation_data``."""

    __tablename__ = "async_operation_data"
    __table_args__ = (sa.PrimaryKeyConstraint("entity_uuid", "key", name="async_operation_data_pkey"),)

    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    deleted: int | None = Field(default=None, sa_column=sa.Column("deleted", sa.Integer))
    entity_uuid: str = Field(sa_column=sa.Column("entity_uuid", sa.String(36)))
    key: str = Field(sa_column=sa.Column("key", sa.String(255)))
    value: str = Field(sa_column=sa.Column("value", sa.String(1023), nullable=False))


class AvailabilityZones(Table, table=True):
    """Table ``availability_zones``."""

    __tablename__ = "availability_zones"
    __table_args__ = (
        sa.PrimaryKeyConstraint("id", name="availability_zones_pkey"),
        sa.UniqueConstraint("name", "deleted", name="az_name_uc"),
    )

    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    deleted: str | None = Field(default=None, sa_column=sa.Column("deleted", sa.String(36)))
    id: str = Field(sa_column=sa.Column("id", sa.String(36)))
    name: str | None = Field(default=None, sa_column=sa.Column("name", sa.String(255)))


class BackendInfo(Table, table=True):
    """Table ``backend_info``."""

    __tablename__ = "backend_info"
    __table_args__ = (sa.PrimaryKeyConstraint("host", name="backend_info_pkey"),)

    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    deleted: int | None = Field(default=None, sa_column=sa.Column("deleted", sa.Integer))
    host: str = Field(sa_column=sa.Column("host", sa.String(255)))
    info_hash: str = Field(sa_column=sa.Column("info_hash", sa.String(255), nullable=False))


class DriversPrivateData(Table, table=True):
    """Table ``drivers_private_data``."""

    __tablename__ = "drivers_private_data"
    __mapper_args__: ClassVar[dict[str, list[str]]] = {"primary_key": ["entity_uuid", "key"]}
    """The table has no primary key; these columns tell its rows apart."""

    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    deleted: int | None = Field(default=None, sa_column=sa.Column("deleted", sa.Integer))
    entity_uuid: str = Field(sa_column=sa.Column("entity_uuid", sa.String(36), nullable=False))
    key: str = Field(sa_column=sa.Column("key", sa.String(255), nullable=False))
    value: str = Field(sa_column=sa.Column("value", sa.String(1023), nullable=False))


class EncryptionRefs(Table, table=True):
    """Table ``encryption_refs``."""

    __tablename__ = "encryption_refs"
    __table_args__ = (
        sa.PrimaryKeyConstraint("id", name="encryption_refs_pkey"),
        sa.ForeignKeyConstraint(
            ["share_instance_id"], ["share_instances.id"], name="encryption_refs_share_instance_id_fkey"
        ),
        sa.ForeignKeyConstraint(["share_server_id"], ["share_servers.id"], name="encryption_refs_share_server_id_fkey"),
        sa.UniqueConstraint("share_instance_id", name="encryption_refs_share_instance_id_key"),
        sa.UniqueConstraint("share_server_id", name="encryption_refs_share_server_id_key"),
    )

    id: str = Field(sa_column=sa.Column("id", sa.String(36)))
    share_server_id: str | None = Field(default=None, sa_column=sa.Column("share_server_id", sa.String(36)))
    share_instance_id: str | None = Field(default=None, sa_column=sa.Column("share_instance_id", sa.String(36)))
    encryption_key_ref: str | None = Field(default=None, sa_column=sa.Column("encryption_key_ref", sa.String(36)))
    project_id: str = Field(sa_column=sa.Column("project_id", sa.String(255), nullable=False))
    deleted: str | None = Field(default=None, sa_column=sa.Column("deleted", sa.String(36)))
    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))


class Messages(Table, table=True):
    """Table ``messages``."""

    __tablename__ = "messages"
    __table_args__ = (sa.PrimaryKeyConstraint("id", name="messages_pkey"),)

    id: str = Field(sa_column=sa.Column("id", sa.String(36)))
    project_id: str = Field(sa_column=sa.Column("project_id", sa.String(255), nullable=False))
    request_id: str | None = Field(default=None, sa_column=sa.Column("request_id", sa.String(255)))
    resource_type: str | None = Field(default=None, sa_column=sa.Column("resource_type", sa.String(255)))
    resource_id: str | None = Field(default=None, sa_column=sa.Column("resource_id", sa.String(36)))
    action_id: str = Field(sa_column=sa.Column("action_id", sa.String(10), nullable=False))
    detail_id: str | None = Field(default=None, sa_column=sa.Column("detail_id", sa.String(10)))
    message_level: str = Field(sa_column=sa.Column("message_level", sa.String(255), nullable=False))
    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    deleted: str | None = Field(default=None, sa_column=sa.Column("deleted", sa.String(36)))
    expires_at: datetime | None = Field(default=None, sa_column=sa.Column("expires_at", sa.DateTime))


class NetworkAllocations(Table, table=True):
    """Table ``network_allocations``."""

    __tablename__ = "network_allocations"
    __table_args__ = (
        sa.PrimaryKeyConstraint("id", name="network_allocations_pkey"),
        sa.ForeignKeyConstraint(
            ["share_network_subnet_id"],
            ["share_network_subnets.id"],
            name="fk_network_allocation_subnet_id_share_network_subnets",
        ),
        sa.ForeignKeyConstraint(
            ["share_server_id"], ["share_servers.id"], name="network_allocations_share_server_id_fkey"
        ),
    )

    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    deleted: str | None = Field(default=None, sa_column=sa.Column("deleted", sa.String(36)))
    id: str = Field(sa_column=sa.Column("id", sa.String(36)))
    ip_address: str | None = Field(default=None, sa_column=sa.Column("ip_address", sa.String(64)))
    mac_address: str | None = Field(default=None, sa_column=sa.Column("mac_address", sa.String(32)))
    share_server_id: str = Field(sa_column=sa.Column("share_server_id", sa.String(36), nullable=False))
    label: str | None = Field(
        default=None, sa_column=sa.Column("label", sa.String(255), server_default=sa.text("'user'::character varying"))
    )
    network_type: str | None = Field(default=None, sa_column=sa.Column("network_type", sa.String(32)))
    segmentation_id: int | None = Field(default=None, sa_column=sa.Column("segmentation_id", sa.Integer))
    ip_version: int | None = Field(default=None, sa_column=sa.Column("ip_version", sa.Integer))
    cidr: str | None = Field(default=None, sa_column=sa.Column("cidr", sa.String(64)))
    gateway: str | None = Field(default=None, sa_column=sa.Column("gateway", sa.String(64)))
    mtu: int | None = Field(default=None, sa_column=sa.Column("mtu", sa.Integer))
    share_network_subnet_id: str | None = Field(
        default=None, sa_column=sa.Column("share_network_subnet_id", sa.String(36))
    )


class ProjectShareTypeQuotas(Table, table=True):
    """Table ``project_share_type_quotas``."""

    __tablename__ = "project_share_type_quotas"
    __table_args__ = (
        sa.PrimaryKeyConstraint("id", name="project_share_type_quotas_pkey"),
        sa.ForeignKeyConstraint(["share_type_id"], ["share_types.id"], name="share_type_id_fk"),
        sa.UniqueConstraint("share_type_id", "resource", "deleted", "project_id", name="uc_quotas_per_share_types"),
    )

    id: int | None = Field(default=None, sa_column=sa.Column("id", sa.Integer))
    project_id: str | None = Field(default=None, sa_column=sa.Column("project_id", sa.String(255)))
    resource: str = Field(sa_column=sa.Column("resource", sa.String(255), nullable=False))
    hard_limit: int | None = Field(default=None, sa_column=sa.Column("hard_limit", sa.Integer))
    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    deleted: int | None = Field(default=None, sa_column=sa.Column("deleted", sa.Integer))
    share_type_id: str = Field(sa_column=sa.Column("share_type_id", sa.String(36), nullable=False))


class ProjectUserQuotas(Table, table=True):
    """Table ``project_user_quotas``."""

    __tablename__ = "project_user_quotas"
    __table_args__ = (sa.PrimaryKeyConstraint("id", name="project_user_quotas_pkey"),)

    id: int | None = Field(default=None, sa_column=sa.Column("id", sa.Integer))
    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    deleted: int | None = Field(default=None, sa_column=sa.Column("deleted", sa.Integer))
    user_id: str = Field(sa_column=sa.Column("user_id", sa.String(255), nullable=False))
    project_id: str = Field(sa_column=sa.Column("project_id", sa.String(255), nullable=False))
    resource: str = Field(sa_column=sa.Column("resource", sa.String(25), nullable=False))
    hard_limit: int | None = Field(default=None, sa_column=sa.Column("hard_limit", sa.Integer))


class QosTypeSpecs(Table, table=True):
    """Table ``qos_type_specs``."""

    __tablename__ = "qos_type_specs"
    __table_args__ = (
        sa.PrimaryKeyConstraint("id", name="qos_type_specs_pkey"),
        sa.ForeignKeyConstraint(["qos_type_id"], ["qos_types.id"], name="qos_type_specs_ibfk_1"),
    )

    id: int | None = Field(default=None, sa_column=sa.Column("id", sa.Integer))
    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    deleted: str | None = Field(default=None, sa_column=sa.Column("deleted", sa.String(36)))
    qos_type_id: str | None = Field(default=None, sa_column=sa.Column("qos_type_id", sa.String(36)))
    key: str | None = Field(default=None, sa_column=sa.Column("key", sa.String(255)))
    value: str | None = Field(default=None, sa_column=sa.Column("value", sa.String(255)))


class QosTypes(Table, table=True):
    """Table ``qos_types``."""

    __tablename__ = "qos_types"
    __table_args__ = (
        sa.PrimaryKeyConstraint("id", name="qos_types_pkey"),
        sa.UniqueConstraint("name", "deleted", name="uc_qos_type_name"),
    )

    id: str = Field(sa_column=sa.Column("id", sa.String(36)))
    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    deleted: str | None = Field(default=None, sa_column=sa.Column("deleted", sa.String(36)))
    name: str | None = Field(default=None, sa_column=sa.Column("name", sa.String(255)))
    description: str | None = Field(default=None, sa_column=sa.Column("description", sa.String(255)))


class QuotaClasses(Table, table=True):
    """Table ``quota_classes``."""

    __tablename__ = "quota_classes"
    __table_args__ = (
        sa.PrimaryKeyConstraint("id", name="quota_classes_pkey"),
        sa.Index("ix_quota_classes_class_name", "class_name"),
    )

    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    deleted: int | None = Field(default=None, sa_column=sa.Column("deleted", sa.Integer))
    id: int | None = Field(default=None, sa_column=sa.Column("id", sa.Integer))
    class_name: str | None = Field(default=None, sa_column=sa.Column("class_name", sa.String(255)))
    resource: str | None = Field(default=None, sa_column=sa.Column("resource", sa.String(255)))
    hard_limit: int | None = Field(default=None, sa_column=sa.Column("hard_limit", sa.Integer))


class QuotaUsages(Table, table=True):
    """Table ``quota_usages``."""

    __tablename__ = "quota_usages"
    __table_args__ = (
        sa.PrimaryKeyConstraint("id", name="quota_usages_pkey"),
        sa.Index("ix_quota_usages_project_id", "project_id"),
    )

    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    deleted: int | None = Field(default=None, sa_column=sa.Column("deleted", sa.Integer))
    id: int | None = Field(default=None, sa_column=sa.Column("id", sa.Integer))
    user_id: str | None = Field(default=None, sa_column=sa.Column("user_id", sa.String(255)))
    project_id: str | None = Field(default=None, sa_column=sa.Column("project_id", sa.String(255)))
    resource: str | None = Field(default=None, sa_column=sa.Column("resource", sa.String(255)))
    in_use: int = Field(sa_column=sa.Column("in_use", sa.Integer, nullable=False))
    reserved: int = Field(sa_column=sa.Column("reserved", sa.Integer, nullable=False))
    until_refresh: int | None = Field(default=None, sa_column=sa.Column("until_refresh", sa.Integer))
    share_type_id: str | None = Field(default=None, sa_column=sa.Column("share_type_id", sa.String(36)))


class Quotas(Table, table=True):
    """Table ``quotas``."""

    __tablename__ = "quotas"
    __table_args__ = (sa.PrimaryKeyConstraint("id", name="quotas_pkey"),)

    id: int | None = Field(default=None, sa_column=sa.Column("id", sa.Integer))
    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    deleted: int | None = Field(default=None, sa_column=sa.Column("deleted", sa.Integer))
    project_id: str | None = Field(default=None, sa_column=sa.Column("project_id", sa.String(255)))
    resource: str = Field(sa_column=sa.Column("resource", sa.String(255), nullable=False))
    hard_limit: int | None = Field(default=None, sa_column=sa.Column("hard_limit", sa.Integer))


class Reservations(Table, table=True):
    """Table ``reservations``."""

    __tablename__ = "reservations"
    __table_args__ = (
        sa.PrimaryKeyConstraint("id", name="reservations_pkey"),
        sa.ForeignKeyConstraint(["usage_id"], ["quota_usages.id"], name="reservations_usage_id_fkey"),
        sa.Index("ix_reservations_project_id", "project_id"),
        sa.Index("reservations_deleted_expire_idx", "deleted", "expire"),
    )

    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    deleted: int | None = Field(default=None, sa_column=sa.Column("deleted", sa.Integer))
    id: int | None = Field(default=None, sa_column=sa.Column("id", sa.Integer))
    user_id: str | None = Field(default=None, sa_column=sa.Column("user_id", sa.String(255)))
    uuid: str = Field(sa_column=sa.Column("uuid", sa.String(36), nullable=False))
    usage_id: int = Field(sa_column=sa.Column("usage_id", sa.Integer, nullable=False))
    project_id: str | None = Field(default=None, sa_column=sa.Column("project_id", sa.String(255)))
    resource: str | None = Field(default=None, sa_column=sa.Column("resource", sa.String(255)))
    delta: int = Field(sa_column=sa.Column("delta", sa.Integer, nullable=False))
    expire: datetime | None = Field(default=None, sa_column=sa.Column("expire", sa.DateTime))
    share_type_id: str | None = Field(default=None, sa_column=sa.Column("share_type_id", sa.String(36)))


class ResourceLocks(Table, table=True):
    """Table ``resource_locks``."""

    __tablename__ = "resource_locks"
    __table_args__ = (sa.PrimaryKeyConstraint("id", name="resource_locks_pkey"),)

    id: str = Field(sa_column=sa.Column("id", sa.String(36)))
    user_id: str = Field(sa_column=sa.Column("user_id", sa.String(255), nullable=False))
    project_id: str = Field(sa_column=sa.Column("project_id", sa.String(255), nullable=False))
    resource_action: str | None = Field(default=None, sa_column=sa.Column("resource_action", sa.String(255)))
    resource_type: str = Field(sa_column=sa.Column("resource_type", sa.String(255), nullable=False))
    resource_id: str = Field(sa_column=sa.Column("resource_id", sa.String(36), nullable=False))
    lock_context: str = Field(sa_column=sa.Column("lock_context", sa.String(16), nullable=False))
    lock_reason: str | None = Field(default=None, sa_column=sa.Column("lock_reason", sa.String(1023)))
    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    deleted: str | None = Field(default=None, sa_column=sa.Column("deleted", sa.String(36)))


class SecurityServices(Table, table=True):
    """Table ``security_services``."""

    __tablename__ = "security_services"
    __table_args__ = (sa.PrimaryKeyConstraint("id", name="security_services_pkey"),)

    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    deleted: str | None = Field(default=None, sa_column=sa.Column("deleted", sa.String(36)))
    id: str = Field(sa_column=sa.Column("id", sa.String(36)))
    project_id: str = Field(sa_column=sa.Column("project_id", sa.String(255), nullable=False))
    type: str = Field(sa_column=sa.Column("type", sa.String(32), nullable=False))
    dns_ip: str | None = Field(default=None, sa_column=sa.Column("dns_ip", sa.String(64)))
    server: str | None = Field(default=None, sa_column=sa.Column("server", sa.String(255)))
    domain: str | None = Field(default=None, sa_column=sa.Column("domain", sa.String(255)))
    user: str | None = Field(default=None, sa_column=sa.Column("user", sa.String(255)))
    password: str | None = Field(default=None, sa_column=sa.Column("password", sa.String(255)))
    name: str | None = Field(default=None, sa_column=sa.Column("name", sa.String(255)))
    description: str | None = Field(default=None, sa_column=sa.Column("description", sa.String(255)))
    ou: str | None = Field(default=None, sa_column=sa.Column("ou", sa.String(255)))
    default_ad_site: str | None = Field(default=None, sa_column=sa.Column("default_ad_site", sa.String(255)))


class Services(Table, table=True):
    """Table ``services``."""

    __tablename__ = "services"
    __table_args__ = (
        sa.PrimaryKeyConstraint("id", name="services_pkey"),
        sa.ForeignKeyConstraint(["availability_zone_id"], ["availability_zones.id"], name="service_az_id_fk"),
    )

    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    deleted: int | None = Field(default=None, sa_column=sa.Column("deleted", sa.Integer))
    id: int | None = Field(default=None, sa_column=sa.Column("id", sa.Integer))
    host: str | None = Field(default=None, sa_column=sa.Column("host", sa.String(255)))
    binary: str | None = Field(default=None, sa_column=sa.Column("binary", sa.String(255)))
    topic: str | None = Field(default=None, sa_column=sa.Column("topic", sa.String(255)))
    report_count: int = Field(sa_column=sa.Column("report_count", sa.Integer, nullable=False))
    disabled: bool | None = Field(default=None, sa_column=sa.Column("disabled", sa.Boolean))
    availability_zone_id: str | None = Field(default=None, sa_column=sa.Column("availability_zone_id", sa.String(36)))
    state: str | None = Field(default=None, sa_column=sa.Column("state", sa.String(36)))
    disabled_reason: str | None = Field(default=None, sa_column=sa.Column("disabled_reason", sa.String(255)))
    ensuring: bool | None = Field(
        default=None, sa_column=sa.Column("ensuring", sa.Boolean, server_default=sa.text("false"), nullable=False)
    )


class ShareAccessMap(Table, table=True):
    """Table ``share_access_map``."""

    __tablename__ = "share_access_map"
    __table_args__ = (
        sa.PrimaryKeyConstraint("id", name="share_access_map_pkey"),
        sa.ForeignKeyConstraint(["share_id"], ["shares.id"], name="share_access_map_share_id_fkey"),
    )

    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    deleted: str | None = Field(default=None, sa_column=sa.Column("deleted", sa.String(36)))
    id: str = Field(sa_column=sa.Column("id", sa.String(36)))
    share_id: str = Field(sa_column=sa.Column("share_id", sa.String(36), nullable=False))
    access_type: str | None = Field(default=None, sa_column=sa.Column("access_type", sa.String(255)))
    access_to: str | None = Field(default=None, sa_column=sa.Column("access_to", sa.String(255)))
    access_level: str | None = Field(default=None, sa_column=sa.Column("access_level", sa.String(2)))
    access_key: str | None = Field(default=None, sa_column=sa.Column("access_key", sa.String(255)))


class ShareAccessRulesMetadata(Table, table=True):
    """Table ``share_access_rules_metadata``."""

    __tablename__ = "share_access_rules_metadata"
    __table_args__ = (
        sa.PrimaryKeyConstraint("id", name="share_access_rules_metadata_pkey"),
        sa.ForeignKeyConstraint(
            ["access_id"], ["share_access_map.id"], name="share_access_rules_metadata_access_id_fkey"
        ),
    )

    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    deleted: str | None = Field(default=None, sa_column=sa.Column("deleted", sa.String(36)))
    access_id: str = Field(sa_column=sa.Column("access_id", sa.String(36), nullable=False))
    key: str = Field(sa_column=sa.Column("key", sa.String(255), nullable=False))
    value: str = Field(sa_column=sa.Column("value", sa.String(1023), nullable=False))
    id: int | None = Field(default=None, sa_column=sa.Column("id", sa.Integer))


class ShareBackups(Table, table=True):
    """Table ``share_backups``."""

    __tablename__ = "share_backups"
    __table_args__ = (
        sa.PrimaryKeyConstraint("id", name="share_backups_pkey"),
        sa.ForeignKeyConstraint(["share_id"], ["shares.id"], name="fk_backups_share_id_shares"),
        sa.ForeignKeyConstraint(["availability_zone_id"], ["availability_zones.id"], name="sb_az_id_fk"),
    )

    id: str = Field(sa_column=sa.Column("id", sa.String(36)))
    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    deleted: str | None = Field(default=None, sa_column=sa.Column("deleted", sa.String(36)))
    user_id: str | None = Field(default=None, sa_column=sa.Column("user_id", sa.String(255)))
    project_id: str | None = Field(default=None, sa_column=sa.Column("project_id", sa.String(255)))
    fail_reason: str | None = Field(default=None, sa_column=sa.Column("fail_reason", sa.String(255)))
    display_name: str | None = Field(default=None, sa_column=sa.Column("display_name", sa.String(255)))
    display_description: str | None = Field(default=None, sa_column=sa.Column("display_description", sa.String(255)))
    host: str | None = Field(default=None, sa_column=sa.Column("host", sa.String(255)))
    topic: str | None = Field(default=None, sa_column=sa.Column("topic", sa.String(255)))
    status: str | None = Field(default=None, sa_column=sa.Column("status", sa.String(255)))
    progress: str | None = Field(default=None, sa_column=sa.Column("progress", sa.String(32)))
    restore_progress: str | None = Field(default=None, sa_column=sa.Column("restore_progress", sa.String(32)))
    size: int | None = Field(default=None, sa_column=sa.Column("size", sa.Integer))
    share_id: str | None = Field(default=None, sa_column=sa.Column("share_id", sa.String(36)))
    availability_zone_id: str | None = Field(default=None, sa_column=sa.Column("availability_zone_id", sa.String(36)))
    backup_type: str | None = Field(default=None, sa_column=sa.Column("backup_type", sa.String(32)))


class ShareGroupShareTypeMappings(Table, table=True):
    """Table ``share_group_share_type_mappings``."""

    __tablename__ = "share_group_share_type_mappings"
    __table_args__ = (
        sa.PrimaryKeyConstraint("id", name="consistency_group_share_type_mappings_pkey"),
        sa.ForeignKeyConstraint(["share_group_id"], ["share_groups.id"], name="fk_sgstm_share_group_id"),
        sa.ForeignKeyConstraint(["share_type_id"], ["share_types.id"], name="fk_sgstm_share_type_id"),
    )

    id: str = Field(sa_column=sa.Column("id", sa.String(36)))
    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    deleted: str | None = Field(default=None, sa_column=sa.Column("deleted", sa.String(36)))
    share_group_id: str = Field(sa_column=sa.Column("share_group_id", sa.String(36), nullable=False))
    share_type_id: str = Field(sa_column=sa.Column("share_type_id", sa.String(36), nullable=False))


class ShareGroupSnapshots(Table, table=True):
    """Table ``share_group_snapshots``."""

    __tablename__ = "share_group_snapshots"
    __table_args__ = (
        sa.PrimaryKeyConstraint("id", name="cgsnapshots_pkey"),
        sa.ForeignKeyConstraint(
            ["share_group_id"], ["share_groups.id"], name="fk_share_group_snapshots_share_group_id"
        ),
    )

    id: str = Field(sa_column=sa.Column("id", sa.String(36)))
    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    deleted: str | None = Field(default=None, sa_column=sa.Column("deleted", sa.String(36)))
    user_id: str = Field(sa_column=sa.Column("user_id", sa.String(255), nullable=False))
    project_id: str = Field(sa_column=sa.Column("project_id", sa.String(255), nullable=False))
    share_group_id: str = Field(sa_column=sa.Column("share_group_id", sa.String(36), nullable=False))
    name: str | None = Field(default=None, sa_column=sa.Column("name", sa.String(255)))
    description: str | None = Field(default=None, sa_column=sa.Column("description", sa.String(255)))
    status: str | None = Field(default=None, sa_column=sa.Column("status", sa.String(255)))


class ShareGroupTypeProjects(Table, table=True):
    """Table ``share_group_type_projects``."""

    __tablename__ = "share_group_type_projects"
    __table_args__ = (
        sa.PrimaryKeyConstraint("id", name="share_group_type_projects_pkey"),
        sa.ForeignKeyConstraint(["share_group_type_id"], ["share_group_types.id"], name="sgtp_id_fk"),
        sa.UniqueConstraint("share_group_type_id", "project_id", "deleted", name="sgtp_project_id_uc"),
    )

    id: int | None = Field(default=None, sa_column=sa.Column("id", sa.Integer))
    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    share_group_type_id: str | None = Field(default=None, sa_column=sa.Column("share_group_type_id", sa.String(36)))
    project_id: str | None = Field(default=None, sa_column=sa.Column("project_id", sa.String(255)))
    deleted: int | None = Field(default=None, sa_column=sa.Column("deleted", sa.Integer))


class ShareGroupTypeShareTypeMappings(Table, table=True):
    """Table ``share_group_type_share_type_mappings``."""

    __tablename__ = "share_group_type_share_type_mappings"
    __table_args__ = (
        sa.PrimaryKeyConstraint("id", name="share_group_type_share_type_mappings_pkey"),
        sa.ForeignKeyConstraint(["share_group_type_id"], ["share_group_types.id"], name="sgtp_id_sgt_id_uc"),
        sa.ForeignKeyConstraint(["share_type_id"], ["share_types.id"], name="sgtp_id_st_id_uc"),
    )

    id: str = Field(sa_column=sa.Column("id", sa.String(36)))
    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    deleted: str | None = Field(default=None, sa_column=sa.Column("deleted", sa.String(36)))
    share_group_type_id: str = Field(sa_column=sa.Column("share_group_type_id", sa.String(36), nullable=False))
    share_type_id: str = Field(sa_column=sa.Column("share_type_id", sa.String(36), nullable=False))


class ShareGroupTypeSpecs(Table, table=True):
    """Table ``share_group_type_specs``."""

    __tablename__ = "share_group_type_specs"
    __table_args__ = (
        sa.PrimaryKeyConstraint("id", name="share_group_type_specs_pkey"),
        sa.ForeignKeyConstraint(["share_group_type_id"], ["share_group_types.id"], name="sgtp_id_extra_specs_fk"),
    )

    id: int | None = Field(default=None, sa_column=sa.Column("id", sa.Integer))
    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    spec_key: str | None = Field(default=None, sa_column=sa.Column("spec_key", sa.String(255)))
    spec_value: str | None = Field(default=None, sa_column=sa.Column("spec_value", sa.String(255)))
    deleted: int | None = Field(default=None, sa_column=sa.Column("deleted", sa.Integer))
    share_group_type_id: str | None = Field(default=None, sa_column=sa.Column("share_group_type_id", sa.String(36)))


class ShareGroupTypes(Table, table=True):
    """Table ``share_group_types``."""

    __tablename__ = "share_group_types"
    __table_args__ = (
        sa.PrimaryKeyConstraint("id", name="share_group_types_pkey"),
        sa.UniqueConstraint("name", "deleted", name="uniq_share_group_type_name"),
    )

    id: str = Field(sa_column=sa.Column("id", sa.String(36)))
    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    is_public: bool | None = Field(default=None, sa_column=sa.Column("is_public", sa.Boolean))
    name: str | None = Field(default=None, sa_column=sa.Column("name", sa.String(255)))
    deleted: str | None = Field(default=None, sa_column=sa.Column("deleted", sa.String(36)))


class ShareGroups(Table, table=True):
    """Table ``share_groups``."""

    __tablename__ = "share_groups"
    __table_args__ = (
        sa.PrimaryKeyConstraint("id", name="consistency_groups_pkey"),
        sa.ForeignKeyConstraint(["share_network_id"], ["share_networks.id"], name="fk_share_group_share_network_id"),
        sa.ForeignKeyConstraint(["share_server_id"], ["share_servers.id"], name="fk_share_group_share_server_id"),
        sa.ForeignKeyConstraint(["share_group_type_id"], ["share_group_types.id"], name="sgt_id_sg_id_uc"),
    )

    id: str = Field(sa_column=sa.Column("id", sa.String(36)))
    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    deleted: str | None = Field(default=None, sa_column=sa.Column("deleted", sa.String(36)))
    user_id: str = Field(sa_column=sa.Column("user_id", sa.String(255), nullable=False))
    project_id: str = Field(sa_column=sa.Column("project_id", sa.String(255), nullable=False))
    host: str | None = Field(default=None, sa_column=sa.Column("host", sa.String(255)))
    name: str | None = Field(default=None, sa_column=sa.Column("name", sa.String(255)))
    description: str | None = Field(default=None, sa_column=sa.Column("description", sa.String(255)))
    status: str | None = Field(default=None, sa_column=sa.Column("status", sa.String(255)))
    source_share_group_snapshot_id: str | None = Field(
        default=None, sa_column=sa.Column("source_share_group_snapshot_id", sa.String(36))
    )
    share_network_id: str | None = Field(default=None, sa_column=sa.Column("share_network_id", sa.String(36)))
    share_server_id: str | None = Field(default=None, sa_column=sa.Column("share_server_id", sa.String(36)))
    share_group_type_id: str | None = Field(default=None, sa_column=sa.Column("share_group_type_id", sa.String(36)))
    consistent_snapshot_support: str | None = Field(
        default=None,
        sa_column=sa.Column("consistent_snapshot_support", sa.Enum("pool", "host", name="consistent_snapshot_support")),
    )
    availability_zone_id: str | None = Field(default=None, sa_column=sa.Column("availability_zone_id", sa.String(36)))


class ShareInstanceAccessMap(Table, table=True):
    """Table ``share_instance_access_map``."""

    __tablename__ = "share_instance_access_map"
    __table_args__ = (
        sa.PrimaryKeyConstraint("id", name="share_instance_access_map_pkey"),
        sa.ForeignKeyConstraint(["access_id"], ["share_access_map.id"], name="siam_access_fk"),
        sa.ForeignKeyConstraint(["share_instance_id"], ["share_instances.id"], name="siam_instance_fk"),
    )

    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    deleted: str | None = Field(default=None, sa_column=sa.Column("deleted", sa.String(36)))
    id: str = Field(sa_column=sa.Column("id", sa.String(36)))
    share_instance_id: str | None = Field(default=None, sa_column=sa.Column("share_instance_id", sa.String(36)))
    access_id: str | None = Field(default=None, sa_column=sa.Column("access_id", sa.String(36)))
    state: str | None = Field(default=None, sa_column=sa.Column("state", sa.String(255)))


class ShareInstanceExportLocations(Table, table=True):
    """Table ``share_instance_export_locations``."""

    __tablename__ = "share_instance_export_locations"
    __table_args__ = (
        sa.PrimaryKeyConstraint("id", name="share_export_locations_pkey"),
        sa.ForeignKeyConstraint(["share_instance_id"], ["share_instances.id"], name="sel_instance_id_fk"),
        sa.UniqueConstraint("uuid", name="share_instance_export_locations_uuid_key"),
    )

    id: int | None = Field(
        default=None,
        sa_column=sa.Column(
            "id",
            sa.Integer,
            sa.Sequence("share_export_locations_id_seq"),
            server_default=sa.text("nextval('share_export_locations_id_seq'::regclass)"),
        ),
    )
    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    deleted: int | None = Field(default=None, sa_column=sa.Column("deleted", sa.Integer))
    path: str | None = Field(default=None, sa_column=sa.Column("path", sa.String(2000)))
    share_instance_id: str | None = Field(default=None, sa_column=sa.Column("share_instance_id", sa.String(36)))
    is_admin_only: bool | None = Field(default=None, sa_column=sa.Column("is_admin_only", sa.Boolean))
    uuid: str = Field(sa_column=sa.Column("uuid", sa.String(36), nullable=False))


class ShareInstanceExportLocationsMetadata(Table, table=True):
    """Table ``share_instance_export_locations_metadata``."""

    __tablename__ = "share_instance_export_locations_metadata"
    __table_args__ = (
        sa.PrimaryKeyConstraint("id", name="share_instance_export_locations_metadata_pkey"),
        sa.ForeignKeyConstraint(["export_location_id"], ["share_instance_export_locations.id"], name="elm_id_fk"),
        sa.UniqueConstraint("export_location_id", "key", "deleted", name="elm_el_id_uc"),
    )

    id: int | None = Field(default=None, sa_column=sa.Column("id", sa.Integer))
    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    deleted: int | None = Field(default=None, sa_column=sa.Column("deleted", sa.Integer))
    export_location_id: int = Field(sa_column=sa.Column("export_location_id", sa.Integer, nullable=False))
    key: str = Field(sa_column=sa.Column("key", sa.String(255), nullable=False))
    value: str = Field(sa_column=sa.Column("value", sa.String(1023), nullable=False))


class ShareInstanceMetadata(Table, table=True):
    """Table ``share_instance_metadata``."""

    __tablename__ = "share_instance_metadata"
    __table_args__ = (
        sa.PrimaryKeyConstraint("id", name="share_instance_metadata_pkey"),
        sa.ForeignKeyConstraint(
            ["share_instance_id"], ["share_instances.id"], name="share_instance_metadata_share_instance_id_fkey"
        ),
    )

    deleted: str | None = Field(default=None, sa_column=sa.Column("deleted", sa.String(36)))
    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    share_instance_id: str = Field(sa_column=sa.Column("share_instance_id", sa.String(36), nullable=False))
    key: str = Field(sa_column=sa.Column("key", sa.String(255), nullable=False))
    value: str = Field(sa_column=sa.Column("value", sa.String(1023), nullable=False))
    id: int | None = Field(default=None, sa_column=sa.Column("id", sa.Integer))


class ShareInstances(Table, table=True):
    """Table ``share_instances``."""

    __tablename__ = "share_instances"
    __table_args__ = (
        sa.PrimaryKeyConstraint("id", name="share_instances_pkey"),
        sa.ForeignKeyConstraint(["qos_type_id"], ["qos_types.id"], name="qt_id_fk"),
        sa.ForeignKeyConstraint(["availability_zone_id"], ["availability_zones.id"], name="si_az_id_fk"),
        sa.ForeignKeyConstraint(["share_id"], ["shares.id"], name="si_share_fk"),
        sa.ForeignKeyConstraint(["share_network_id"], ["share_networks.id"], name="si_share_network_fk"),
        sa.ForeignKeyConstraint(["share_server_id"], ["share_servers.id"], name="si_share_server_fk"),
        sa.ForeignKeyConstraint(["share_type_id"], ["share_types.id"], name="si_st_id_fk"),
        sa.Index("share_instances_share_id_idx", "share_id"),
    )

    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    deleted: str | None = Field(default=None, sa_column=sa.Column("deleted", sa.String(36)))
    id: str = Field(sa_column=sa.Column("id", sa.String(36)))
    share_id: str | None = Field(default=None, sa_column=sa.Column("share_id", sa.String(36)))
    host: str | None = Field(default=None, sa_column=sa.Column("host", sa.String(255)))
    status: str | None = Field(default=None, sa_column=sa.Column("status", sa.String(255)))
    scheduled_at: datetime | None = Field(default=None, sa_column=sa.Column("scheduled_at", sa.DateTime))
    launched_at: datetime | None = Field(default=None, sa_column=sa.Column("launched_at", sa.DateTime))
    terminated_at: datetime | None = Field(default=None, sa_column=sa.Column("terminated_at", sa.DateTime))
    share_network_id: str | None = Field(default=None, sa_column=sa.Column("share_network_id", sa.String(36)))
    share_server_id: str | None = Field(default=None, sa_column=sa.Column("share_server_id", sa.String(36)))
    availability_zone_id: str | None = Field(default=None, sa_column=sa.Column("availability_zone_id", sa.String(36)))
    access_rules_status: str | None = Field(default=None, sa_column=sa.Column("access_rules_status", sa.String(255)))
    replica_state: str | None = Field(default=None, sa_column=sa.Column("replica_state", sa.String(255)))
    share_type_id: str | None = Field(default=None, sa_column=sa.Column("share_type_id", sa.String(36)))
    cast_rules_to_readonly: bool = Field(sa_column=sa.Column("cast_rules_to_readonly", sa.Boolean, nullable=False))
    progress: str | None = Field(default=None, sa_column=sa.Column("progress", sa.String(32)))
    mount_point_name: str | None = Field(default=None, sa_column=sa.Column("mount_point_name", sa.String(255)))
    encryption_key_ref: str | None = Field(default=None, sa_column=sa.Column("encryption_key_ref", sa.String(36)))
    qos_type_id: str | None = Field(default=None, sa_column=sa.Column("qos_type_id", sa.String(36)))


class ShareMetadata(Table, table=True):
    """Table ``share_metadata``."""

    __tablename__ = "share_metadata"
    __table_args__ = (
        sa.PrimaryKeyConstraint("id", name="share_metadata_pkey"),
        sa.ForeignKeyConstraint(["share_id"], ["shares.id"], name="share_metadata_share_id_fkey"),
    )

    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    deleted: int | None = Field(default=None, sa_column=sa.Column("deleted", sa.Integer))
    id: int | None = Field(default=None, sa_column=sa.Column("id", sa.Integer))
    share_id: str = Field(sa_column=sa.Column("share_id", sa.String(36), nullable=False))
    key: str = Field(sa_column=sa.Column("key", sa.String(255), nullable=False))
    value: str = Field(sa_column=sa.Column("value", sa.String(1023), nullable=False))


class ShareNetworkSecurityServiceAssociation(Table, table=True):
    """Table ``share_network_security_service_association``."""

    __tablename__ = "share_network_security_service_association"
    __table_args__ = (
        sa.PrimaryKeyConstraint("id", name="share_network_security_service_association_pkey"),
        sa.ForeignKeyConstraint(
            ["security_service_id"],
            ["security_services.id"],
            name="share_network_security_service_associa_security_service_id_fkey",
        ),
        sa.ForeignKeyConstraint(
            ["share_network_id"],
            ["share_networks.id"],
            name="share_network_security_service_associatio_share_network_id_fkey",
        ),
    )

    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    deleted: int | None = Field(default=None, sa_column=sa.Column("deleted", sa.Integer))
    id: int | None = Field(default=None, sa_column=sa.Column("id", sa.Integer))
    share_network_id: str = Field(sa_column=sa.Column("share_network_id", sa.String(36), nullable=False))
    security_service_id: str = Field(sa_column=sa.Column("security_service_id", sa.String(36), nullable=False))


class ShareNetworkSubnetMetadata(Table, table=True):
    """Table ``share_network_subnet_metadata``."""

    __tablename__ = "share_network_subnet_metadata"
    __table_args__ = (
        sa.PrimaryKeyConstraint("id", name="share_network_subnet_metadata_pkey"),
        sa.ForeignKeyConstraint(
            ["share_network_subnet_id"],
            ["share_network_subnets.id"],
            name="share_network_subnet_metadata_share_network_subnet_id_fkey",
        ),
    )

    deleted: str | None = Field(default=None, sa_column=sa.Column("deleted", sa.String(36)))
    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    share_network_subnet_id: str = Field(sa_column=sa.Column("share_network_subnet_id", sa.String(36), nullable=False))
    key: str = Field(sa_column=sa.Column("key", sa.String(255), nullable=False))
    value: str = Field(sa_column=sa.Column("value", sa.String(1023), nullable=False))
    id: int | None = Field(default=None, sa_column=sa.Column("id", sa.Integer))


class ShareNetworkSubnets(Table, table=True):
    """Table ``share_network_subnets``."""

    __tablename__ = "share_network_subnets"
    __table_args__ = (
        sa.PrimaryKeyConstraint("id", name="share_network_subnets_pkey"),
        sa.ForeignKeyConstraint(
            ["availability_zone_id"],
            ["availability_zones.id"],
            name="fk_share_network_subnets_availaility_zone_id_availability_zones",
        ),
        sa.ForeignKeyConstraint(
            ["share_network_id"], ["share_networks.id"], name="fk_share_network_subnets_share_network_id_share_networks"
        ),
    )

    id: str = Field(sa_column=sa.Column("id", sa.String(36)))
    neutron_net_id: str | None = Field(default=None, sa_column=sa.Column("neutron_net_id", sa.String(36)))
    neutron_subnet_id: str | None = Field(default=None, sa_column=sa.Column("neutron_subnet_id", sa.String(36)))
    network_type: str | None = Field(default=None, sa_column=sa.Column("network_type", sa.String(32)))
    cidr: str | None = Field(default=None, sa_column=sa.Column("cidr", sa.String(64)))
    segmentation_id: int | None = Field(default=None, sa_column=sa.Column("segmentation_id", sa.Integer))
    gateway: str | None = Field(default=None, sa_column=sa.Column("gateway", sa.String(64)))
    mtu: int | None = Field(default=None, sa_column=sa.Column("mtu", sa.Integer))
    share_network_id: str | None = Field(default=None, sa_column=sa.Column("share_network_id", sa.String(36)))
    ip_version: int | None = Field(default=None, sa_column=sa.Column("ip_version", sa.Integer))
    availability_zone_id: str | None = Field(default=None, sa_column=sa.Column("availability_zone_id", sa.String(36)))
    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    deleted: str | None = Field(default=None, sa_column=sa.Column("deleted", sa.String(36)))


class ShareNetworks(Table, table=True):
    """Table ``share_networks``."""

    __tablename__ = "share_networks"
    __table_args__ = (sa.PrimaryKeyConstraint("id", name="share_networks_pkey"),)

    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    deleted: str | None = Field(default=None, sa_column=sa.Column("deleted", sa.String(36)))
    id: str = Field(sa_column=sa.Column("id", sa.String(36)))
    project_id: str = Field(sa_column=sa.Column("project_id", sa.String(255), nullable=False))
    user_id: str | None = Field(default=None, sa_column=sa.Column("user_id", sa.String(255)))
    name: str | None = Field(default=None, sa_column=sa.Column("name", sa.String(255)))
    description: str | None = Field(default=None, sa_column=sa.Column("description", sa.String(255)))
    status: str | None = Field(
        default=None,
        sa_column=sa.Column(
            "status", sa.String(36), server_default=sa.text("'active'::character varying"), nullable=False
        ),
    )


class ShareServerBackendDetails(Table, table=True):
    """Table ``share_server_backend_details``."""

    __tablename__ = "share_server_backend_details"
    __table_args__ = (
        sa.PrimaryKeyConstraint("id", name="share_server_backend_details_pkey"),
        sa.ForeignKeyConstraint(
            ["share_server_id"], ["share_servers.id"], name="share_server_backend_details_share_server_id_fkey"
        ),
    )

    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    deleted: str | None = Field(default=None, sa_column=sa.Column("deleted", sa.String(36)))
    id: int | None = Field(default=None, sa_column=sa.Column("id", sa.Integer))
    share_server_id: str = Field(sa_column=sa.Column("share_server_id", sa.String(36), nullable=False))
    key: str = Field(sa_column=sa.Column("key", sa.String(255), nullable=False))
    value: str = Field(sa_column=sa.Column("value", sa.String(1023), nullable=False))


class ShareServerShareNetworkSubnetMappings(Table, table=True):
    """Table ``share_server_share_network_subnet_mappings``."""

    __tablename__ = "share_server_share_network_subnet_mappings"
    __table_args__ = (
        sa.PrimaryKeyConstraint("id", name="share_server_share_network_subnet_mappings_pkey"),
        sa.ForeignKeyConstraint(
            ["share_network_subnet_id"],
            ["share_network_subnets.id"],
            name="fk_ss_sns_m_share_network_subnet_id_share_network_subnets",
        ),
        sa.ForeignKeyConstraint(
            ["share_server_id"], ["share_servers.id"], name="fk_ss_sns_m_share_server_id_share_servers"
        ),
    )

    id: int | None = Field(default=None, sa_column=sa.Column("id", sa.Integer))
    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    deleted: int | None = Field(default=None, sa_column=sa.Column("deleted", sa.Integer))
    share_server_id: str = Field(sa_column=sa.Column("share_server_id", sa.String(36), nullable=False))
    share_network_subnet_id: str = Field(sa_column=sa.Column("share_network_subnet_id", sa.String(36), nullable=False))


class ShareServers(Table, table=True):
    """Table ``share_servers``."""

    __tablename__ = "share_servers"
    __table_args__ = (
        sa.PrimaryKeyConstraint("id", name="share_servers_pkey"),
        sa.ForeignKeyConstraint(
            ["source_share_server_id"], ["share_servers.id"], name="fk_share_servers_source_share_server_id"
        ),
    )

    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    deleted: str | None = Field(default=None, sa_column=sa.Column("deleted", sa.String(36)))
    id: str = Field(sa_column=sa.Column("id", sa.String(36)))
    host: str | None = Field(default=None, sa_column=sa.Column("host", sa.String(255)))
    status: str | None = Field(default=None, sa_column=sa.Column("status", sa.String(32)))
    is_auto_deletable: bool | None = Field(default=None, sa_column=sa.Column("is_auto_deletable", sa.Boolean))
    identifier: str | None = Field(default=None, sa_column=sa.Column("identifier", sa.String(255)))
    task_state: str | None = Field(default=None, sa_column=sa.Column("task_state", sa.String(255)))
    source_share_server_id: str | None = Field(
        default=None, sa_column=sa.Column("source_share_server_id", sa.String(36))
    )
    security_service_update_support: bool | None = Field(
        default=None,
        sa_column=sa.Column(
            "security_service_update_support", sa.Boolean, server_default=sa.text("false"), nullable=False
        ),
    )
    network_allocation_update_support: bool | None = Field(
        default=None,
        sa_column=sa.Column(
            "network_allocation_update_support", sa.Boolean, server_default=sa.text("false"), nullable=False
        ),
    )
    share_replicas_migration_support: bool | None = Field(
        default=None,
        sa_column=sa.Column(
            "share_replicas_migration_support", sa.Boolean, server_default=sa.text("false"), nullable=False
        ),
    )
    encryption_key_ref: str | None = Field(default=None, sa_column=sa.Column("encryption_key_ref", sa.String(36)))
    application_credential_id: str | None = Field(
        default=None, sa_column=sa.Column("application_credential_id", sa.String(36))
    )


class ShareSnapshotAccessMap(Table, table=True):
    """Table ``share_snapshot_access_map``."""

    __tablename__ = "share_snapshot_access_map"
    __table_args__ = (
        sa.PrimaryKeyConstraint("id", name="share_snapshot_access_map_pkey"),
        sa.ForeignKeyConstraint(["share_snapshot_id"], ["share_snapshots.id"], name="ssam_snapshot_fk"),
    )

    id: str = Field(sa_column=sa.Column("id", sa.String(36)))
    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    deleted: str | None = Field(default=None, sa_column=sa.Column("deleted", sa.String(36)))
    share_snapshot_id: str | None = Field(default=None, sa_column=sa.Column("share_snapshot_id", sa.String(36)))
    access_type: str | None = Field(default=None, sa_column=sa.Column("access_type", sa.String(255)))
    access_to: str | None = Field(default=None, sa_column=sa.Column("access_to", sa.String(255)))


class ShareSnapshotInstanceAccessMap(Table, table=True):
    """Table ``share_snapshot_instance_access_map``."""

    __tablename__ = "share_snapshot_instance_access_map"
    __table_args__ = (
        sa.PrimaryKeyConstraint("id", name="share_snapshot_instance_access_map_pkey"),
        sa.ForeignKeyConstraint(["access_id"], ["share_snapshot_access_map.id"], name="ssam_access_fk"),
        sa.ForeignKeyConstraint(
            ["share_snapshot_instance_id"], ["share_snapshot_instances.id"], name="ssiam_snapshot_instance_fk"
        ),
    )

    id: str = Field(sa_column=sa.Column("id", sa.String(36)))
    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    deleted: str | None = Field(default=None, sa_column=sa.Column("deleted", sa.String(36)))
    share_snapshot_instance_id: str | None = Field(
        default=None, sa_column=sa.Column("share_snapshot_instance_id", sa.String(36))
    )
    access_id: str | None = Field(default=None, sa_column=sa.Column("access_id", sa.String(36)))
    state: str | None = Field(default=None, sa_column=sa.Column("state", sa.String(255)))


class ShareSnapshotInstanceExportLocations(Table, table=True):
    """Table ``share_snapshot_instance_export_locations``."""

    __tablename__ = "share_snapshot_instance_export_locations"
    __table_args__ = (
        sa.PrimaryKeyConstraint("id", name="share_snapshot_instance_export_locations_pkey"),
        sa.ForeignKeyConstraint(
            ["share_snapshot_instance_id"], ["share_snapshot_instances.id"], name="ssiel_snapshot_instance_fk"
        ),
    )

    id: str = Field(sa_column=sa.Column("id", sa.String(36)))
    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    deleted: str | None = Field(default=None, sa_column=sa.Column("deleted", sa.String(36)))
    share_snapshot_instance_id: str | None = Field(
        default=None, sa_column=sa.Column("share_snapshot_instance_id", sa.String(36))
    )
    path: str | None = Field(default=None, sa_column=sa.Column("path", sa.String(2000)))
    is_admin_only: bool = Field(sa_column=sa.Column("is_admin_only", sa.Boolean, nullable=False))


class ShareSnapshotInstances(Table, table=True):
    """Table ``share_snapshot_instances``."""

    __tablename__ = "share_snapshot_instances"
    __table_args__ = (
        sa.PrimaryKeyConstraint("id", name="share_snapshot_instances_pkey"),
        sa.ForeignKeyConstraint(["share_instance_id"], ["share_instances.id"], name="ssi_share_instance_fk"),
    )

    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    deleted: str | None = Field(default=None, sa_column=sa.Column("deleted", sa.String(36)))
    id: str = Field(sa_column=sa.Column("id", sa.String(36)))
    snapshot_id: str | None = Field(default=None, sa_column=sa.Column("snapshot_id", sa.String(36)))
    share_instance_id: str | None = Field(default=None, sa_column=sa.Column("share_instance_id", sa.String(36)))
    status: str | None = Field(default=None, sa_column=sa.Column("status", sa.String(255)))
    progress: str | None = Field(default=None, sa_column=sa.Column("progress", sa.String(255)))
    provider_location: str | None = Field(default=None, sa_column=sa.Column("provider_location", sa.String(255)))
    user_id: str | None = Field(default=None, sa_column=sa.Column("user_id", sa.String(255)))
    project_id: str | None = Field(default=None, sa_column=sa.Column("project_id", sa.String(255)))
    size: int | None = Field(default=None, sa_column=sa.Column("size", sa.Integer))
    share_proto: str | None = Field(default=None, sa_column=sa.Column("share_proto", sa.String(255)))
    share_group_snapshot_id: str | None = Field(
        default=None, sa_column=sa.Column("share_group_snapshot_id", sa.String(36))
    )


class ShareSnapshotMetadata(Table, table=True):
    """Table ``share_snapshot_metadata``."""

    __tablename__ = "share_snapshot_metadata"
    __table_args__ = (
        sa.PrimaryKeyConstraint("id", name="share_snapshot_metadata_pkey"),
        sa.ForeignKeyConstraint(
            ["share_snapshot_id"], ["share_snapshots.id"], name="share_snapshot_metadata_share_snapshot_id_fkey"
        ),
    )

    deleted: str | None = Field(default=None, sa_column=sa.Column("deleted", sa.String(36)))
    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    share_snapshot_id: str = Field(sa_column=sa.Column("share_snapshot_id", sa.String(36), nullable=False))
    key: str = Field(sa_column=sa.Column("key", sa.String(255), nullable=False))
    value: str = Field(sa_column=sa.Column("value", sa.String(1023), nullable=False))
    id: int | None = Field(default=None, sa_column=sa.Column("id", sa.Integer))


class ShareSnapshots(Table, table=True):
    """Table ``share_snapshots``."""

    __tablename__ = "share_snapshots"
    __table_args__ = (
        sa.PrimaryKeyConstraint("id", name="share_snapshots_pkey"),
        sa.ForeignKeyConstraint(["share_id"], ["shares.id"], name="share_snapshots_share_id_fkey"),
    )

    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    deleted: str | None = Field(default=None, sa_column=sa.Column("deleted", sa.String(36)))
    id: str = Field(sa_column=sa.Column("id", sa.String(36)))
    user_id: str | None = Field(default=None, sa_column=sa.Column("user_id", sa.String(255)))
    project_id: str | None = Field(default=None, sa_column=sa.Column("project_id", sa.String(255)))
    share_id: str = Field(sa_column=sa.Column("share_id", sa.String(36), nullable=False))
    size: int | None = Field(default=None, sa_column=sa.Column("size", sa.Integer))
    display_name: str | None = Field(default=None, sa_column=sa.Column("display_name", sa.String(255)))
    display_description: str | None = Field(default=None, sa_column=sa.Column("display_description", sa.String(255)))
    share_size: int | None = Field(default=None, sa_column=sa.Column("share_size", sa.Integer))
    share_proto: str | None = Field(default=None, sa_column=sa.Column("share_proto", sa.String(255)))


class ShareTypeExtraSpecs(Table, table=True):
    """Table ``share_type_extra_specs``."""

    __tablename__ = "share_type_extra_specs"
    __table_args__ = (
        sa.PrimaryKeyConstraint("id", name="share_type_extra_specs_pkey"),
        sa.ForeignKeyConstraint(["share_type_id"], ["share_types.id"], name="st_id_fk"),
    )

    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    deleted: int | None = Field(default=None, sa_column=sa.Column("deleted", sa.Integer))
    id: int | None = Field(default=None, sa_column=sa.Column("id", sa.Integer))
    share_type_id: str = Field(sa_column=sa.Column("share_type_id", sa.String(36), nullable=False))
    spec_key: str | None = Field(default=None, sa_column=sa.Column("spec_key", sa.String(255)))
    spec_value: str | None = Field(default=None, sa_column=sa.Column("spec_value", sa.String(255)))


class ShareTypeProjects(Table, table=True):
    """Table ``share_type_projects``."""

    __tablename__ = "share_type_projects"
    __table_args__ = (
        sa.PrimaryKeyConstraint("id", name="share_type_projects_pkey"),
        sa.ForeignKeyConstraint(["share_type_id"], ["share_types.id"], name="stp_id_fk"),
        sa.UniqueConstraint("share_type_id", "project_id", "deleted", name="stp_project_id_uc"),
    )

    id: int | None = Field(default=None, sa_column=sa.Column("id", sa.Integer))
    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    share_type_id: str | None = Field(default=None, sa_column=sa.Column("share_type_id", sa.String(36)))
    project_id: str | None = Field(default=None, sa_column=sa.Column("project_id", sa.String(255)))
    deleted: int | None = Field(default=None, sa_column=sa.Column("deleted", sa.Integer))


class ShareTypes(Table, table=True):
    """Table ``share_types``."""

    __tablename__ = "share_types"
    __table_args__ = (
        sa.PrimaryKeyConstraint("id", name="volume_types_pkey"),
        sa.UniqueConstraint("name", "deleted", name="st_name_uc"),
    )

    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    deleted: str | None = Field(default=None, sa_column=sa.Column("deleted", sa.String(36)))
    id: str = Field(sa_column=sa.Column("id", sa.String(36)))
    name: str | None = Field(default=None, sa_column=sa.Column("name", sa.String(255)))
    is_public: bool | None = Field(default=None, sa_column=sa.Column("is_public", sa.Boolean))
    description: str | None = Field(default=None, sa_column=sa.Column("description", sa.String(255)))


class Shares(Table, table=True):
    """Table ``shares``."""

    __tablename__ = "shares"
    __table_args__ = (
        sa.PrimaryKeyConstraint("id", name="shares_pkey"),
        sa.ForeignKeyConstraint(["share_group_id"], ["share_groups.id"], name="fk_shares_share_group_id"),
    )

    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    deleted: str | None = Field(default=None, sa_column=sa.Column("deleted", sa.String(36)))
    id: str = Field(sa_column=sa.Column("id", sa.String(36)))
    user_id: str | None = Field(default=None, sa_column=sa.Column("user_id", sa.String(255)))
    project_id: str | None = Field(default=None, sa_column=sa.Column("project_id", sa.String(255)))
    size: int | None = Field(default=None, sa_column=sa.Column("size", sa.Integer))
    display_name: str | None = Field(default=None, sa_column=sa.Column("display_name", sa.String(255)))
    display_description: str | None = Field(default=None, sa_column=sa.Column("display_description", sa.String(255)))
    snapshot_id: str | None = Field(default=None, sa_column=sa.Column("snapshot_id", sa.String(36)))
    share_proto: str | None = Field(default=None, sa_column=sa.Column("share_proto", sa.String(255)))
    is_public: bool | None = Field(default=None, sa_column=sa.Column("is_public", sa.Boolean))
    snapshot_support: bool | None = Field(default=None, sa_column=sa.Column("snapshot_support", sa.Boolean))
    share_group_id: str | None = Field(default=None, sa_column=sa.Column("share_group_id", sa.String(36)))
    source_share_group_snapshot_member_id: str | None = Field(
        default=None, sa_column=sa.Column("source_share_group_snapshot_member_id", sa.String(36))
    )
    task_state: str | None = Field(default=None, sa_column=sa.Column("task_state", sa.String(255)))
    replication_type: str | None = Field(default=None, sa_column=sa.Column("replication_type", sa.String(255)))
    create_share_from_snapshot_support: bool | None = Field(
        default=None, sa_column=sa.Column("create_share_from_snapshot_support", sa.Boolean)
    )
    revert_to_snapshot_support: bool | None = Field(
        default=None, sa_column=sa.Column("revert_to_snapshot_support", sa.Boolean)
    )
    mount_snapshot_support: bool | None = Field(default=None, sa_column=sa.Column("mount_snapshot_support", sa.Boolean))
    is_soft_deleted: bool | None = Field(
        default=None,
        sa_column=sa.Column("is_soft_deleted", sa.Boolean, server_default=sa.text("false"), nullable=False),
    )
    scheduled_to_be_deleted_at: datetime | None = Field(
        default=None, sa_column=sa.Column("scheduled_to_be_deleted_at", sa.DateTime)
    )
    source_backup_id: str | None = Field(default=None, sa_column=sa.Column("source_backup_id", sa.String(36)))
    snapshot_inherit_share_access_support: bool | None = Field(
        default=None,
        sa_column=sa.Column(
            "snapshot_inherit_share_access_support", sa.Boolean, server_default=sa.text("false"), nullable=False
        ),
    )


class Transfers(Table, table=True):
    """Table ``transfers``."""

    __tablename__ = "transfers"
    __table_args__ = (sa.PrimaryKeyConstraint("id", name="transfers_pkey"),)

    id: str = Field(sa_column=sa.Column("id", sa.String(36)))
    created_at: datetime | None = Field(default=None, sa_column=sa.Column("created_at", sa.DateTime))
    updated_at: datetime | None = Field(default=None, sa_column=sa.Column("updated_at", sa.DateTime))
    deleted_at: datetime | None = Field(default=None, sa_column=sa.Column("deleted_at", sa.DateTime))
    deleted: str | None = Field(default=None, sa_column=sa.Column("deleted", sa.String(36)))
    resource_id: str = Field(sa_column=sa.Column("resource_id", sa.String(36), nullable=False))
    resource_type: str = Field(sa_column=sa.Column("resource_type", sa.String(255), nullable=False))
    display_name: str | None = Field(default=None, sa_column=sa.Column("display_name", sa.String(255)))
    salt: str | None = Field(default=None, sa_column=sa.Column("salt", sa.String(255)))
    crypt_hash: str | None = Field(default=None, sa_column=sa.Column("crypt_hash", sa.String(255)))
    expires_at: datetime | None = Field(default=None, sa_column=sa.Column("expires_at", sa.DateTime))
    source_project_id: str | None = Field(default=None, sa_column=sa.Column("source_project_id", sa.String(255)))
    destination_project_id: str | None = Field(
        default=None, sa_column=sa.Column("destination_project_id", sa.String(255))
    )
    accepted: bool | None = Field(default=None, sa_column=sa.Column("accepted", sa.Boolean))
