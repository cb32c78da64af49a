"""Prints what an extra of this project needs: python deploy/dependencies.py [EXTRA]

An image installs that before it gets the source, so that a change of the source does not install torch again.
"""

import sys
import tomllib
from pathlib import Path

project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
wanted = list(project["dependencies"])
for extra in sys.argv[1:]:
    wanted += project["optional-dependencies"][extra]
print("\n".join(wanted))
