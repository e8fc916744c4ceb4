// Answers for a table that is away: with a page that says so and waits. It keeps the files of that page and nothing
// else, neither another page nor anything that the table has told; while the table is there it changes no answer.

const KEPT = "yardboard-away-1"; // another number whenever the files change
const PAGE = "/static/away.html";
const FILES = [
  PAGE,
  "/static/away.css",
  "/static/away.js",
  "/static/browser_store.js",
  "/static/colours.css",
  "/static/icon.svg",
  "/static/settings/page_theme.js",
  "/static/settings/settings.js",
];

/** @typedef {Event & {waitUntil(done: Promise<unknown>): void}} LifeEvent */
/** @typedef {Event & {request: Request, respondWith(answer: Promise<Response>): void}} RequestEvent */

async function install() {
  const kept = await caches.open(KEPT);
  await kept.addAll(FILES.map((file) => new Request(file, { cache: "reload" })));
}

async function dropOthers() {
  const others = (await caches.keys()).filter((name) => name !== KEPT);
  await Promise.all(others.map((name) => caches.delete(name)));
}

/** @type {(request: Request, file: string) => Promise<Response>} */
async function answer(request, file) {
  try {
    return await fetch(request);
  } catch (error) {
    const found = await caches.match(file);
    if (!found) throw error;
    return found;
  }
}

addEventListener("install", (event) => /** @type {LifeEvent} */ (event).waitUntil(install()));
addEventListener("activate", (event) => /** @type {LifeEvent} */ (event).waitUntil(dropOthers()));
addEventListener("fetch", (event) => {
  const asked = /** @type {RequestEvent} */ (event);
  const { request } = asked;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") asked.respondWith(answer(request, PAGE));
  else if (FILES.includes(pathname)) asked.respondWith(answer(request, pathname));
});
