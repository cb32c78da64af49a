"""Open edX's side of LTI 1.3 as a server: `lti-consumer-xblock` with its own views, keys, tokens, columns and scores.

It runs in a virtual environment of its own (`scripts/lti-platform`); nothing of ours imports it. What edx-platform
would add around it (who is in a course, who may write) the test says through `/control`. Nothing else is ours.

    python tests/lti/edx_platform.py PORT DATABASE TOOL
"""

import json
import sys

import django
from django.conf import settings
from django.core.management import call_command

PORT, DATABASE, TOOL = int(sys.argv[1]), sys.argv[2], sys.argv[3]
BASE = f"http://localhost:{PORT}"
LOCATION = "block-v1:school+demo+2026+type@lti_consumer+block@assay"
settings.configure(
    SECRET_KEY="for tests alone",
    ALLOWED_HOSTS=["localhost"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": DATABASE}},
    CACHES={
        "default": {"BACKEND": "django.core.cache.backends.filebased.FileBasedCache", "LOCATION": f"{DATABASE}-cache"}
    },
    INSTALLED_APPS=[
        "django.contrib.contenttypes",
        "django.contrib.auth",
        "django.contrib.sessions",
        "rest_framework",
        "django_filters",
        "config_models",
        "lti_consumer",
    ],
    MIDDLEWARE=[
        "edx_django_utils.cache.middleware.RequestCacheMiddleware",
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
    ],
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}],
    ROOT_URLCONF=__name__,
    USAGE_ID_PATTERN=r"(?P<usage_id>(?:i4x://?[^/]+/[^/]+/[^/]+/[^@]+(?:@[^/]+)?)|(?:[^/]+))",
    PLATFORM_NAME="School",
    LMS_ROOT_URL=BASE,
    LTI_BASE=BASE,
    LTI_API_BASE=BASE,
    USE_TZ=True,
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
)
django.setup()

from types import SimpleNamespace  # noqa: E402

from django.http import JsonResponse  # noqa: E402
from django.urls import include, path  # noqa: E402
from django.views.decorators.csrf import csrf_exempt  # noqa: E402
from lti_consumer.api import get_lti_1p3_content_url, get_lti_1p3_launch_start_url  # noqa: E402
from lti_consumer.data import Lti1p3LaunchData  # noqa: E402
from lti_consumer.models import LtiAgsLineItem, LtiAgsScore, LtiConfiguration, LtiDlContentItem  # noqa: E402
from lti_consumer.plugin import compat, views  # noqa: E402
from opaque_keys.edx.keys import UsageKey  # noqa: E402

MEMBERS = []


def _members(_course_key):
    return {number: {"id": number, **member} for number, member in enumerate(MEMBERS)}


compat.load_enough_xblock = lambda _location: None
compat.user_has_studio_write_access = lambda *_: True
compat.get_course_members = _members
compat.merge_course_forum_roles = lambda _key, members: members
compat.batch_get_or_create_externalids = lambda _users: {
    number: SimpleNamespace(external_user_id=member["subject"]) for number, member in enumerate(MEMBERS)
}
views.get_lti_pii_sharing_state_for_course = lambda _key: True


def configuration():
    """The one link to Assay in the one course that there is."""
    found = LtiConfiguration.objects.filter(version=LtiConfiguration.LTI_1P3).first()
    if found is not None:
        return found
    made = LtiConfiguration(
        version=LtiConfiguration.LTI_1P3,
        config_store=LtiConfiguration.CONFIG_ON_DB,
        location=UsageKey.from_string(LOCATION),
        lti_1p3_oidc_url=f"{TOOL}/lti/login",
        lti_1p3_launch_url=f"{TOOL}/lti/launch",
        lti_advantage_enable_nrps=True,
        lti_advantage_deep_linking_enabled=True,
        lti_advantage_deep_linking_launch_url=f"{TOOL}/lti/deep-link",
        lti_advantage_ags_mode=LtiConfiguration.LTI_ADVANTAGE_AGS_PROGRAMMATIC,
    )
    made.save()
    passport = made.lti_1p3_passport
    passport.lti_1p3_tool_keyset_url = f"{TOOL}/lti/keys.json"
    passport._generate_lti_1p3_keys_if_missing()
    return LtiConfiguration.objects.get(pk=made.pk)


def about(request):
    """What an administrator reads and enters on the other side."""
    found = configuration()
    passport = str(found.lti_1p3_passport.passport_id)
    return JsonResponse(
        {
            "issuer": BASE,
            "client_id": found.lti_1p3_client_id,
            "authorization_url": f"{BASE}/api/lti_consumer/v1/launch/",
            "token_url": f"{BASE}/api/lti_consumer/v1/token/{passport}",
            "keyset_url": f"{BASE}/api/lti_consumer/v1/public_keysets/{passport}",
            "deployment_ids": ["1"],
        }
    )


@csrf_exempt
def launch(request):
    """Where the link leads that somebody follows."""
    told = json.loads(request.body)
    is_deep_link = told.pop("deep_link", False)
    data = Lti1p3LaunchData(
        config_id=str(configuration().config_id),
        resource_link_id=LOCATION,
        context_id="course-v1:school+demo+2026",
        context_title="Language modeling at School",
        context_type=["course_offering"],
        **told,
    )
    address = (
        get_lti_1p3_launch_start_url(data, deep_link_launch=True) if is_deep_link else get_lti_1p3_content_url(data)
    )
    return JsonResponse({"address": address})


@csrf_exempt
def members(request):
    """Says who is in the course."""
    MEMBERS[:] = json.loads(request.body)
    return JsonResponse({})


def gradebook(request):
    """All columns, and all scores that arrived."""
    columns = list(LtiAgsLineItem.objects.values("id", "label", "score_maximum", "resource_id"))
    scores = list(
        LtiAgsScore.objects.values("line_item_id", "user_id", "score_given", "score_maximum", "grading_progress")
    )
    links = [item.attributes for item in LtiDlContentItem.objects.all()]
    return JsonResponse({"columns": columns, "scores": scores, "links": links})


@csrf_exempt
def forget(request):
    """Deletes all columns, as a teacher may."""
    LtiAgsLineItem.objects.all().delete()
    return JsonResponse({})


urlpatterns = [
    path("api/", include("lti_consumer.plugin.urls", namespace="lti_consumer")),
    path("control/about", about),
    path("control/launch", launch),
    path("control/members", members),
    path("control/gradebook", gradebook),
    path("control/forget", forget),
]

if __name__ == "__main__":
    from socketserver import ThreadingMixIn
    from wsgiref.simple_server import WSGIServer, make_server

    from django.core.wsgi import get_wsgi_application

    class Server(ThreadingMixIn, WSGIServer):
        """Answers several at once: it asks the tool for keys while the tool waits for it."""

        daemon_threads = True

    call_command("migrate", verbosity=0)
    configuration()
    make_server("localhost", PORT, get_wsgi_application(), Server).serve_forever()
