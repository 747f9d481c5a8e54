"""Texts are blocks and runs, never markup; what they show is a file beside the study's."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from backburner.kernel.errors import BadFile
from backburner.kernel.files import Place
from backburner.study.files import digest_of, parsed
from backburner.study.media import media_of
from backburner.study.prose import Block, Run, blocks_of, plain
from support.study.studies import SMALL

FIRST = b"\x89PNG\r\n\x1a\n rest"


def test_paragraphs_headings_lists_and_pictures_are_blocks() -> None:
    text = "# Begin\n\nOne line\ngoes on.\n- first\n- second\n\n1. one\n2. two\n![A pot](pot.png)\n\nThe end."
    assert [
        (block.kind, [plain((Block("paragraph", (line,)),)) for line in block.lines])
        for block in blocks_of(text)
    ] == [
        ("heading", ["Begin"]),
        ("paragraph", ["One line goes on."]),
        ("list", ["first", "second"]),
        ("numbers", ["one", "two"]),
        ("picture", ["A pot"]),
        ("paragraph", ["The end."]),
    ]
    assert [block.source for block in blocks_of("![a](a.png)\n![b](b.webm)")] == ["a.png", "b.webm"]
    assert [block.kind for block in blocks_of("One.\n\nTwo.")] == ["paragraph", "paragraph"]


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ("Taking part is **voluntary**.", ["Taking part is ", ("voluntary", "strong"), "."]),
        ("*Slowly*, please", [("Slowly", "em"), ", please"]),
        ("see [the board](https://b.example/x)", ["see the board ", ("(https://b.example/x)", "address")]),
        ("2 * 3 * 4, 2*3*4 and a ** b", ["2 * 3 * 4, 2*3*4 and a ** b"]),
        (r"\*not\* \[so](x)", ["*not* [so](x)"]),
        ("<b onclick=x>&amp;</b>", ["<b onclick=x>&amp;</b>"]),
        ("[x](data:y) ![no](a.png)", ["x ", ("(data:y)", "address"), " !no ", ("(a.png)", "address")]),
    ],
)  # fmt: skip
def test_runs_are_words_that_look_alike_and_whatever_else_there_is_stays(
    text: str, runs: list[object]
) -> None:
    (block,) = blocks_of(text)
    assert list(block.lines[0]) == [
        Run(*each) if isinstance(each, tuple) else Run(str(each)) for each in runs
    ]


def test_texts_of_nothing_but_signs_are_read_at_once() -> None:
    for piece in ("*", "**a", "[", "[a](", "![", "\\", "- ", "\n"):
        assert len(plain(blocks_of(piece * 30_000))) <= 200_000


def studied(text: str, folder: Path) -> dict[str, str]:
    raw = tomllib.loads(SMALL)
    raw["texts"]["en"]["read"] = text
    study = parsed(raw, "small.toml")
    media = media_of(study, folder, Place("small.toml"))
    assert (digest_of(study, media) == digest_of(study)) == (not media), "what is shown is part of the digest"
    return {name: each.type for name, each in media.items()}


def test_what_texts_show_lies_beside_the_file_and_is_what_its_ending_says(tmp_path: Path) -> None:
    (tmp_path / "pot.png").write_bytes(FIRST)
    (tmp_path / "film.mp4").write_bytes(b"\0\0\0\x18ftypmp42")
    (tmp_path / "fake.png").write_bytes(b"<svg onload=x>")
    assert studied("![A pot](pot.png)\n![Cooking](film.mp4)", tmp_path) == {
        "pot.png": "image/png",
        "film.mp4": "video/mp4",
    }
    assert studied("no picture", tmp_path) == {}
    for text, why in {
        "![A pot](pod.png)": r"field 'read'.*pot\.png",
        "![](pot.png)": r"say what pot\.png shows",
        "![A pot](fake.png)": "not of its ending's type",
        "![A pot](../pot.png)": "no file beside",
        "![A pot](https://x.example/pot.png)": "no file beside",
        "![A pot](pot.svg)": "no file beside",
        "![A pot]()": "no file beside",
    }.items():
        with pytest.raises(BadFile, match=why):
            studied(text, tmp_path)
    (tmp_path / "large.gif").write_bytes(b"GIF89a" + bytes(9 << 20))
    with pytest.raises(BadFile, match="at most 8388608"):
        studied("![A pot](large.gif)", tmp_path)
