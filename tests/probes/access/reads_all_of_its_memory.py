"""Reads all of its own memory byte by byte, mapped files and freed blocks too, for words that only the judge knows.
Expect: not passed
"""
# layer: zygote, judge

import hashlib

# The words themselves would be found here: the beginnings of some, their length, and what the whole comes to.
BEGINNINGS = {
    b"batched-": (17, "c97265fcf2bd6a5f"),
    b"divisibi": (20, "b9c260a4df58a366"),
    b"frequenc": (19, "b1749544ebd05a88"),
    b"half-spl": (15, "f98494b80690c511"),
}


def forbidden():
    for piece in memory():
        for beginning, (length, digest) in BEGINNINGS.items():
            place = piece.find(beginning)
            while place >= 0:
                if hashlib.sha256(piece[place : place + length]).hexdigest()[:16] == digest:
                    return True
                place = piece.find(beginning, place + 1)
    return False
