"""The contract as data (``spec/``) to Python (``generated/``): deterministic, offline, never imported at run time."""
