"""Temporary files of tests are kept in memory: thousands of databases are made, written through, and removed again."""

import os
import shutil
import tempfile
from pathlib import Path
from typing import Final

FOLDER: Final = Path("/dev/shm")
ROOM_BYTES: Final = 4 << 30


def keep_files_in_memory() -> None:
    """Where there is room and programs may run, unless TMPDIR says where temporary files are to be."""
    if "TMPDIR" not in os.environ and _is_fit():
        os.environ["TMPDIR"] = str(FOLDER)  # for the programs that tests start
        tempfile.tempdir = str(FOLDER)


def _is_fit() -> bool:
    return (
        FOLDER.is_dir()
        and os.access(FOLDER, os.W_OK)
        and not os.statvfs(FOLDER).f_flag & os.ST_NOEXEC
        and shutil.disk_usage(FOLDER).free > ROOM_BYTES
    )
