"""The messages between the user's process and its supervisors, and how they are sent. Both sides are trusted."""
