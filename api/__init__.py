"""The HTTP shell: the pipeline of middlewares, tokens, dispatch over the generated routes, faults. No behaviour of an operation."""
