"""``manila-data``: the data process."""

from __future__ import annotations

import sys

from cli.main import start


def main() -> int:
    """Serve until SIGTERM."""
    return start(__doc__ or "", "data")


if __name__ == "__main__":
    sys.exit(main())
