"""Our own files, as browsers load them: kept for a year under the address that changes with them, and compressed."""

import gzip
from functools import cache
from typing import Final

from starlette.datastructures import Headers
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from app.web.rendering import FINGERPRINTS, STATIC

FOR_A_YEAR: Final = f"public, max-age={365 * 24 * 3600}, immutable"
# Under another version's address, as while a new one is rolled out, or under none.
ASK_AGAIN: Final = "public, no-cache"


class Static(StaticFiles):
    """Serves our own files."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Adds the caching header, and compresses for who takes it: nothing in these files is secret."""
        response = await super().get_response(path, scope)
        is_current = scope["query_string"] == f"v={FINGERPRINTS.get(path)}".encode()
        response.headers["Cache-Control"] = FOR_A_YEAR if is_current else ASK_AGAIN
        response.headers["Vary"] = "Accept-Encoding"
        takes_gzip = "gzip" in Headers(scope=scope).get("accept-encoding", "")
        if isinstance(response, FileResponse) and scope["method"] == "GET" and path in FINGERPRINTS and takes_gzip:
            return _compressed(path, response)
        return response


def _compressed(path: str, response: FileResponse) -> Response:
    kept = {name: response.headers[name] for name in ("cache-control", "vary", "content-type", "last-modified")}
    headers = {**kept, "ETag": f"W/{response.headers['etag']}", "Content-Encoding": "gzip"}
    return Response(_gzipped(path), headers=headers)


@cache
def _gzipped(path: str) -> bytes:
    return gzip.compress((STATIC / path).read_bytes(), mtime=0)
