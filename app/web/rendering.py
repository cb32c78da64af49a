"""From a template to a response. Everything that is put into a page is escaped; the policy allows nothing foreign."""

import hashlib
from datetime import datetime
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

from fastapi.responses import HTMLResponse, RedirectResponse, Response
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from app.problems import Problem
from app.time_zones import in_zone
from app.web import words
from app.web.pictures import error_picture
from app.web.visible import printable, prose

HERE: Final = Path(__file__).parent
STATIC: Final = HERE / "static"
_UNITS: Final = ((86_400, "day"), (3_600, "hour"), (60, "minute"))
CONTENT_SECURITY_POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)


def render(
    template: str, *, status_code: int = HTTPStatus.OK, problem: Problem | None = None, **context: Any
) -> HTMLResponse:
    """Renders a template as a response, with the security policy of all pages. A problem with what was sent gives the
    page its status and headers, and the template its sentence as `error`.
    """
    html = environment.get_template(template).render({"error": problem.detail if problem else None, **context})
    headers = {"Content-Security-Policy": CONTENT_SECURITY_POLICY, **(problem.headers if problem else {})}
    return HTMLResponse(html, problem.status if problem else status_code, headers)


def framable(page: Response, form_action: str = "'self'") -> Response:
    """Allows other sites to frame a page, which must show and do nothing of anybody who is signed in."""
    policy = CONTENT_SECURITY_POLICY.replace("frame-ancestors 'none'", "frame-ancestors *")
    page.headers["Content-Security-Policy"] = policy.replace("form-action 'self'", f"form-action {form_action}")
    return page


def see_other(address: str) -> RedirectResponse:
    """Redirects after a form, so that reloading the page does not send the form again."""
    return RedirectResponse(address, HTTPStatus.SEE_OTHER)


def static_url(name: str) -> str:
    """Returns the address of a static file. It changes with the content, so browsers may keep the file."""
    return f"/static/{name}?v={FINGERPRINTS[name]}"


def _points(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _ratio(value: float) -> str:
    return f"{value:.2f}" if value < 10 else f"{value:.0f}"


def _weekday(value: datetime, zone: str) -> str:
    return f"{value.astimezone(ZoneInfo(zone)):%a}"


def _distance(moment: datetime, now: datetime) -> str:
    """How far away a moment is, such as "in 3 days" or "2 hours ago"."""
    seconds = (moment - now).total_seconds()
    unit_s, unit = next(((size, name) for size, name in _UNITS if abs(seconds) >= 2 * size), _UNITS[-1])
    count = int(abs(seconds) // unit_s)
    if count == 0:
        return "now" if seconds > 0 else "just now"
    what = f"{count} {unit}{'' if count == 1 else 's'}"
    return f"in {what}" if seconds > 0 else f"{what} ago"


def _build() -> Environment:
    made = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(
        points=_points,
        ratio=_ratio,
        moment=in_zone,
        weekday=_weekday,
        distance=_distance,
        picture=error_picture,
        printable=printable,
        prose=prose,
    )
    made.globals.update(static_url=static_url, words=words)
    return made


FINGERPRINTS: Final = {path.name: hashlib.sha256(path.read_bytes()).hexdigest()[:12] for path in STATIC.iterdir()}
environment: Final = _build()
