"""One module per sub-command, each with one name, `command`; imported only when it is invoked."""
