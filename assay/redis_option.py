"""Which Redis a command tells: that of the services in the same container, or of `assay up`."""

import re
from collections.abc import Callable
from contextlib import closing
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec

import click

from app.broker import Broker
from app.database import Database
from app.environment import kept_secret
from assay.database_option import chosen
from assay.datadir import DataDir
from assay.errors import WrongUsage
from assay.open_database import given_where
from assay.redis_accounts import API, passwords
from assay.redis_server import url

_PORT: Final = re.compile(r"^port ([0-9]{1,5})$", re.MULTILINE)
P = ParamSpec("P")


def with_broker(
    command: Callable[Concatenate[Database, Broker | None, P], None],
) -> Callable[Concatenate[Database, P], None]:
    """Adds `--redis-url`, and passes the broker there behind the database; None where nothing says which it is."""

    @wraps(command)
    def run(database: Database, /, *arguments: P.args, **options: P.kwargs) -> None:
        given: Any = options.pop("redis_url")
        where = given_where()
        address = given or kept_redis_url(chosen(where.data_dir, where.database_url))
        if address is None:
            command(database, None, *arguments, **options)
            return
        with closing(_broker_at(address)) as broker:
            command(database, broker, *arguments, **options)

    told = "The services' Redis (or ASSAY_REDIS_URL, or its file where containers have secrets)."
    return click.option("--redis-url", envvar="ASSAY_REDIS_URL", help=told)(run)


def _broker_at(address: str) -> Broker:
    try:
        return Broker(address)
    except ValueError as error:  # its text may hold a password
        raise WrongUsage("That is no address of a Redis. Nothing was changed.", "Give redis://HOST:PORT/0.") from error


def kept_redis_url(chosen: DataDir | str) -> str | None:
    """Returns the address of the Redis beside the chosen database, with a front end's account; None where nothing says
    which it is.
    """
    kept = kept_secret("assay_redis_url")
    if kept is not None:
        return kept
    if isinstance(chosen, str):
        return None
    configuration = chosen.redis / "redis.conf"
    port = _PORT.search(configuration.read_text(encoding="utf-8")) if configuration.is_file() else None
    return url(int(port[1]), API, passwords(chosen.secrets().redis_password)[API]) if port else None
