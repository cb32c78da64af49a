"""How a container's image is laid out: written when it is built, read by the first process of each container."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from worker.sandbox.root import Tree, tree_from

CODE = Path("/assay")  # the guest's own modules
PYTHON = CODE / "python"
LAYOUT = CODE / "layout.json"


@dataclass(frozen=True)
class Layout:
    """Where the image keeps what a submission may read."""

    tree: Tree
    import_path: tuple[str, ...]

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "Layout":
        """Trusts the text: it comes from `to_json` while the image was built."""
        data: dict[str, Any] = json.loads(text)
        return cls(tree_from(data["tree"]), tuple(data["import_path"]))
