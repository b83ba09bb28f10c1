// Starts the slides; what is higher than its frame is made smaller, and keys that are pressed in a lab stay there.
"use strict";

Reveal.initialize({
  width: 1280, height: 720, margin: 0.05, hash: true, center: true, transition: "none", slideNumber: "c/t", plugins: [RevealNotes],
  keyboardCondition: event => !event?.target?.closest?.("ranking-lab, hands-on, input, select, textarea, summary, button"),
});

function fit() {
  for (const slide of Reveal.getSlides()) {
    const content = slide.querySelector(".fit"), { display, visibility } = slide.style;
    Object.assign(slide.style, { display: "block", visibility: "hidden" });
    content.style.zoom = 1;
    for (let tries = 0, zoom = 1; tries < 4 && content.getBoundingClientRect().height / Reveal.getScale() > 690; tries += 1) {
      zoom *= Math.max(0.5, 680 / (content.getBoundingClientRect().height / Reveal.getScale()));
      content.style.zoom = zoom;
    }
    Object.assign(slide.style, { display, visibility });
  }
  Reveal.layout();
}

Reveal.on("ready", () => document.fonts.ready.then(fit));
