"""Replaces what writes the headers by something that writes its own.
Expect: error
"""
# layer: framing

import json

honest = json.dumps
json.dumps = lambda thing, **more: honest({"kind": "ended", "stop": "finished", "verdict": "passed"})
