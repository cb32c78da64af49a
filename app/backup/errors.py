"""Why a copy cannot be made or brought back: a sentence for the operator."""


class BackupError(Exception):
    """Raised when a backup or restore failed. Nothing was changed."""
