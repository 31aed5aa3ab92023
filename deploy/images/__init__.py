"""Container images of the project, made from Debian packages and the lock file, without any registry.

``python3 noxfile.py images`` builds them; ``deploy.images.build.build`` is the same for programs.
"""
