"""What both sides of the sandbox use: the formats of the data between them, and Linux calls. No expected outputs."""
