"""`microcoder doctor`: `examine` attacks the sandbox of this machine, layer by layer; `terminal` prints the results."""
