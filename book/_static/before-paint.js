// Before the first paint: the colour scheme, so that nothing flashes, and the fonts, so that no line moves when they arrive.

const page = /\/(search|genindex)\.html/.test(location.pathname) ? [] : ['italic 1em "Book Serif"', '1em "Book Math"', '1em "Book Mono"'];
for (const font of ['1em "Book Serif"', '1em "Book Sans"', ...page]) document.fonts.load(font);
document.documentElement.dataset.mode = localStorage.getItem("mode") || "auto";
document.documentElement.dataset.theme = localStorage.getItem("theme") || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
document.documentElement.dataset.code = localStorage.getItem("show-code") === "true" ? "on" : "off";
