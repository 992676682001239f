"""Trusted: supervisors hold expected outputs, run programs in sandboxes, watch them, and judge their outputs."""
