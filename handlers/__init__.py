"""The behaviour of each operation: one module per resource, one function per operation of the contract."""
