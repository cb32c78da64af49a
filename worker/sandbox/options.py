"""What the supervisor tells a zygote on its command line. Knows no torch: both ends import it."""

import base64
import json
from dataclasses import asdict, dataclass
from typing import Any

from worker.sandbox.gpu import Gpu
from worker.sandbox.root import Tree, tree_from


@dataclass(frozen=True)
class Options:
    """`import_path` is what `sys.path` gets inside the tree, after the standard library."""

    tree: Tree
    import_path: tuple[str, ...]
    seccomp: bytes
    gpu: Gpu | None = None

    def to_json(self) -> str:
        return json.dumps({**asdict(self), "seccomp": base64.b64encode(self.seccomp).decode()})

    @classmethod
    def from_json(cls, text: str) -> "Options":
        """Trusts the text: it comes from `to_json` in the process that started this one."""
        data: dict[str, Any] = json.loads(text)
        return cls(
            tree=tree_from(data["tree"]),
            import_path=tuple(data["import_path"]),
            seccomp=base64.b64decode(data["seccomp"]),
            gpu=None if data["gpu"] is None else Gpu.from_json(data["gpu"]),
        )
