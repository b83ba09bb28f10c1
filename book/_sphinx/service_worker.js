// Keeps what a reader has opened, and when asked the whole book or Python, to be read without a network. The build writes it to the root of
// the site, with the name of the build, and the files of the book and of Python.
"use strict";

const ROOT = self.registration.scope, SITE = `book ${new URL(ROOT).pathname}`, BUILD = `${SITE} {build}`;
const PARTS = {parts}; // book and, if the site brings it, python: the files of each, and how many bytes they have
const mark = part => new URL(`kept-${part}`, ROOT); // stands in a cache that holds the whole part

const namesOfCaches = async () => (await caches.keys()).filter(name => name.startsWith(`${SITE} `));

async function isKept(part, names = [BUILD]) {
  const found = await Promise.all(names.map(async name => (await caches.open(name)).match(mark(part))));
  return found.some(Boolean);
}

// Keep all files of a part, six at a time, and tell how much of it has arrived.
async function keepWhole(part, tell = () => {}) {
  const { files, bytes } = PARTS[part], cache = await caches.open(BUILD), waiting = [...files];
  let arrived = 0, told = -1;
  const count = size => {
    const share = Math.min(99, Math.floor(100 * (arrived += size) / bytes));
    if (share > told) tell({ part, share: (told = share) });
  };
  const keepOneByOne = async () => {
    for (let file; (file = waiting.shift());) {
      const response = await fetch(new URL(file, ROOT), { cache: "no-cache" }); // of this build, not what the browser has of an older one
      if (!response.ok && file !== "404.html") throw new Error(`${response.status} for ${file}`);
      const counted = new TransformStream({ transform(bytes, stream) { count(bytes.byteLength); stream.enqueue(bytes); } });
      await cache.put(new URL(file, ROOT), new Response(response.body.pipeThrough(counted), response));
    }
  };
  await Promise.all(Array.from({ length: 6 }, keepOneByOne));
  await cache.put(mark(part), new Response("all"));
}

async function tellWhatIsKept(tell) {
  for (const part of Object.keys(PARTS)) tell({ part, bytes: PARTS[part].bytes, whole: await isKept(part) });
}

// A page that was opened before this worker was there, with what it loaded.
async function keepRead(addresses) {
  const cache = await caches.open(BUILD), own = addresses.filter(address => address.startsWith(ROOT));
  await Promise.allSettled([...new Set(own.map(pageOf))].map(page => cache.add(page)));
}

// What an older build has kept whole, this one keeps before it takes its place.
async function keepWhatOlderKept() {
  const older = (await namesOfCaches()).filter(name => name !== BUILD);
  for (const part of Object.keys(PARTS)) if (await isKept(part, older)) await keepWhole(part);
  await self.skipWaiting();
}

async function replaceOlder() {
  await Promise.all((await namesOfCaches()).filter(name => name !== BUILD).map(name => caches.delete(name)));
  await self.clients.claim();
}

// What an address asks of a page is not a page of its own: one copy of each is kept. A folder is its index.
function pageOf(address) {
  const { origin, pathname } = new URL(address);
  return origin + pathname.replace(/\/$/, "/index.html");
}

// From the network, and what came is kept; without it, what was kept.
async function answer(request) {
  const cache = await caches.open(BUILD);
  try {
    const response = await fetch(request);
    if (response.status === 200) cache.put(pageOf(request.url), response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(pageOf(request.url), { ignoreVary: true });
    if (kept) return kept;
    if (request.mode === "navigate" && await isKept("book")) return notFound(cache, request.url);
    throw error;
  }
}

// Where all is kept there is no other page: the site's own words on that or, where it was built without its address, a line that leads home.
async function notFound(cache, address) {
  const page = await cache.match(new URL("404.html", ROOT)), up = "../".repeat(pageOf(address).slice(ROOT.length).split("/").length - 1);
  const line = `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Page not found</title>
<h1>Page not found</h1><p>There is no page at this address. You can <a href="${up}search.html">search the book</a>, or <a href="${up}index.html">begin with its cover</a>.</p>`;
  return new Response(page?.body ?? line, { status: 404, headers: { "Content-Type": "text/html; charset=utf-8" } });
}

self.addEventListener("install", event => event.waitUntil(keepWhatOlderKept()));
self.addEventListener("activate", event => event.waitUntil(replaceOlder()));
self.addEventListener("fetch", event => {
  if (event.request.method === "GET" && event.request.url.startsWith(ROOT)) event.respondWith(answer(event.request));
});
self.addEventListener("message", event => {
  const { data, source } = event, tell = message => source.postMessage(message);
  if (data.read) event.waitUntil(keepRead(data.read));
  if (data.keep) event.waitUntil(keepWhole(data.keep, tell).then(() => tellWhatIsKept(tell), error => tell({ part: data.keep, failed: error.name })));
  if (data === "what is kept?") event.waitUntil(tellWhatIsKept(tell));
});
