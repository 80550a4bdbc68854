"""Work on a translation. With nothing: how far each language is.

`ask CODE LIST [--most N]` writes a numbered list of what is missing; `take CODE LIST ANSWERS` reads the same numbers
with translations (`12 text`, a line each), keeps those that pass the rules and tells of the others; `check CODE` tells
all faults; `drop CODE` removes what nothing shows any more.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.translations.rules import faults
from tests.translations.sentences import CODES, missing, sentences, translations, unused, write


def figures() -> int:
    """A line a language."""
    total = sum(map(len, sentences().values()))
    for code in CODES:
        parts = f"{len(unused(code)):,} unused, {len(wrong(code)):,} wrong"
        print(f"{code}: {total - len(missing(code)):,} of {total:,}, {parts}")
    return 0


def ask(code: str, listed: Path, most: int) -> int:
    """Each English text once, whatever contexts it has; what another context translates already is taken from there."""
    _reuse(code)
    texts = list(dict.fromkeys(text for _, text in missing(code)))[:most]
    lines = (f"{number} {_one_line(text)}\n" for number, text in enumerate(texts, 1))
    listed.write_text("".join(lines), encoding="utf-8")
    print(f"{len(texts):,} texts in {listed}")
    return 0


def _reuse(code: str) -> None:
    have = translations(code)
    known = {english: text for texts in have.values() for english, text in texts.items()}
    for context, english in missing(code):
        if english in known:
            have.setdefault(context, {})[english] = known[english]
    write(code, have)


def take(code: str, listed: Path, answers: Path) -> int:
    """Keep what passes; 1 when something did not."""
    asked, given = _numbered(listed), _numbered(answers)
    have, left = translations(code), 0
    wanted = sentences()
    for number, translation in given.items():
        english = asked.get(number)
        found = ["no such number"] if english is None else faults(code, english, translation)
        if english is None or found:
            left += 1
            print(f"{number} {english}\n   {translation}\n   {'; '.join(found)}")
            continue
        for context, texts in wanted.items():
            if english in texts:
                have.setdefault(context, {})[english] = translation
    write(code, have)
    print(f"{len(given) - left:,} taken, {left:,} not, {len(missing(code)):,} missing in {code}")
    return 1 if left else 0


def check(code: str) -> int:
    """All that the test would tell."""
    for context, text in missing(code):
        print(f"missing [{context}] {_one_line(text)}")
    for context, text in unused(code):
        print(f"unused [{context}] {_one_line(text)}")
    for line in wrong(code):
        print(line)
    return 1 if missing(code) or unused(code) or wrong(code) else 0


def wrong(code: str) -> list[str]:
    """Translations that break a rule."""
    return [
        f"[{context}] {_one_line(english)} -> {_one_line(text)}: {'; '.join(found)}"
        for context, texts in translations(code).items()
        for english, text in texts.items()
        if (found := faults(code, english, text))
    ]


def drop(code: str) -> int:
    """Forget what is not shown."""
    gone = set(unused(code))
    kept = {
        context: {english: text for english, text in texts.items() if (context, english) not in gone}
        for context, texts in translations(code).items()
    }
    write(code, kept)
    print(f"{len(gone):,} dropped")
    return 0


def _one_line(text: str) -> str:
    return text.replace("\n", "\\n")


def _numbered(file: Path) -> dict[int, str]:
    pairs = (line.partition(" ") for line in file.read_text(encoding="utf-8").splitlines() if line[:1].isdigit())
    return {int(number): text.replace("\\n", "\n") for number, _, text in pairs}


def main() -> int:
    """1 when something is missing or wrong."""
    parser = argparse.ArgumentParser("python -m tests.translations", description=__doc__)
    jobs = parser.add_subparsers(dest="job")
    for name, files in (("ask", ("list",)), ("take", ("list", "answers")), ("check", ()), ("drop", ())):
        job = jobs.add_parser(name)
        job.add_argument("code", choices=CODES)
        for file in files:
            job.add_argument(file, type=Path)
        if name == "ask":
            job.add_argument("--most", type=int)
    asked = parser.parse_args()
    if asked.job == "ask":
        return ask(asked.code, asked.list, asked.most)
    if asked.job == "take":
        return take(asked.code, asked.list, asked.answers)
    if asked.job == "check":
        return check(asked.code)
    return drop(asked.code) if asked.job == "drop" else figures()


if __name__ == "__main__":
    sys.exit(main())
