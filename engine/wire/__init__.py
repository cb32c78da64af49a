"""What the server says, as data: one module for each kind of thing."""
