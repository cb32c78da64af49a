"""Which Redis a command tells: that of the services in the same container, or of `assay up`."""

import re
from typing import Final

from app.environment import secrets_folder
from assay.datadir import DataDir
from assay.redis_accounts import API, passwords
from assay.redis_server import url

_PORT: Final = re.compile(r"^port ([0-9]{1,5})$", re.MULTILINE)


def kept_redis_url(chosen: DataDir | str) -> str | None:
    """With the account of a front end, beside the database that was chosen; None where nothing says which it is."""
    folder = secrets_folder()
    file = folder / "assay_redis_url" if folder else None
    if file is not None and file.is_file():
        return file.read_text(encoding="utf-8").strip()
    if isinstance(chosen, str):
        return None
    configuration = chosen.redis / "redis.conf"
    port = _PORT.search(configuration.read_text(encoding="utf-8")) if configuration.is_file() else None
    return url(int(port[1]), API, passwords(chosen.secrets().redis_password)[API]) if port else None
