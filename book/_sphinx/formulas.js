// Renders formulas with KaTeX, from standard input to standard output, as MathML, which browsers draw and screen readers speak.

const katex = require(process.argv[2]);

const SCRIPTS = ["msub", "msup", "msubsup", "munder", "mover", "munderover"];
const TALL = ["mfrac", "munder", "mover", "munderover", "msqrt", "mtable"], APPLIED = "\u2061"; // between a function and its argument
const RELATION = /^[=<>≤≥≠≈∈→⟺⇒]$/, BEFORE_A_SIGN = /^[=<>≤≥≠≈∈→⟺⇒,([]$/, SHORT = 14; // signs: a shorter formula is not worth a second line

const words = math => math.text ?? (math.children ?? []).map(words).join("");
const isFence = math => math?.attributes?.fence === "true";
const isTall = math => TALL.includes(math.type) || words(math).includes("∑") || (math.children ?? []).some(isTall);
const isText = math => math.type === "mtext" && /\p{L}/u.test(words(math));
const unwrapped = (math, boxes = ["mrow", "mstyle"]) => math.children?.length === 1 && boxes.includes(math.type) ? unwrapped(math.children[0], boxes) : math;

const set = (math, attributes) => Object.entries(attributes).forEach(([name, value]) => math.setAttribute(name, value));

// \mathrm{tp} is one name, which is read aloud as a word, and not letter by letter as a product is.
const isUpright = math => math.type === "mi" && math.attributes.mathvariant === "normal" && /^[\p{L}@]$/u.test(words(math)) || math.type === "mn" && /^\d+$/.test(words(math));
const isName = ({type, children}) => (type === "mrow" || type === "math") && children.length > 1 && children[0].type === "mi" && children.every(isUpright);

// What KaTeX leaves open.
const RULES = [
  function lettersOfANameAreOneElement(math) {
    if (!isName(math)) return;
    const [first, ...others] = math.children;
    first.children.push(...others.flatMap(letter => letter.children));
    math.children = [first];
  },
  function wordsOfAScriptAreOneElement(math) {
    const joined = child => child.children && !child.type ? new math.constructor("mrow", child.children) : child;
    if (SCRIPTS.includes(math.type)) math.children = math.children.map(joined);
  },
  function bracketsAroundALineAreNotStretched({children}) {
    const [first, last] = [children[0], children.at(-1)];
    if (first === last || !isFence(first) || !isFence(last) || children.slice(1, -1).some(isTall)) return;
    for (const fence of [first, last]) set(fence, {stretchy: "false"});
  },
  function aBraceBeforeCasesIsDrawn({children}) { // by the style sheet: the font has no tall one
    if (children[1]?.type === "mtable" && words(children[0]) === "{") children.splice(0, 3, children[1]);
  },
  function barsAreBracketsUnlessTheyMeanGiven({children}) {
    for (const child of children)
      if (child.type === "mo" && (words(child) === "⋯" || words(child) === "∣" && child.attributes.stretchy)) set(child, {lspace: "0", rspace: "0"});
  },
  function aPlusAfterARelationOrACommaIsASign({children}) {
    for (const [i, child] of children.entries())
      if (child.type === "mo" && "+−".includes(words(child)) && BEFORE_A_SIGN.test(words(children[i - 1] ?? {}))) set(child, {form: "prefix"});
  },
  function aRelationHasSpaceBesideWordsToo({children}) { // words are as good as space, which MathML gives to the row around them
    const others = children.filter(child => !isText(child) && words(child));
    if (others.length && others.every(child => child.type === "mo"))
      for (const text of children.filter(isText)) Object.assign(text, {type: "mi", attributes: {mathvariant: "normal", ...text.attributes}});
  },
  function aLogarithmKeepsADistanceFromItsFactor(math) {
    if (SCRIPTS.includes(math.type)) return;
    math.children = math.children.flatMap((child, i) => {
      const before = math.children[i - 1], isFactor = before && before.type !== "mo" && before.type !== "mspace";
      if (!isFactor || !/^(ln|li|log|exp)\u2061?$/.test(words(child))) return [child];
      const space = new math.constructor("mspace");
      set(space, {width: "0.17em"});
      return [space, child];
    });
  },
  function aFunctionKeepsADistanceFromWhatIsNoBracket(math) {
    if (SCRIPTS.includes(math.type)) return;
    math.children = math.children.flatMap((child, i) => {
      const next = math.children[i + 1], isName = words(SCRIPTS.includes(child.type) ? child.children[0] : child).endsWith(APPLIED);
      if (!isName || !next || isFence(next) || next.attributes?.stretchy) return [child];
      const space = new math.constructor("mspace");
      set(space, {width: "0.17em"});
      return [child, space];
    });
  },
];

function refined(math) {
  if (!math.children) return;
  if (math.type) for (const rule of RULES) rule(math);
  math.children.forEach(refined);
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
    const styled = unwrapped(math.children[0].children[0], ["mrow"]); // beside it stands the TeX, which nothing on a page reads
    const isDisplay = displayMode || styled.attributes?.displaystyle === "true", row = unwrapped(styled);
    const rows = row.attributes?.columnalign?.startsWith("right left") ? row.children.map(line => line.children) : [];
    const found = rows.length ? rows.flat().map(cell => cell.children) : pieces(row.type === "mrow" ? row.children : [row]);
    const [first, last] = [row.children[0], row.children.at(-1)]; // brackets in two pieces: each would stretch to its own
    if (found.length > 1 && isFence(first) && isFence(last) && row.children.some(isTall)) for (const fence of [first, last]) set(fence, {minsize: "2.3em"});
    const markup = children => {
      const piece = new math.constructor("math", children.length === 1 && children[0].attributes?.displaystyle === "true" ? children[0].children : children);
      if (isDisplay) piece.setAttribute("displaystyle", "true");
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
