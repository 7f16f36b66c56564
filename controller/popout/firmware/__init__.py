"""The firmware of a Pico that is a board: built here, put onto it, and asked. Nothing here runs on the Pico."""
