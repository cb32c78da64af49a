"""Why a copy cannot be made or brought back: a sentence for the operator."""


class BackupError(Exception):
    """Nothing was changed."""
