"""Puts an object in the place of its module that has every function.
Expect: failed|error
"""
# layer: judge

import sys


class Everything:
    def __getattr__(self, name):
        return lambda *arguments, **more: arguments[-1] if arguments else torch.zeros(1)


sys.modules[__name__] = Everything()
