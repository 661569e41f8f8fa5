"""The `boyi` command: one file a verb; each parses, calls the library once and prints. Start at `main`."""
