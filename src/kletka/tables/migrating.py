"""Bringing a store's schema up to date, with Alembic: the steps lie in `migrations`."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory

_BEFORE = (("outages", "0003"), ("drafts", "0002"), ("tables", "0001"))
"""Stores from before revisions were written down: the newest table that is there tells the revision."""
_LOCK = 5_238_114
"""PostgreSQL's advisory lock while a process migrates; any number that is ours."""


class TooNew(Exception):
    """A newer Kletka has changed this store's schema."""


def migrate(engine: sa.Engine) -> None:
    """Bring the schema of a store to the newest revision; several processes may do so at once.

    Raises TooNew; DBAPIError where the store can't be changed.
    """
    config = Config()
    config.set_main_option("script_location", "kletka.tables:migrations")
    script = ScriptDirectory.from_config(config)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        # One at a time: SQLite would otherwise begin to write only with the first row.
        sqlite = engine.dialect.name == "sqlite"
        connection.exec_driver_sql("BEGIN IMMEDIATE" if sqlite else f"SELECT pg_advisory_lock({_LOCK})")
        try:
            config.attributes["connection"] = connection
            known = sa.inspect(connection).get_table_names()
            if "alembic_version" in known:
                revision = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
                if revision not in {one.revision for one in script.walk_revisions()}:
                    raise TooNew(revision)
            elif revision := next((revision for table, revision in _BEFORE if table in known), None):
                command.stamp(config, revision)
            command.upgrade(config, "head")
        except BaseException:
            if sqlite:
                connection.exec_driver_sql("ROLLBACK")
            raise
        finally:
            if not sqlite:
                connection.exec_driver_sql(f"SELECT pg_advisory_unlock({_LOCK})")
        if sqlite:
            connection.exec_driver_sql("COMMIT")
