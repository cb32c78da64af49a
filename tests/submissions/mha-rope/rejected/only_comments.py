"""# Comments only, no code.
Rejected: does not define `
"""

# to do
# later
