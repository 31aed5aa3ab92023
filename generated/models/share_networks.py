"""Request bodies of ``share_networks``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Annotated, Literal
from pydantic import BaseModel, ConfigDict, Field, RootModel

from generated.models.common import BooleanString


class AddSecurityService(BaseModel):
    security_service_id: str


class AddSecurityServiceRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    add_security_service: AddSecurityService


class RemoveSecurityService(BaseModel):
    security_service_id: str


class RemoveSecurityServiceRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    remove_security_service: RemoveSecurityService


class ShareNetworkCreateV20(BaseModel):
    description: Annotated[str | None, Field(max_length=255)] = None
    name: Annotated[str | None, Field(max_length=255)] = None
    neutron_net_id: str | None = None
    neutron_subnet_id: str | None = None


class ShareNetworkCreateV251(BaseModel):
    availability_zone: str | None = None
    description: Annotated[str | None, Field(max_length=255)] = None
    name: Annotated[str | None, Field(max_length=255)] = None
    neutron_net_id: str | None = None
    neutron_subnet_id: str | None = None


class ShareNetworkStatus(RootModel[Literal["active", "error", "network_change"]]):
    root: Literal["active", "error", "network_change"]


class ShareNetworkSubnetCreateCheck(BaseModel):
    availability_zone: str | None = None
    neutron_net_id: str | None = None
    neutron_subnet_id: str | None = None
    reset_operation: bool | BooleanString | None = None


class ShareNetworkSubnetCreateCheckRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    share_network_subnet_create_check: ShareNetworkSubnetCreateCheck


class ShareNetworkUpdate(BaseModel):
    description: Annotated[str | None, Field(max_length=255)] = None
    name: Annotated[str | None, Field(max_length=255)] = None
    neutron_net_id: str | None = None
    neutron_subnet_id: str | None = None


class ShareNetworkUpdateRequest(BaseModel):
    share_network: ShareNetworkUpdate


class UpdateSecurityService(BaseModel):
    current_service_id: str
    new_service_id: str


class UpdateSecurityServiceCheck(BaseModel):
    current_service_id: str
    new_service_id: str
    reset_operation: bool | BooleanString | None = None


class UpdateSecurityServiceCheckRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    update_security_service_check: UpdateSecurityServiceCheck


class UpdateSecurityServiceRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    update_security_service: UpdateSecurityService


class AddSecurityServiceCheck(BaseModel):
    reset_operation: bool | BooleanString | None = None
    security_service_id: str


class AddSecurityServiceCheckRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    add_security_service_check: AddSecurityServiceCheck


class ShareNetworkCreateRequestV20(BaseModel):
    share_network: ShareNetworkCreateV20


class ShareNetworkCreateRequestV251(BaseModel):
    share_network: ShareNetworkCreateV251


class ShareNetworkResetStatus(BaseModel):
    status: ShareNetworkStatus


class ShareNetworkResetStatusRequest(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    reset_status: ShareNetworkResetStatus
