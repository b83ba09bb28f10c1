// Before the first paint: the colour scheme, so that nothing flashes, and the fonts, so that no line moves when they arrive.

for (const font of ["Book Serif", "Book Sans", "Book Math"]) document.fonts.load(`1em "${font}"`);
document.documentElement.dataset.mode = localStorage.getItem("mode") || "auto";
document.documentElement.dataset.theme = localStorage.getItem("theme") || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
document.documentElement.dataset.code = localStorage.getItem("show-code") === "true" ? "on" : "off";
