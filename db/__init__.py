"""All SQL of the project: connections, migrations, and the queries of each resource as functions over a connection."""
