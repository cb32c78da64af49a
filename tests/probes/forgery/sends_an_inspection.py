"""Sends the result of reading the source where an answer is awaited.
Expect: error
"""
# layer: framing

import json
import os
import struct


def send(fields, body=b""):
    header = json.dumps(fields).encode()
    os.write(4, struct.pack("<IQ", len(header), len(body)) + header + body)


send({"kind": "inspection"}, b'{"refusal": null, "findings": [], "places": {}, "by_name": [], "reachable": {}, "landmarks": {}}')
