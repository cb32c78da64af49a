"""Tells a second time that it was imported, so that every later answer comes one question early.
Expect: error
"""
# layer: framing

import json
import os
import struct


def send(fields, body=b""):
    header = json.dumps(fields).encode()
    os.write(4, struct.pack("<IQ", len(header), len(body)) + header + body)


send({"kind": "imported"})
send({"kind": "imported"})
