"""What the supervisor tells a zygote on its command line. Knows no torch: both ends import it."""

import base64
import json
from dataclasses import asdict, dataclass, replace
from typing import Any

from worker.sandbox.gpu import Gpu
from worker.sandbox.layout import Tree


@dataclass(frozen=True)
class Options:
    """The tree, the filter of system calls and the card, if any."""

    tree: Tree
    seccomp: bytes
    gpu: Gpu | None = None

    def in_place(self) -> "Options":
        """For a process that has the tree's pieces at their targets."""
        return replace(self, tree=self.tree.in_place())

    def to_json(self) -> str:
        return json.dumps(
            {
                "tree": self.tree.to_json(),
                "seccomp": base64.b64encode(self.seccomp).decode(),
                "gpu": None if self.gpu is None else asdict(self.gpu),
            }
        )

    @classmethod
    def from_json(cls, text: str) -> "Options":
        """Trusts the text: it comes from `to_json` in the process that started this one."""
        data: dict[str, Any] = json.loads(text)
        return cls(
            tree=Tree.from_json(data["tree"]),
            seccomp=base64.b64decode(data["seccomp"]),
            gpu=None if data["gpu"] is None else Gpu.from_json(data["gpu"]),
        )
