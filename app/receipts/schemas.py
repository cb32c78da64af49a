"""Public keys as a JSON Web Key set (RFC 7517, RFC 8037)."""

from typing import Literal

from app.request_values import View


class PublicKey(View):
    """A public key as a JSON Web Key."""

    kty: Literal["OKP"] = "OKP"
    crv: Literal["Ed25519"] = "Ed25519"
    alg: Literal["Ed25519"] = "Ed25519"
    use: Literal["sig"] = "sig"
    kid: str
    x: str


class KeySet(View):
    """The key in use first, then those that signed older receipts."""

    keys: list[PublicKey]
