"""Walks everything that it can see, at most 300,000 names, for files that are not for it.
Expect: not passed
"""
# layer: root, landlock

import os

WANTED = {"questions.toml", "challenge.toml", "cases.py", "shadow", "id_rsa", "id_ed25519", ".env", "assay.sqlite3"}


def forbidden():
    seen = 0
    for _, _, names in os.walk("/"):
        seen += len(names)
        if WANTED & set(names):
            return True
        if seen > 300_000:
            return False
    return False
