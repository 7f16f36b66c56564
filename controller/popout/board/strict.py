"""What is wrong with a TOML file that msgspec refuses, as a sentence for the person who wrote it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from popout.rules.messages import Message


def explain(error: msgspec.ValidationError, data: dict[str, Any], form: type[msgspec.Struct], file: str) -> Message:
    """Say what `error` means, which came of converting `data` to `form`, in the file named `file`.

    The key is named as it is written in the file; entries of a list count from 1. A problem that is not foreseen
    here is told in msgspec's words.
    """
    problem, _, place = str(error).partition(" - at `$.")
    path = place.rstrip("`")
    key = _written(path)
    if found := re.fullmatch(r"Object contains unknown field `(.*)`", problem, re.DOTALL):
        return Message(
            "{file}: the key {key} is unknown. The keys that can stand there are {known}.",
            file=file,
            key=_written(f"{path}.{found[1]}" if path else found[1]),
            known=", ".join(_keys(form, path, data)),
        )
    if found := re.fullmatch(r"Object missing required field `(.*)`", problem):
        return Message(
            "{file}: the key {key} is missing.",
            file=file,
            key=_written(f"{path}.{found[1]}" if path else found[1]),
        )
    if problem.startswith(("Invalid value", "Invalid enum value")) and (values := _values(form, path, data)):
        return Message(
            "{file}, key {key}: this value is not possible. It must be one of {values}.",
            file=file,
            key=key,
            values=", ".join(values),
        )
    if found := re.fullmatch(r"Expected `(\w+).*`, got `.*`", problem):
        match found[1]:
            case "str":
                return Message("{file}, key {key}: this must be a text in quotation marks.", file=file, key=key)
            case "int":
                return Message("{file}, key {key}: this must be a whole number.", file=file, key=key)
            case "float":
                return Message("{file}, key {key}: this must be a number.", file=file, key=key)
            case "bool":
                return Message("{file}, key {key}: this must be true or false.", file=file, key=key)
            case "array":
                return Message("{file}, key {key}: this must be a list in square brackets.", file=file, key=key)
            case "object":
                return Message("{file}, key {key}: this must be a table of keys and values.", file=file, key=key)
    return Message("{file}, key {key}: {problem}.", file=file, key=key, problem=problem)


def _written(path: str) -> str:
    return re.sub(r"\[(\d+)\]", lambda index: f"[{int(index[1]) + 1}]", path)


def _keys(form: type[msgspec.Struct], path: str, data: Any) -> tuple[str, ...]:
    """The keys of the table at `path`."""
    table, _ = _at(form, path, data)
    tag = table.__struct_config__.tag_field
    return (*((tag,) if tag else ()), *table.__struct_encode_fields__)


def _values(form: type[msgspec.Struct], path: str, data: Any) -> tuple[str, ...]:
    """The values that the key at `path` may have, in quotation marks; empty if they cannot be listed."""
    table, _, key = path.rpartition(".")
    where, choices = _at(form, table, data)
    if key == where.__struct_config__.tag_field:
        tags = [str(choice.__struct_config__.tag) for choice in choices]
        return tuple(f'"{tag}"' for tag in tags)
    hint = get_type_hints(where).get(key)
    return tuple(f'"{value}"' for value in get_args(hint)) if get_origin(hint) is Literal else ()


def _at(
    form: type[msgspec.Struct], path: str, data: Any
) -> tuple[type[msgspec.Struct], tuple[type[msgspec.Struct], ...]]:
    """The form of the table at `path` in `data`, and all forms that it might have had by its tag."""
    chosen = form
    choices: tuple[type[msgspec.Struct], ...] = (form,)
    for step in re.findall(r"[^.\[\]]+|\[\d+\]", path):
        if step.startswith("["):
            data = data[int(step[1:-1])]
        else:
            data = data[step]
            choices = tuple(_structs(get_type_hints(chosen)[step]))
        chosen = choices[0]
        for choice in choices:
            config = choice.__struct_config__
            if config.tag_field and isinstance(data, dict) and data.get(config.tag_field) == config.tag:
                chosen = choice
    return chosen, choices


def _structs(hint: Any) -> Iterator[type[msgspec.Struct]]:
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        yield hint
    for part in get_args(hint):
        yield from _structs(part)
