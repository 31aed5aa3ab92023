"""The version document, served with and without a token."""

from __future__ import annotations

from generated.microversions import MAX_MINOR
from generated.runtime import Json


def version_document(base_url: str) -> Json:
    """The one version there is; ``base_url`` has no trailing slash."""
    return {
        "versions": [
            {
                "id": "v2.0",
                "status": "CURRENT",
                "version": f"2.{MAX_MINOR}",
                "min_version": "2.0",
                "updated": "2015-08-27T11:33:21Z",
                "links": [
                    {"rel": "describedby", "type": "text/html", "href": "http://docs.openstack.org/"},
                    {"rel": "self", "href": f"{base_url}/v2/"},
                ],
                "media-types": [{"base": "application/json", "type": "application/vnd.openstack.share+json;version=1"}],
            }
        ]
    }
