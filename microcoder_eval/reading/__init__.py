"""Problems, replies and grades in the files that people and other harnesses have."""
