"""Public keys as a JSON Web Key set (RFC 7517, RFC 8037)."""

from typing import Literal

from pydantic import BaseModel, ConfigDict


class PublicKey(BaseModel):
    """A public key as a JSON Web Key."""

    model_config = ConfigDict(frozen=True)

    kty: Literal["OKP"] = "OKP"
    crv: Literal["Ed25519"] = "Ed25519"
    alg: Literal["Ed25519"] = "Ed25519"
    use: Literal["sig"] = "sig"
    kid: str
    x: str


class KeySet(BaseModel):
    """The key in use first, then those that signed older receipts."""

    model_config = ConfigDict(frozen=True)

    keys: list[PublicKey]
