"""Request bodies of ``security_services``.

Generated from ``spec/``; do not edit.
"""

from __future__ import annotations

from typing import Literal
from pydantic import BaseModel, RootModel


class SecurityServiceType(RootModel[Literal["active_directory", "ldap", "kerberos"]]):
    root: Literal["active_directory", "ldap", "kerberos"]


class SecurityServiceUpdateV20(BaseModel):
    description: str | None = None
    dns_ip: str | None = None
    domain: str | None = None
    name: str | None = None
    ou: str | None = None
    password: str | None = None
    server: str | None = None
    user: str | None = None


class SecurityServiceUpdateV276(BaseModel):
    default_ad_site: str | None = None
    description: str | None = None
    dns_ip: str | None = None
    domain: str | None = None
    name: str | None = None
    ou: str | None = None
    password: str | None = None
    server: str | None = None
    user: str | None = None


class SecurityServiceCreateV20(BaseModel):
    description: str | None = None
    dns_ip: str | None = None
    domain: str | None = None
    name: str | None = None
    ou: str | None = None
    password: str | None = None
    server: str | None = None
    type: SecurityServiceType
    user: str | None = None


class SecurityServiceCreateV276(BaseModel):
    default_ad_site: str | None = None
    description: str | None = None
    dns_ip: str | None = None
    domain: str | None = None
    name: str | None = None
    ou: str | None = None
    password: str | None = None
    server: str | None = None
    type: SecurityServiceType
    user: str | None = None


class SecurityServiceUpdateRequestV20(BaseModel):
    security_service: SecurityServiceUpdateV20


class SecurityServiceUpdateRequestV276(BaseModel):
    security_service: SecurityServiceUpdateV276


class SecurityServiceCreateRequestV20(BaseModel):
    security_service: SecurityServiceCreateV20


class SecurityServiceCreateRequestV276(BaseModel):
    security_service: SecurityServiceCreateV276
