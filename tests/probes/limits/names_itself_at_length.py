"""Has functions with names as long as a book.
Expect: passed
"""
# layer: framing

for index in range(600):
    name = f"f{index}_" + "x" * 3000
    exec(f"def {name}(): pass")
    globals()[name]()
