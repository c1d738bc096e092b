"""What official libraries answer about a repository. Nothing here asks Floe."""
