"""The layers of the sandbox, one file for each; `enclose.py` puts a process behind all of them."""
