"""Choosing an assignment inside the platform: what is sent back there, signed, for each that could be chosen."""

import secrets
import time
from dataclasses import dataclass
from typing import Any, Final

from app.assignments.service import all_of
from app.courses.access import manages
from app.database import Database
from app.gradebook.book import points_max
from app.lti.keys import KeyRing
from app.lti.messages import CLAIM, SERVICE, DeepLinkClaim, Message
from app.models import Assignment, Course, Identity, LtiContext, LtiPlatform
from app.problems import Forbidden

LIFE_S: Final = 600
DEEP_LINKS: Final = f"{SERVICE}/lti-dl/claim"


@dataclass(frozen=True)
class Choice:
    """An assignment, and the signed answer that puts it into the platform's course."""

    assignment: Assignment
    jwt: str


@dataclass(frozen=True)
class Choices:
    """What an instructor may choose, and where the answer goes."""

    course: Course
    return_url: str
    items: list[Choice]


def choices(
    database: Database, keys: KeyRing, platform: LtiPlatform, context: LtiContext | None, message: Message, launch: str
) -> Choices:
    """Returns what whoever came with this message may choose; `launch` is the address of our launches.

    Raises Forbidden, with what to do, for anyone but an instructor who is known in the connected course.
    """
    settings = message.deep_link
    if settings is None or not message.is_instructor:
        raise Forbidden("Only instructors choose an assignment for the learning platform's course.")
    if "ltiResourceLink" not in settings.accept_types:
        raise Forbidden("Your learning platform takes no links here. Add Assay as an external tool instead.")
    if context is None or context.course is None:
        raise Forbidden(
            "This course is not connected with one on Assay yet. Open Assay from it once, as an external tool or from "
            "the course's menu: you will be asked which course it is."
        )
    with database.read() as session:
        identity = session.get(Identity, (platform.issuer, message.sub))
        user = identity.user if identity else None
        if user is None or not manages(session, user, context.course.id):
            raise Forbidden(
                f"Only instructors of {context.course.title!r} on Assay choose its assignments. If you are one, open "
                "Assay from this course once, and sign in: from then on your learning platform's word is enough."
            )
        if context.course.is_archived:
            raise Forbidden(
                f"{context.course.title!r} on Assay is archived, so its assignments are closed. Bring it back in its "
                "settings, or connect this course with another one."
            )
        assignments = all_of(session, context.course.id)
    items = [Choice(each, keys.sign(_answer(platform, message, settings, each, launch))) for each in assignments]
    return Choices(context.course, settings.deep_link_return_url, items)


def _answer(
    platform: LtiPlatform, message: Message, settings: DeepLinkClaim, assignment: Assignment, launch: str
) -> dict[str, Any]:
    moment, most = int(time.time()), points_max(assignment)
    answer: dict[str, Any] = {
        "iss": platform.client_id,
        "aud": platform.issuer,
        "iat": moment - 5,
        "exp": moment + LIFE_S,
        "nonce": secrets.token_urlsafe(24),
        f"{CLAIM}/deployment_id": message.deployment_id,
        f"{CLAIM}/message_type": "LtiDeepLinkingResponse",
        f"{CLAIM}/version": "1.3.0",
        f"{DEEP_LINKS}/content_items": [
            {
                "type": "ltiResourceLink",
                "title": assignment.title,
                "url": launch,
                "custom": {"assignment": assignment.id},
                "lineItem": {"label": assignment.title, "scoreMaximum": most, "resourceId": assignment.id},
            }
        ],
    }
    return answer if settings.data is None else answer | {f"{DEEP_LINKS}/data": settings.data}
