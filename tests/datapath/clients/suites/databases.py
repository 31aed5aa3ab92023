"""Databases on a share whose server is killed while they commit: what was committed is there afterwards."""

from __future__ import annotations

from typing import Final

SQLITE: Final = """
import sqlite3, os, threading, time
def _writer(path, who, seconds, done):
    # a busy time of a minute: the server is away for some seconds, and the others commit too
    base = sqlite3.connect(path, timeout=60, isolation_level=None)
    base.execute('pragma synchronous=full')
    end, number = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        number += 1
        try:
            base.execute('begin immediate')
            base.execute('insert into t(who, number, text) values(?, ?, ?)', (who, number, 'x' * 300))
            base.execute('commit')
            done.append((who, number))
        except sqlite3.OperationalError as error:
            if 'locked' not in str(error) and 'busy' not in str(error):
                raise
            if base.in_transaction:
                base.execute('rollback')
    base.close()
def sqlite_run(path, seconds, mode, writers=2):
    base = sqlite3.connect(path)
    base.execute(f'pragma journal_mode={mode}')
    base.execute('create table if not exists t(who, number, text)')
    base.commit()
    base.close()
    done, wrong = [], []
    def work(who):
        try: _writer(path, who, seconds, done)
        except BaseException as error: wrong.append(repr(error))
    threads = [threading.Thread(target=work, args=(who,)) for who in range(writers)]
    [one.start() for one in threads]; [one.join() for one in threads]
    return done, wrong
def sqlite_check(path, done):
    os.sync()
    open('/proc/sys/vm/drop_caches', 'w').write('3')
    base = sqlite3.connect(path)
    there = set(base.execute('select who, number from t'))
    found = base.execute('pragma integrity_check').fetchone()[0]
    base.close()
    return [len(done), len(set(map(tuple, done)) - there), found]
"""
"""Names for a guest: run writers, then look for what is lost."""

PREPARE: Final = """
set -e
chmod 700 {at}
initdb -D {at} -A trust -U postgres --no-instructions > /tmp/initdb.log
cat >> {at}/postgresql.conf <<EOF
listen_addresses = ''
unix_socket_directories = '/tmp'
shared_buffers = 16MB
max_connections = 12
jit = off
fsync = on
synchronous_commit = on
autovacuum = off
EOF
"""
START: Final = "pg_ctl -D {at} -l /tmp/postgres.log -w -t 120 start"
STOP: Final = "pg_ctl -D {at} -m immediate stop"
FILL: Final = "createdb -h /tmp -U postgres bench && pgbench -h /tmp -U postgres -i -q -s 1 bench"
RUN: Final = "pgbench -h /tmp -U postgres -c 4 -j 2 -T {seconds} bench"
CHECK: Final = """
psql -h /tmp -U postgres -At bench <<EOF
select count(*) from pgbench_history;
select (select sum(abalance) from pgbench_accounts) = (select sum(delta) from pgbench_history)
   and (select sum(tbalance) from pgbench_tellers) = (select sum(delta) from pgbench_history)
   and (select sum(bbalance) from pgbench_branches) = (select sum(delta) from pgbench_history);
EOF
"""
"""Rows of the history, one for each transaction, and whether all sums agree."""
