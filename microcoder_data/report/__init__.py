"""Queries on a finished build, and the pages that describe it."""
