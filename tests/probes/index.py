"""Writes the index of probes in docs/threat-model.md anew: `python -m tests.probes.index`."""

import re
from pathlib import Path

from tests.probes.corpus import index

DOCUMENT = Path(__file__).parents[2] / "docs" / "threat-model.md"
MARKS = re.compile(r"(<!-- probes -->\n).*?(\n<!-- end -->)", re.DOTALL)

if __name__ == "__main__":
    DOCUMENT.write_text(MARKS.sub(lambda match: match[1] + index() + match[2], DOCUMENT.read_text()))
