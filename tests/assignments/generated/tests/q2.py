from otter.test_files import test_case

OK_FORMAT = False

name = "q2"
points = 2


@test_case(points=2, hidden=True)
def test_refusal(head_sizes):
    try:
        head_sizes(10, 3)
    except ValueError:
        pass
    else:
        raise AssertionError("10 features were split into 3 heads")


@test_case()
def test_everything(env):
    assert env["head_sizes"](4, 2) == [2, 2]
