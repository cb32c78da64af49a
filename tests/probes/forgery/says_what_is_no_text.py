"""Tells of an exception whose texts no database takes, and that would steer the terminal of whoever reads them.
Expect: error
"""
# layer: framing

import json
import os
import struct

TEXT = "\ud800 \0 \x1b[2J \x9b2J \uffff"
header = json.dumps(
    {
        "kind": "import_failed",
        "problem": {
            "type": TEXT, "message": TEXT, "line": 1, "file": TEXT,
            "out_of_memory": False, "bases": [TEXT], "frames": [[TEXT, 1, 1]],
        },
    }
).encode()
os.write(4, struct.pack("<IQ", len(header), 0) + header)
