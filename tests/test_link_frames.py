"""The frames of the link: what is one, what is none, and that nothing on a wire can do harm."""

import binascii
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from popout.link.frames import MOST_BYTES, MOST_PAYLOAD, Decoder, checksum, encode

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
kinds = st.sampled_from(LETTERS)
numbers = st.integers(0, 255)
payloads = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=MOST_PAYLOAD)
frames = st.tuples(kinds, numbers, payloads)


def decoded(data: bytes) -> list[tuple[str, int, str]]:
    return list(Decoder().feed(data, len(data)))


def test_the_check_value_of_the_sum():
    assert checksum(b"123456789", 9) == 0x29B1


@given(st.binary(max_size=300))
def test_the_sum_is_that_of_another_program(data):
    assert checksum(data, len(data)) == binascii.crc_hqx(data, 0xFFFF)


def test_a_frame_as_it_is_written():
    assert encode("l", 10, "0100S02") == b"l0A0100S02" + b"%04X" % binascii.crc_hqx(b"l0A0100S02", 0xFFFF) + b"\n"


@pytest.mark.parametrize(
    ("kind", "number", "payload"),
    [
        ("", 0, ""),
        ("pp", 0, ""),
        ("1", 0, ""),
        ("é", 0, ""),
        ("p", -1, ""),
        ("p", 256, ""),
        ("p", 0, "a\nb"),
        ("p", 0, "\x7f"),
        ("p", 0, "ü"),
        ("p", 0, "x" * (MOST_PAYLOAD + 1)),
    ],
)
def test_what_is_no_frame_is_not_written(kind, number, payload):
    with pytest.raises(ValueError, match="a frame has one letter"):
        encode(kind, number, payload)


def test_the_longest_frame_is_as_long_as_a_line_may_be():
    line = encode("G", 255, "~" * MOST_PAYLOAD)
    assert len(line) == MOST_BYTES
    assert decoded(line) == [("G", 255, "~" * MOST_PAYLOAD)]


@given(st.lists(frames, max_size=6), st.lists(st.integers(1, 40), max_size=40))
def test_frames_arrive_as_they_were_sent_however_they_are_cut_into_pieces(sent, pieces):
    data = b"".join(encode(*frame) for frame in sent)
    decoder, found = Decoder(), []
    for length in [*pieces, len(data)]:
        piece, data = data[:length], data[length:]
        found += decoder.feed(piece, len(piece))
    assert found == sent
    assert decoder.bad == 0


@given(st.binary(max_size=2000))
def test_no_noise_raises_or_grows(noise):
    decoder = Decoder()
    before = {name: sys.getsizeof(value) for name, value in vars(decoder).items()}
    for _ in range(3):
        decoder.feed(noise, len(noise))
    after = {name: sys.getsizeof(value) for name, value in vars(decoder).items()}
    assert after.keys() == before.keys()
    assert all(after[name] <= before[name] + 8 for name in after)  # a count of 0 is a little smaller
    assert decoder.bad <= 3 * noise.count(b"\n")


@given(st.binary(max_size=600), frames)
def test_a_frame_after_any_noise_and_a_newline_is_understood(noise, frame):
    assert decoded(noise + b"\n" + encode(*frame))[-1:] == [frame]


@given(st.lists(st.one_of(st.binary(max_size=300), frames.map(lambda frame: encode(*frame))), max_size=8), frames)
def test_a_frame_after_cut_frames_and_noise_is_understood(mess, frame):
    assert decoded(b"".join(mess) + b"\n" + encode(*frame))[-1:] == [frame]


def test_no_flip_of_one_bit_makes_another_frame():
    line = encode("E", 0x5C, "3E8:3:1:8")
    for place in range(len(line)):
        for bit in range(8):
            flipped = bytearray(line)
            flipped[place] ^= 1 << bit
            assert decoded(bytes(flipped)) == [], flipped


def test_no_byte_lost_makes_another_frame():
    line = encode("E", 0x5C, "3E8:3:1:8")
    for place in range(len(line) - 1):
        assert decoded(line[:place] + line[place + 1 :]) == []


def test_a_line_that_is_too_long_is_dropped_whole_and_counted_once():
    decoder = Decoder()
    good = encode("p", 1)
    line = b"x" * 1000 + good  # its end would be a frame
    assert list(decoder.feed(line, len(line))) == []
    assert decoder.bad == 1
    assert list(decoder.feed(good, len(good))) == [("p", 1, "")]
    assert decoder.bad == 1


def test_a_line_one_byte_too_long_is_none_though_its_sum_is_right():
    text = b"G00" + b"~" * (MOST_PAYLOAD + 1)
    line = text + b"%04X\n" % binascii.crc_hqx(text, 0xFFFF)
    assert len(line) == MOST_BYTES + 1
    assert decoded(line) == []


@pytest.mark.parametrize("text", [b"p01", b"p0aX", b"p1gX", b"\xe901", b"101X", b"p01\x03", b"p01\xff", b""])
def test_a_line_that_is_no_frame_is_none_though_its_sum_is_right(text):
    found = decoded(text + b"%04X\n" % binascii.crc_hqx(text, 0xFFFF))
    assert found == ([("p", 1, "")] if text == b"p01" else [])


def test_a_sum_in_small_letters_is_none():
    line = encode("H", 3, "words")
    assert line == b"H03wordsA9C9\n"
    assert decoded(b"H03wordsa9c9\n") == []


def test_empty_lines_are_no_faults():
    decoder = Decoder()
    data = b"\n\n" + encode("p", 2) + b"\n"
    assert list(decoder.feed(data, len(data))) == [("p", 2, "")]
    assert decoder.bad == 0


def test_only_so_many_bytes_are_read_of_a_buffer_that_is_used_again():
    decoder, buffer = Decoder(), bytearray(64)
    line = encode("p", 3)
    buffer[: len(line)] = line
    assert decoder.feed(buffer, len(line) - 1) == ()
    buffer[0] = ord("\n")
    assert decoder.feed(buffer, 1) == (("p", 3, ""),)
