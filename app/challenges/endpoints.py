"""Challenges over REST: specs and starter files."""

from http import HTTPStatus

from fastapi import APIRouter, Response

from app.challenges.schemas import ChallengeDetails, ChallengeList, describe, summarize
from app.services import SignedIn, WithServices

router = APIRouter(prefix="/challenges", tags=["challenges"])


@router.get("")
def list_challenges(_: SignedIn, services: WithServices) -> ChallengeList:
    """All challenges of this installation."""
    return ChallengeList(items=[summarize(entry) for entry in services.catalogue])


@router.get("/{slug}")
def read_challenge(slug: str, _: SignedIn, services: WithServices) -> ChallengeDetails:
    """One challenge with its spec and its points."""
    return describe(services.catalogue.get(slug))


@router.get("/{slug}/starter", response_class=Response, responses={HTTPStatus.OK: {"content": {"text/x-python": {}}}})
def read_starter(slug: str, _: SignedIn, services: WithServices) -> Response:
    """The file to start from."""
    challenge = services.catalogue.get(slug).challenge
    disposition = f'attachment; filename="{challenge.manifest.upload}"'
    return Response(challenge.starter(), media_type="text/x-python", headers={"Content-Disposition": disposition})
