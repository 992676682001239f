"""The calls of other services, one file for each service, so that their clients only need another address.

Each file says which clients it was written for and where it differs from the original. What cannot be done is refused,
never answered with a made-up verdict.
"""
