"""A platform that says whatever a test wants: for messages that Open edX would never send."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
from joserfc import jwt
from joserfc.jwk import RSAKey

from tests.web.conftest import Visit

LTI = "https://purl.imsglobal.org/spec/lti/claim"
LEARNER = "http://purl.imsglobal.org/vocab/lis/v2/membership#Learner"
INSTRUCTOR = "http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor"
DEEP_LINK = "https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings"


@dataclass
class OwnPlatform:
    """Its key, and a server with its key set; `answers` has what else it answers, by method and path."""

    tool: str
    port: int = 0
    key: RSAKey = field(default_factory=lambda: RSAKey.generate_key(2048, {"kid": "one"}))
    published: list[RSAKey] = field(default_factory=list)
    answers: dict[str, Any] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}"

    @property
    def registration(self) -> dict[str, Any]:
        return {
            "name": "Own",
            "issuer": self.url,
            "client_id": "assay-there",
            "authorization_url": f"{self.url}/authorize",
            "token_url": f"{self.url}/token",
            "keyset_url": f"{self.url}/keys",
            "deployment_ids": ["first", "second"],
        }

    def begin(self, visit: Visit, **changes: str) -> dict[str, str]:
        """The browser follows a link there; returns what we ask the platform."""
        told = {
            "iss": self.url,
            "login_hint": "7",
            "target_link_uri": f"{self.tool}/lti/launch",
            "client_id": "assay-there",
        }
        answer = visit.get("/lti/login", params={**told, **changes}, follow_redirects=False)
        assert answer.status_code == 303, answer.text
        assert answer.headers["location"].startswith(f"{self.url}/authorize?")
        return {name: values[0] for name, values in parse_qs(urlsplit(answer.headers["location"]).query).items()}

    def claims(self, nonce: str, /, **changes: Any) -> dict[str, Any]:
        """A right message. A change to None leaves a claim out; claims of LTI go by their short names."""
        moment = int(time.time())
        right: dict[str, Any] = {
            "iss": self.url,
            "aud": "assay-there",
            "sub": "7",
            "iat": moment,
            "exp": moment + 300,
            "nonce": nonce,
            "name": "Ada Lovelace",
            "email": "ada@school.test",
            f"{LTI}/message_type": "LtiResourceLinkRequest",
            f"{LTI}/version": "1.3.0",
            f"{LTI}/deployment_id": "first",
            f"{LTI}/target_link_uri": f"{self.tool}/lti/launch",
            f"{LTI}/roles": [LEARNER],
            f"{LTI}/resource_link": {"id": "link"},
            f"{LTI}/context": {"id": "course", "title": "Demonstration there"},
        }
        for name, value in changes.items():
            full = name if name in right or name in ("azp", DEEP_LINK) else f"{LTI}/{name}"
            right[full] = value
        return {name: value for name, value in right.items() if value is not None}

    def sign(self, claims: dict[str, Any], **header: Any) -> str:
        whole = {name: value for name, value in {"alg": "RS256", "kid": "one", **header}.items() if value is not None}
        return jwt.encode(whole, claims, self.key, algorithms=["RS256"])

    def launch(self, visit: Visit, **changes: Any) -> httpx.Response:
        asked = self.begin(visit)
        token = self.sign(self.claims(asked["nonce"], **changes))
        return send(visit, asked["state"], token)

    @classmethod
    @contextmanager
    def served(cls, tool: str) -> Iterator["OwnPlatform"]:
        platform = cls(tool)
        platform.published = [platform.key]

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._answer("GET")

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                self._answer("POST")

            def _answer(self, method: str) -> None:
                path = urlsplit(self.path).path
                platform.asked.append(f"{method} {path}")
                keys = {"keys": [key.as_dict(private=False) for key in platform.published]}
                found = {"GET /keys": keys, **platform.answers}.get(f"{method} {path}")
                status, headers = (404, {}) if found is None else (200, {})
                if isinstance(found, tuple):
                    status, headers, found = found
                content = json.dumps(found).encode()
                self.send_response(status)
                for name, value in {"Content-Length": str(len(content)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: Any) -> None:
                pass

        with ThreadingHTTPServer(("localhost", 0), Handler) as server:
            server.daemon_threads = True
            platform.port = server.server_address[1]
            thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
            thread.start()
            try:
                yield platform
            finally:
                server.shutdown()
                thread.join()


def send(visit: Visit, state: str, token: str) -> httpx.Response:
    """The platform's form, sent by the browser without our cookie, as browsers do; then what it is led to."""
    with httpx.Client(base_url=visit.client.base_url, headers={"Accept": "text/html"}, trust_env=False) as bare:
        answer = bare.post("/lti/launch", data={"state": state, "id_token": token})
    return visit.get(answer.headers["location"]) if answer.status_code == 303 else answer
