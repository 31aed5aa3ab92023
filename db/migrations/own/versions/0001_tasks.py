"""Tasks, capability reports, cluster-wide leases, and indexes on the columns that hot reads follow.

PostgreSQL makes no index for a foreign key; without these a list slows with the size of the database.
"""

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

TABLES = """
CREATE TABLE openkeel_tasks (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text NOT NULL,
    queue text NOT NULL,
    resource text,
    payload jsonb NOT NULL,
    state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'done', 'failed')),
    attempts integer NOT NULL DEFAULT 0,
    failures integer NOT NULL DEFAULT 0,
    request_id text,
    run_after timestamptz NOT NULL DEFAULT clock_timestamp(),
    lease_owner text,
    lease_until timestamptz,
    last_error text,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    started_at timestamptz,
    finished_at timestamptz
);
COMMENT ON TABLE openkeel_tasks IS 'Work that requests asked for; a row is written with the rows it is about.';
COMMENT ON COLUMN openkeel_tasks.queue IS 'scheduler, or the host of a back end.';
COMMENT ON COLUMN openkeel_tasks.resource IS 'Tasks with the same text run one by one, in order.';
COMMENT ON COLUMN openkeel_tasks.attempts IS 'Number of claims; with lease_owner the fencing token of a run.';
COMMENT ON COLUMN openkeel_tasks.failures IS 'Runs that ended with an infrastructure error.';
CREATE INDEX openkeel_tasks_ready ON openkeel_tasks (queue, id) WHERE state IN ('queued', 'running');
CREATE INDEX openkeel_tasks_resource ON openkeel_tasks (resource, id) WHERE state IN ('queued', 'running');
CREATE INDEX openkeel_tasks_finished ON openkeel_tasks (finished_at) WHERE state IN ('done', 'failed');
CREATE UNIQUE INDEX openkeel_tasks_one_running ON openkeel_tasks (resource) WHERE state = 'running';
CREATE TABLE openkeel_reports (
    host text PRIMARY KEY,
    reported_at timestamptz NOT NULL,
    capabilities jsonb NOT NULL
);
COMMENT ON TABLE openkeel_reports IS 'The newest capability report of each back end, by its own time.';
CREATE TABLE openkeel_placements (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    host text NOT NULL,
    pool text NOT NULL,
    gib integer NOT NULL,
    placed_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE openkeel_placements IS 'What was placed on a pool since the newest report of its back end.';
CREATE INDEX openkeel_placements_host ON openkeel_placements (host, pool);
CREATE TABLE openkeel_leases (
    name text PRIMARY KEY,
    owner text,
    lease_until timestamptz,
    last_run timestamptz
);
COMMENT ON TABLE openkeel_leases IS 'Who may run a periodic task now, and when it ran last in the whole cluster.'
"""

INDEXES = {
    "shares": ("project_id, created_at DESC, id", "snapshot_id", "share_group_id"),
    "share_instances": ("share_id", "host", "share_server_id", "share_network_id", "share_type_id"),
    "share_instance_export_locations": ("share_instance_id",),
    "share_instance_export_locations_metadata": ("export_location_id",),
    "share_metadata": ("share_id",),
    "share_access_map": ("share_id",),
    "share_instance_access_map": ("share_instance_id", "access_id"),
    "share_access_rules_metadata": ("access_id",),
    "share_snapshots": ("share_id", "project_id"),
    "share_snapshot_instances": ("snapshot_id", "share_instance_id"),
    "share_snapshot_metadata": ("share_snapshot_id",),
    "share_snapshot_access_map": ("share_snapshot_id",),
    "share_snapshot_instance_access_map": ("share_snapshot_instance_id", "access_id"),
    "share_snapshot_instance_export_locations": ("share_snapshot_instance_id",),
    "share_type_extra_specs": ("share_type_id",),
    "share_type_projects": ("share_type_id",),
    "share_networks": ("project_id",),
    "share_network_subnets": ("share_network_id",),
    "share_servers": ("host",),
    "share_server_backend_details": ("share_server_id",),
    "network_allocations": ("share_server_id",),
    "security_services": ("project_id",),
    "quota_usages": ("project_id, resource",),
    "reservations": ("project_id", "expire"),
    "messages": ("project_id, created_at",),
    "resource_locks": ("resource_id",),
}


def upgrade() -> None:
    """Create the tables; add indexes under names of our own to the adopted ones."""
    for statement in TABLES.split(";\n"):
        op.execute(statement)
    for table, lists in INDEXES.items():
        for columns in lists:
            name = "_".join(word for word in columns.replace(",", " ").split() if word not in ("DESC",))
            op.execute(f"CREATE INDEX openkeel_{table[:30]}_{name[:20]} ON {table} ({columns})")
