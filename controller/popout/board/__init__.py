"""A board as the controller sees it: switch events in, frames of light out, and the file that describes it."""
