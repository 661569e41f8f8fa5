"""Search, written once for every game and specialised at compile time."""
