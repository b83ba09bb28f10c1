// Before the first paint: the colour scheme, so that nothing flashes, and the font of the formulas, so that no line moves when it arrives.

document.fonts.load("1em Book Math");
document.documentElement.dataset.mode = localStorage.getItem("mode") || "auto";
document.documentElement.dataset.theme = localStorage.getItem("theme") || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
