"""The pages of a course's staff, by who may see them."""

COURSE = "/courses/demo"
ASSIGNMENT = f"{COURSE}/assignments/attention"
FOR_STAFF = [
    COURSE,
    f"{COURSE}/gradebook",
    f"{ASSIGNMENT}/students/ada",
    f"{COURSE}/submissions",
    f"{COURSE}/people",
    f"{COURSE}/people/ada",
    f"{COURSE}/reviews",
    f"{COURSE}/regrade-requests",
    f"{COURSE}/regrade-requests?closed=true",
    f"{COURSE}/notes",
    f"{COURSE}/notes/new?assignment=attention&misconception=rope-on-v",
    ASSIGNMENT,
    f"{ASSIGNMENT}/understanding",
    f"{ASSIGNMENT}/understanding/rope-on-v",
    f"{ASSIGNMENT}/understanding/rope-on-v/teach",
    f"{ASSIGNMENT}/students",
    f"{ASSIGNMENT}/stuck",
    f"{ASSIGNMENT}/questions",
    f"{ASSIGNMENT}/similarity",
]
FOR_MANAGERS = [
    f"{COURSE}/people/import",
    f"{COURSE}/invitations",
    f"{COURSE}/settings",
    f"{COURSE}/exports",
    f"{COURSE}/lms",
    f"{COURSE}/audit",
    f"{COURSE}/assignments/new",
    f"{ASSIGNMENT}/edit",
    f"{ASSIGNMENT}/regrades",
]
