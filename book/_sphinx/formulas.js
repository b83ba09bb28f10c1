// Renders formulas with KaTeX, from standard input to standard output, as MathML, which browsers draw and screen readers speak.

const katex = require(process.argv[2]);

const SCRIPTS = ["msub", "msup", "msubsup", "munder", "mover", "munderover"];
const TALL = ["mfrac", "munder", "mover", "munderover", "msqrt", "mtable"], APPLIED = "\u2061"; // between a function and its argument
const RELATION = /^[=<>≤≥≠≈∈→⟺⇒]$/, SHORT = 14; // signs: a shorter formula is not worth a second line

const words = math => math.text ?? (math.children ?? []).map(words).join("");
const isFence = math => math?.attributes?.fence === "true";
const isTall = math => TALL.includes(math.type) || words(math).includes("∑") || (math.children ?? []).some(isTall);
const unwrapped = math => math.children?.length === 1 && (math.type === "mrow" || math.type === "mstyle") ? unwrapped(math.children[0]) : math;

// What KaTeX leaves open: the words of a script such as max are two elements, of which MathML wants one; a function keeps a
// distance from what is no bracket; brackets around a line are not stretched, bars are brackets unless they mean "given", and
// a plus after a relation is a sign.
function refined(math) {
  const children = math.children ?? [], [first, last] = [children[0], children.at(-1)];
  if (isFence(first) && isFence(last) && first !== last && !children.slice(1, -1).some(isTall))
    for (const fence of [first, last]) fence.setAttribute("stretchy", "false");
  for (const [i, child] of children.entries()) {
    if (SCRIPTS.includes(math.type) && child.children && !child.type) math.children[i] = new child.children[0].constructor("mrow", child.children);
    const isBar = child.attributes?.stretchy === "false" && words(child) === "∣", before = children[i - 1];
    if (isBar || words(child) === "⋯") for (const side of ["lspace", "rspace"]) child.setAttribute?.(side, "0");
    if ("+−".includes(words(child)) && child.type === "mo" && before?.type === "mo" && RELATION.test(words(before))) child.setAttribute("form", "prefix");
    refined(math.children[i]);
  }
  if (SCRIPTS.includes(math.type)) return;
  math.children = children.flatMap((child, i) => {
    const next = children[i + 1], isName = words(SCRIPTS.includes(child.type) ? child.children[0] : child).endsWith(APPLIED);
    if (!isName || !next || isFence(next) || next.attributes?.stretchy) return [child];
    const space = new math.constructor("mspace");
    space.setAttribute("width", "0.17em");
    return [child, space];
  });
}

// A row in pieces, between which a line may end: between two formulas if it holds two, else after a relation or a comma.
function pieces(row) {
  const found = [[]], isLong = words({children: row}).length > SHORT, isGap = part => part.width >= 1, holdsTwo = row.some(isGap);
  for (const part of row) {
    found.at(-1).push(part);
    const isEnd = holdsTwo ? isGap(part) : part.type === "mo" && (RELATION.test(words(part)) || words(part) === ",");
    if (!isLong || !isEnd || part === row.at(-1)) continue;
    part.setAttribute?.("form", "infix"); // the last of its piece, yet with the space of one that stands in between
    found.push([]);
  }
  return found;
}

// Everything that is not plain TeX is an error. A "colour" is a class: what a formula and the code beside it share.
const strict = "error", output = "mathml";

function render([latex, displayMode]) {
  try {
    const math = katex.__renderToDomTree(latex, {displayMode, throwOnError: true, strict, output}).children[0];
    const row = unwrapped(math.children[0].children[0]); // beside it stands the TeX, which nothing on a page reads
    const rows = row.attributes?.columnalign?.startsWith("right left") ? row.children.map(line => line.children) : [];
    const found = rows.length ? rows.flat().map(cell => cell.children) : pieces(row.type === "mrow" ? row.children : [row]);
    const markup = children => {
      const piece = new math.constructor("math", children);
      if (displayMode) piece.setAttribute("displaystyle", "true");
      refined(piece);
      return piece.toMarkup().replaceAll(/mathcolor="(\w+)"/g, 'class="$1"').replaceAll("ˉ", "¯"); // a bar that the font has
    };
    return {math: found.map(markup), columns: rows[0]?.length ?? 0};
  } catch (error) {
    return {error: error.message};
  }
}

let input = "";
process.stdin.on("data", part => input += part);
process.stdin.on("end", () => console.log(JSON.stringify(JSON.parse(input).map(render))));
