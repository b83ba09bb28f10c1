// Keeps what a reader has opened, and the whole book when asked, to be read without a network. The build writes it to the root of the site,
// with the name of the build and the files of the book but for Python, which is kept when it is first run.
"use strict";

const SITE = `book ${new URL(self.registration.scope).pathname}`, BUILD = `${SITE} ${"{build}"}`, FILES = "{files}".split("\n");
const WHOLE = new URL("kept-whole", self.registration.scope); // stands in a cache that holds all

async function keepWhole(tell) {
  const cache = await caches.open(BUILD);
  let kept = 0;
  for (let i = 0; i < FILES.length; i += 6) {
    await Promise.all(FILES.slice(i, i + 6).map(file => cache.add(new URL(file, self.registration.scope))));
    tell({ kept: (kept = Math.min(i + 6, FILES.length)), files: FILES.length });
  }
  await cache.put(WHOLE, new Response("all"));
  tell({ whole: true });
}

// A page that was opened before this worker was there, with what it loaded.
async function keepRead(addresses) {
  const cache = await caches.open(BUILD), own = addresses.filter(address => address.startsWith(self.registration.scope));
  await Promise.allSettled([...new Set(own.map(pageOf))].map(page => cache.add(page)));
}

async function replaceOlder() {
  const older = (await caches.keys()).filter(name => name.startsWith(`${SITE} `) && name !== BUILD);
  const whole = (await Promise.all(older.map(async name => (await caches.open(name)).match(WHOLE)))).some(Boolean);
  if (whole) await keepWhole(() => {});
  await Promise.all(older.map(name => caches.delete(name)));
  await self.clients.claim();
}

// What an address asks of a page is not a page of its own: one copy of each is kept.
function pageOf(address) {
  const { origin, pathname } = new URL(address);
  return origin + pathname;
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
    throw error;
  }
}

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", event => event.waitUntil(replaceOlder()));
self.addEventListener("fetch", event => {
  if (event.request.method === "GET" && event.request.url.startsWith(self.registration.scope)) event.respondWith(answer(event.request));
});
self.addEventListener("message", event => {
  const tell = message => event.source.postMessage(message);
  if (event.data.read) event.waitUntil(keepRead(event.data.read));
  if (event.data === "keep whole") event.waitUntil(keepWhole(tell).catch(error => tell({ failed: error.message })));
  if (event.data === "is whole?") event.waitUntil(caches.open(BUILD).then(cache => cache.match(WHOLE)).then(found => tell({ whole: Boolean(found) })));
});
