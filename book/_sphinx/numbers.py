"""The numbers of figures, without gaps on a page as it opens: a figure in a fold has that of the last one before it, and a letter.

On a page without a number figures have none either, for no reference leads to them.
"""

from docutils import nodes


def is_folded(node):
    """Whether a node lies in a section below "Deeper", or in a box that opens by its title."""
    while node := node.parent:
        if "deeper" in node.get("ids", ()) or {"dropdown", "exercise", "solution"} & set(node.get("classes", ())):
            return True
    return False


def letter_folded(app, env):
    """Number the figures of each page anew, and return the pages that must be written for that: none."""
    for page, kinds in env.toc_fignumbers.items():
        numbers, last, folded = kinds.get("figure", {}), 0, 0
        for figure in env.get_doctree(page).findall(lambda node: isinstance(node, nodes.figure) and node["ids"] and node["ids"][0] in numbers):
            last, folded = (last, folded + 1) if is_folded(figure) else (last + 1, 0)
            name = figure["ids"][0]
            if len(numbers[name]) == 1:
                del numbers[name]
                continue
            numbers[name] = (*numbers[name][:-1], f"{last}{chr(ord('a') + folded - 1)}" if folded else last)
    return ()
