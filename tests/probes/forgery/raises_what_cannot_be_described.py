"""Raises exceptions whose text ends the process, is endless or is no text.
Expect: error
"""
# layer: judge

class Mute(Exception):
    def __str__(self):
        raise KeyboardInterrupt

    __repr__ = __str__


raise Mute
