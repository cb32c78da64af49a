"""What a submission runs with, as digests that a receipt can name."""

import hashlib
from importlib.metadata import distribution

from worker.sandbox.allowed_packages import ALLOWED


def package_digests() -> dict[str, str]:
    """Describes each package that submissions may import: its version, and a digest of its files and their hashes."""
    found = {name: distribution(name) for name in ALLOWED}
    return {
        name: f"{package.version} sha256:{hashlib.sha256((package.read_text('RECORD') or '').encode()).hexdigest()}"
        for name, package in found.items()
    }
