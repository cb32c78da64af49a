"""A file from a page's form: chosen there, or typed and pasted."""

import re
from dataclasses import replace
from io import BytesIO
from pathlib import PurePosixPath
from typing import Final

from fastapi import UploadFile
from starlette.datastructures import FormData
from starlette.datastructures import UploadFile as SentUpload

from app.submissions.uploads import Upload
from app.web.visitors import text_of
from grader.notebook import is_notebook

_NONCE: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")


def file_of(form: FormData, filename: str) -> UploadFile | None:
    """The chosen file, else what stands in the text area, under this name. None where there is neither."""
    return _chosen(form) or _typed(form, filename)


def once(upload: Upload, form: FormData, what: str) -> Upload:
    """The upload with a key by which the same form sent twice is one submission."""
    nonce = text_of(form, "nonce")
    key = f"{what}-{nonce}-{upload.submission.sha256[:32]}" if _NONCE.fullmatch(nonce) else None
    return replace(upload, idempotency_key=key)


def _chosen(form: FormData) -> UploadFile | None:
    file = form.get("file")
    if not isinstance(file, SentUpload) or not file.filename:  # a browser sends a nameless part when nothing is chosen
        return None
    return UploadFile(file.file, filename=file.filename)


def _typed(form: FormData, filename: str) -> UploadFile | None:
    text = text_of(form, "source").replace("\r\n", "\n")  # a text area sends CRLF, whatever was pasted
    if is_notebook(filename):  # what was made of its cells is mended on the page
        filename = f"{PurePosixPath(filename).stem}.py"
    return UploadFile(BytesIO(text.encode("utf-8", "replace")), filename=filename) if text.strip() else None
