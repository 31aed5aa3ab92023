"""The HTTP shell: the pipeline of middlewares, tokens, dispatch over the generated routes, and faults."""
