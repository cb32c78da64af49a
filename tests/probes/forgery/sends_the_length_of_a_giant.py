"""Announces an answer of an exabyte.
Expect: error
"""
# layer: framing

import json
import os
import struct


def send(fields, body=b""):
    header = json.dumps(fields).encode()
    os.write(4, struct.pack("<IQ", len(header), len(body)) + header + body)


os.write(4, struct.pack("<IQ", 20, 1 << 60))
