"""`python -m assay`: how `assay up` starts the other roles, whatever is first on PATH."""

from assay.cli import main

main()
