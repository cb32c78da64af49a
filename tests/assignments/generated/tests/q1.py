OK_FORMAT = True

test = {
    "name": "q1",
    "points": 3,
    "suites": [
        {
            "cases": [
                {"code": ">>> head_sizes(12, 3)\n[4, 4, 4]", "hidden": False, "locked": False},
                {
                    "code": ">>> sizes = head_sizes(512, 8)\n>>> len(sizes), sum(sizes)\n(8, 512)",
                    "hidden": False,
                    "locked": False,
                    "points": 2,
                },
                {
                    "code": r""">>> head_sizes(768, 12) == [64] * 12
True""",
                    "hidden": True,
                    "locked": False,
                },
            ],
            "scored": True,
            "setup": "",
            "teardown": "",
            "type": "doctest",
        }
    ],
}
