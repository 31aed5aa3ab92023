"""Schema history: ``original`` is the adopted Manila schema, ``own`` holds what this project adds."""
