/** Keeps the page for the next time without a network. Files that people open never come here. */

interface ServiceScope {
  addEventListener(type: "install" | "activate" | "fetch", listener: (event: ServiceEvent) => void): void;
  skipWaiting(): Promise<void>;
  registration: { scope: string };
}
interface ServiceEvent {
  request: Request;
  waitUntil(work: Promise<unknown>): void;
  respondWith(answer: Promise<Response>): void;
}
const scope = self as unknown as ServiceScope;

const NAME = "medh5-lite";
const PARTS = ["./", "index.html", "app.js", "app.css", "policy.js", "medh5_lite_wasm_bg.wasm"];

scope.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(NAME)
      .then((cache) => cache.addAll(PARTS))
      .then(() => scope.skipWaiting()),
  );
});

scope.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  const isOwn = PARTS.some((part) => new URL(part, scope.registration.scope).pathname === url.pathname) && url.href.startsWith(scope.registration.scope);
  if (isOwn && event.request.method === "GET" && !event.request.headers.has("Range")) event.respondWith(fresh(event.request));
});

/** The network's answer where there is one, so that an update is seen at once; else the kept one. */
async function fresh(request: Request): Promise<Response> {
  const cache = await caches.open(NAME);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(new URL(request.url).pathname, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept) return kept;
    throw error;
  }
}
