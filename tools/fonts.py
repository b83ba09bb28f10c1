"""The fonts of the book, as selections of what its pages use: book/_static/fonts, from the packages of their makers.

    npm install source-serif@4.5.1 source-sans@3.52.0 source-code-pro@2.42.0 @fontsource/stix-two-math@5.3.0
    pip install fonttools==4.68.0 brotli==1.2.0
    make book && python -m tools.fonts node_modules

Needed only when pages use a letter that the selections lack (a test says so). Their licence, the SIL Open Font License, reserves the
name "Source", so the selections have names of their own; who made them stays in their tables and in LICENSE.md beside them.
"""

import io
import re
import sys
from copy import copy
from html import unescape
from pathlib import Path

from book._sphinx.pages import STATIC
from book._sphinx.paths import HTML

FONTS = STATIC / "fonts"
BASE = {chr(code) for code in range(0x20, 0x7F)} | set("\u00a0·–—‘’“”…×÷≤≥≠−±→←↑↓½⅓⅔¼¾§°µéèüöäßçñåøáíóúÉÖÜ•′″‑✓✗≈√∞∈αβγδεζηθικλμνξπρστυφχψω")
CODE = BASE | set("│─└├┌┐┘┤┬┴┼█▁▂▃▄▅▆▇")
FEATURES = ["kern", "liga", "pnum", "tnum", "ccmp", "locl"]
# our name -> where the font lies in node_modules, the family in its table, the axes at the values that the book uses, whether it is for code
CHOSEN = {
    "serif": ("source-serif/VAR/SourceSerif4Variable-Roman.ttf", "Book Serif", {"wght": (400, 600), "opsz": 14}),
    "serif-italic": ("source-serif/VAR/SourceSerif4Variable-Italic.ttf", "Book Serif", {"wght": 400, "opsz": 14}),
    "sans": ("source-sans/VF/SourceSans3VF-Upright.ttf", "Book Sans", {"wght": (400, 600)}),
    "mono": ("source-code-pro/VF/SourceCodeVF-Upright.ttf", "Book Mono", {"wght": 400}),
    "math": ("@fontsource/stix-two-math/files/stix-two-math-latin-400-normal.woff2", "Book Math", {}),
}


def letters_of_pages(html=HTML):
    """Every character of the built pages and slides, and those of their formulas."""
    words, formulas = set(), set()
    for page in [*html.glob("*.html"), *html.glob("book/*.html"), *html.glob("slides/*.html")]:
        text = re.sub(r"(?s)<(script|style)\b.*?</\1>", "", page.read_text(encoding="utf-8"))
        formulas |= {each for math in re.findall(r"(?s)<math.*?</math>", text) for each in _read(math)}
        words |= set(_read(re.sub(r"(?s)<math.*?</math>", "", text)))
    return {each for each in words if each.isprintable()}, {each for each in formulas if each.isprintable()}


def _read(html):
    return unescape(re.sub(r"<[^>]+>", "", html))


def slanted(letter):
    """A letter of a formula, and the italic one that a browser shows for it."""
    code = ord(letter)
    if letter == "h":
        return {letter, "\u210e"}
    for first, last, italic in (("a", "z", 0x1D44E), ("A", "Z", 0x1D434), ("α", "ω", 0x1D6FC), ("Α", "Ω", 0x1D6E2)):
        if first <= letter <= last:
            return {letter, chr(italic + code - ord(first))}
    return {letter}


def selection(source, family, axes, characters):
    """A font with these characters alone, under the name `family`."""
    from fontTools import subset
    from fontTools.ttLib import TTFont
    from fontTools.varLib import instancer

    font = TTFont(source, recalcTimestamp=False)
    font.flavor = None
    if axes:
        font = instancer.instantiateVariableFont(font, axes)
        buffer = io.BytesIO()
        font.save(buffer)
        font = TTFont(io.BytesIO(buffer.getvalue()), recalcTimestamp=False)
    options = subset.Options(layout_features=["ssty"] if family == "Book Math" else FEATURES, name_IDs=[0, 1, 2, 4, 6, 13, 14], hinting=False)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=[ord(each) for each in characters])
    subsetter.subset(font)
    if family == "Book Math":
        fitted_to_text(font)
    for record in font["name"].names:
        if record.nameID in (1, 4, 6):
            record.string = family if record.nameID != 6 else family.replace(" ", "")
    font.flavor = "woff2"
    return font


# Chromium hangs a root from its bar, keeps room for the widest of its signs, and in this font the smallest is more than twice as high as a letter.
SMALLER_ROOTS = {"root.middle": 0.8, "root.small": 0.62}  # from large to small
ROOT_WIDTH = 600
CLOSER = {"FractionNumeratorShiftUp": 450, "FractionDenominatorShiftDown": 410, "FractionRuleThickness": 60}
CLOSER |= {"RadicalRuleThickness": 60, "RadicalVerticalGap": 110}


def fitted_to_text(font):
    """Give a font of formulas small signs of the root, all of one width, and fractions that need less room above and below a line."""
    table, root = font["MATH"].table, font.getBestCmap()[ord("√")]
    for name, value in CLOSER.items():
        getattr(table.MathConstants, name).Value = value
    variants = table.MathVariants
    place = variants.VertGlyphCoverage.glyphs.index(root)
    signs = variants.VertGlyphConstruction.pop(place)
    variants.VertGlyphConstruction.append(signs)
    first = signs.MathGlyphVariantRecord[0]
    for name, scale in SMALLER_ROOTS.items():
        smaller = copy(first)
        smaller.VariantGlyph, smaller.AdvanceMeasurement = name, round(first.AdvanceMeasurement * scale)
        signs.MathGlyphVariantRecord.insert(0, smaller)
        scaled(font, root, name, scale)
    for part in (*signs.MathGlyphVariantRecord, *signs.GlyphAssembly.PartRecords):
        glyph = getattr(part, "VariantGlyph", None) or part.glyph
        scaled(font, glyph, glyph, 1)
    smallest = signs.MathGlyphVariantRecord[0].VariantGlyph
    variants.VertGlyphCoverage.glyphs[place:] = [*variants.VertGlyphCoverage.glyphs[place + 1 :], smallest]
    for cmap in font["cmap"].tables:
        cmap.cmap[ord("√")] = smallest


def scaled(font, glyph, name, height):
    """Put a glyph into a font that is as another one, ROOT_WIDTH wide and of a part of its height."""
    from fontTools.pens.transformPen import TransformPen
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    pen, (wide, left) = TTGlyphPen(None), font["hmtx"][glyph]
    width = ROOT_WIDTH / wide
    font.getGlyphSet()[glyph].draw(TransformPen(pen, (width, 0, 0, height, 0, 0)))
    font["glyf"][name] = pen.glyph()
    font["hmtx"][name] = ROOT_WIDTH, round(left * width)


def main(modules):
    words, formulas = letters_of_pages()
    latin = {each for each in words if ord(each) < 0x2500} | BASE
    signs = set().union(*map(slanted, formulas | {chr(code) for code in range(0x21, 0x7F)} | set("αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩ")))
    characters = {"mono": CODE, "math": signs | {each for each in words if each > "\u024f"} | set("∑∏∫√∞≤≥≠≈⌈⌉⌊⌋⟨⟩|‖{}()[]−±·×÷→↦∈∉⊂⊆∪∩∅∧∨¬∀∃…⋯′″ℓ∂∇∝~^¯˙")}
    for name, (path, family, axes) in CHOSEN.items():
        font = selection(Path(modules, path), family, axes, characters.get(name, latin))
        out = FONTS / f"{name}.woff2"
        font.save(out)
        print(f"{out.stat().st_size / 1000:5.1f} kB  {name}: {len(font.getBestCmap())} characters")


if __name__ == "__main__":
    main(sys.argv[1])
