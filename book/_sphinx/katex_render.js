// Renders formulas with KaTeX, from standard input to standard output, and takes out of its boxes what shows nothing:
// about half of them. How a formula looks and what a screen reader speaks stay the same.

const katex = require(process.argv[2]);

const UNSTYLED = ["mord", "mbin", "mrel", "mopen", "mclose", "mpunct", "minner", "mtight", "mathrm"]; // no rule that matters
const SCRIPTS = ["msub", "msup", "msubsup", "munder", "mover", "munderover"];
const NULL_DELIMITER = 0.12, LINE = {above: 0.9, below: 0.28}; // in em, as in the style sheet and in the fonts of KaTeX

const isPlain = box => box.children && box.style && ![box.classes, box.style, box.attributes].some(each => Object.keys(each).length);

// A strut that is not taller than the line it stands in.
const isNeedless = ({classes, style}) => {
  const depth = -parseFloat(style?.verticalAlign ?? 0);
  return classes.includes("strut") && parseFloat(style.height) - depth <= LINE.above && depth <= LINE.below;
};

const widen = (box, side, by) => {
  const now = parseFloat(box.style[side] ?? 0) + (side === "marginRight" ? box.italic ?? 0 : 0);
  if (side === "marginRight") box.italic = 0;
  box.style[side] = `${+(now + by).toFixed(4)}em`;
};

// The width of a box that only keeps a distance, or 0.
const distance = ({classes, style, children, text}) => {
  if (classes.includes("sizing") || children?.length || text) return 0;
  return classes.includes("mspace") ? parseFloat(style.marginRight) : classes.includes("nulldelimiter") ? NULL_DELIMITER : 0;
};

const bears = box => box && !box.classes.includes("strut") && !box.classes.includes("sizing");

// Such boxes become margins of their neighbours.
function joined(boxes) {
  const kept = [];
  for (const box of boxes) {
    const last = kept.at(-1);
    if (distance(box) && bears(last)) widen(last, "marginRight", distance(box));
    else if (last && distance(last) && bears(box)) {
      widen(box, "marginLeft", distance(last));
      kept[kept.length - 1] = box;
    } else kept.push(box);
  }
  return kept;
}

// Wrappers go, their contents stay. What a column stacks keeps its own box, for the column moves that.
function trim(box) {
  if (!box.children || !box.style) return;
  if (box.classes.includes("vlist-t2")) { // its second row only adds a depth, which the strut of the formula has as well
    box.classes = ["vlist-t"];
    box.children.length = box.children[0].children.length = 1;
  }
  if (parseFloat(box.style.height) < 0) delete box.style.height; // no sheet has such a height, so it was never one
  if (box.classes.includes("vlist")) return box.children.flatMap(item => item.children).forEach(trim);
  box.children.forEach(trim);
  for (const child of box.children) child.classes = (child.classes ?? []).filter(name => name && !UNSTYLED.includes(name));
  box.children = joined(box.children.filter(child => !isNeedless(child)).flatMap(child => isPlain(child) ? child.children : child));
}

// The words of a script such as max are two elements, of which MathML wants one.
function grouped(math) {
  for (const [i, child] of (math.children ?? []).entries()) {
    if (SCRIPTS.includes(math.type) && child.children && !child.type) math.children[i] = new math.constructor("mrow", child.children);
    grouped(math.children[i]);
  }
}

// A class gives a colour to what a formula and the code beside it share; everything else that is not plain TeX is an error.
const strict = problem => problem === "htmlExtension" ? "ignore" : "error";
const trust = ({command}) => command === "\\htmlClass";

function render([latex, displayMode]) {
  try {
    const tree = katex.__renderToDomTree(latex, {displayMode, throwOnError: true, strict, trust});
    const formula = displayMode ? tree.children[0] : tree;
    const [math, picture] = [formula.children[0].children[0], formula.children[1]];
    const row = math.children[0].children[0]; // beside it stands the TeX, which nothing on a page reads
    math.children = row.type === "mrow" ? row.children : [row];
    grouped(math);
    math.setAttribute("class", "katex-mathml");
    formula.children[0] = math;
    picture.children.forEach(trim);
    return {html: tree.toMarkup()};
  } catch (error) {
    return {error: error.message};
  }
}

let input = "";
process.stdin.on("data", part => input += part);
process.stdin.on("end", () => console.log(JSON.stringify(JSON.parse(input).map(render))));
