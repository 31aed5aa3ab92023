"""Request bodies of ``common``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Annotated, Literal
from pydantic import BaseModel, ConfigDict, Field, RootModel


class AccessLevel(RootModel[Literal["rw", "ro"]]):
    root: Literal["rw", "ro"]


class AccessTypeBase(RootModel[Literal["ip", "user", "cert"]]):
    root: Literal["ip", "user", "cert"]


class BooleanString(
    RootModel[
        Literal[
            "True",
            "TRUE",
            "true",
            "1",
            "ON",
            "On",
            "on",
            "YES",
            "Yes",
            "yes",
            "y",
            "t",
            "False",
            "FALSE",
            "false",
            "0",
            "OFF",
            "Off",
            "off",
            "NO",
            "No",
            "no",
            "n",
            "f",
        ]
    ]
):
    root: Literal[
        "True",
        "TRUE",
        "true",
        "1",
        "ON",
        "On",
        "on",
        "YES",
        "Yes",
        "yes",
        "y",
        "t",
        "False",
        "FALSE",
        "false",
        "0",
        "OFF",
        "Off",
        "off",
        "NO",
        "No",
        "no",
        "n",
        "f",
    ]


class IntegerString(RootModel[str]):
    root: Annotated[str, Field(pattern="^-?[0-9]+$")]


class MetadataRequest(BaseModel):
    metadata: dict[str, str]


class QuotaSetUpdateV20(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
    )
    force: bool | BooleanString | None = None
    gigabytes: int | IntegerString | None = None
    id: str | None = None
    share_networks: int | IntegerString | None = None
    share_type: str | None = None
    shares: int | IntegerString | None = None
    snapshot_gigabytes: int | IntegerString | None = None
    snapshots: int | IntegerString | None = None
    tenant_id: str | None = None


class ResetStatus(
    RootModel[
        Literal[
            "creating",
            "available",
            "deleting",
            "error",
            "error_deleting",
            "migrating",
            "migrating_to",
            "server_migrating",
        ]
    ]
):
    root: Literal[
        "creating", "available", "deleting", "error", "error_deleting", "migrating", "migrating_to", "server_migrating"
    ]


class ServiceToggleV20(BaseModel):
    binary: str
    host: str


class SpecValue(RootModel[str]):
    root: Annotated[str, Field(max_length=255, min_length=1)]


class QuotaSetUpdateRequestV20(BaseModel):
    quota_set: QuotaSetUpdateV20


class SingleSpecRequest(RootModel[dict[str, bool | SpecValue]]):
    root: Annotated[dict[str, bool | SpecValue], Field(max_length=1, min_length=1)]
