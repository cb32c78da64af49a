"""Works in one long step of the interpreter, which no Python handler interrupts.
Expect: timeout
"""
# layer: supervisor, rlimits

import re

re.match("(a|a)*$", "a" * 60 + "b")
