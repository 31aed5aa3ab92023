"""What a process can be: one module a role, loaded by the processes that play it, so that each is small."""
