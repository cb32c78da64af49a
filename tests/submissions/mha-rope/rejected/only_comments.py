"""# Comments only, no code.
Rejected: is empty apart from comments
"""

# to do
# later
