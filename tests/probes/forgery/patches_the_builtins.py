"""Replaces len, all, any, isinstance and abs for everybody in the process.
Expect: failed|error
"""
# layer: judge

import builtins

builtins.all = builtins.any = lambda *arguments: True
builtins.abs = lambda thing: 0
builtins.max = builtins.min = lambda *arguments, **more: 0
