"""Looks where containers get their secrets and their neighbours' sockets.
Expect: not passed
"""
# layer: root

import os


def forbidden():
    places = ("/run/secrets", "/var/run/secrets", "/var/run/docker.sock", "/run/redis.sock", "/var/lib/docker")
    return any(os.path.exists(place) for place in places)
