"""What every pod of a back end is told by options: JSON as in a pod, and names of Secrets."""

from __future__ import annotations

import json
from typing import Any

from drivers.kubernetes.api import Object
from generated.errors import ShareBackendException


def parsed(name: str, text: str, kind: type) -> Any:
    """The value of a JSON option.

    Raises:
        ShareBackendException: it is no JSON, or of another kind; the text names the option.
    """
    try:
        value = json.loads(text)
    except ValueError as error:
        raise ShareBackendException(msg=f"{name} is no JSON: {error}") from error
    if not isinstance(value, kind):
        raise ShareBackendException(msg=f"{name} must be a JSON {kind.__name__}, not {text}")
    return value


def secrets(text: str) -> list[Object]:
    """``imagePullSecrets`` of a pod: ``kubernetes_pull_secrets`` has names separated by commas."""
    return [{"name": one.strip()} for one in text.split(",") if one.strip()]
