"""What is kept of a secret in place of it."""

import hashlib


def sha256_of(text: str) -> str:
    """Returns the SHA-256 of the text in hexadecimal digits, also where the text is no valid Unicode."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
