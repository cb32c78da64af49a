"""Never ends, whatever is raised in it.
Expect: timeout
"""
# layer: supervisor

while True:
    try:
        while True:
            pass
    except BaseException:
        continue
