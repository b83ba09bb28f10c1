// Starts the slides. Each is made to fit its frame, and again when something on it opens, closes or grows; a lab is made as large as the
// frame allows. Keys that are pressed in a lab stay there, but for those that leave it. For print all options of the votes are open.
// The key D changes between light and dark. ?handout shows the same slides one below the other, with lines for notes, and without answers and what comes at the press of a key.

const HIGH = 690, WIDE = 1160, LARGEST_LAB = 2, TOO_SMALL = 0.8;
const LAB = "ranking-lab, hands-on", TYPED = `${LAB}, input, select, textarea, button`;
const asked = new URLSearchParams(location.search), printed = asked.has("print-pdf");
const ANSWERS = ".fragment, .notes, .of-answer:not(:has(svg)), .vote > details > p";
document.querySelector("[href='reveal.css']").media = asked.has("handout") ? "not all" : "all";  // without scripts, slides are a page

function isForReveal({ key, target }) {
  const leaves = /^(Escape|PageUp|PageDown)$/.test(key);
  if (leaves) document.activeElement?.blur();  // what has the focus would keep the key, and the next ones
  return leaves || !target?.closest?.(TYPED) && !(/^( |Enter)$/.test(key) && target?.closest?.("summary"));
}

// The largest size, up to the one given, with which the slide fits its frame.
function largest(most, set, fits) {
  let [low, high] = [0.4, most];
  set(most);
  if (fits()) return most;
  for (let tries = 0; tries < 7; tries += 1) {
    const size = (low + high) / 2;
    set(size);
    [low, high] = fits() ? [size, high] : [low, size];
  }
  set(low);
  return low;
}

function fit(slide) {
  if (Reveal.isOverview()) return;  // there each slide is as high as its frame
  const content = slide.querySelector(".fit"), labs = [...slide.querySelectorAll(LAB)], { display, visibility } = slide.style;
  const wide = [content, ...content.querySelectorAll(".lab-table, .hands-on-drawing")];
  const fits = () => slide.offsetHeight <= HIGH && wide.every(part => part.scrollWidth <= part.clientWidth + 1);
  const zoomLabs = zoom => labs.forEach(lab => { lab.style.zoom = zoom; });
  const zoomAll = zoom => {
    Object.assign(content.style, { zoom, maxWidth: `${WIDE / zoom}px` });
    content.style.setProperty("--zoom", zoom);  // formulas keep their size
  };
  Object.assign(slide.style, { display: "block", visibility: "hidden" });
  content.classList.remove("in-two");
  zoomAll(1);
  zoomLabs(1);
  if (labs.length && fits()) largest(LARGEST_LAB, zoomLabs, fits);
  else {
    const zoom = largest(1, zoomAll, fits);
    if (zoom < TOO_SMALL && slide.querySelector(".vote, .pair")) {
      content.classList.add("in-two");
      if (largest(1, zoomAll, fits) < zoom) {
        content.classList.remove("in-two");
        zoomAll(zoom);
      }
    }
  }
  Object.assign(slide.style, { display, visibility });
}

const grown = new ResizeObserver(entries => {
  const slides = entries.map(({ target }) => target.closest("section")).filter(slide => slide.offsetHeight > HIGH + 4);
  slides.forEach(fit);
  if (slides.length) Reveal.layout();
});

async function fitAll() {
  await Promise.allSettled([...document.fonts].map(font => font.load()));  // those of slides that are not shown yet, too
  Reveal.getSlides().forEach(fit);
  if (printed) for (const { style, offsetHeight, parentNode } of Reveal.getSlides()) style.top = `${(parentNode.offsetHeight - offsetHeight) / 2}px`;
  else {
    Reveal.layout();
    Reveal.getSlides().forEach(slide => grown.observe(slide.querySelector(".fit")));
    document.addEventListener("toggle", ({ target }) => {
      fit(target.closest("section"));
      Reveal.layout();
    }, true);
  }
  document.documentElement.classList.add("fitted");
}

if (printed) for (const option of document.querySelectorAll(".vote > details")) option.open = true;
if (asked.has("handout")) {
  for (const part of document.querySelectorAll(ANSWERS)) part.remove();
  for (const option of document.querySelectorAll(".vote > details")) option.removeAttribute("class");
  document.documentElement.classList.add("handout");
} else Reveal.initialize({
  width: 1280, height: 720, margin: 0.05, hash: true, center: true, transition: "none", slideNumber: "c/t", plugins: [RevealNotes],
  keyboardCondition: isForReveal, pdfMaxPagesPerSlide: 1, pdfSeparateFragments: false,
});
Reveal.addKeyBinding?.({ keyCode: 68, key: "D", description: "Light or dark slides" }, () => {
  const { dataset } = document.documentElement;
  dataset.theme = dataset.theme === "dark" ? "light" : "dark";
});
Reveal.on?.(printed ? "pdf-ready" : "ready", fitAll);
