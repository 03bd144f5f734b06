// The service worker of the courier's app: the newest page when there is a network, the last one when there is none.
const worker = globalThis as any;
const CACHE = "courier";
const scope = new URL(worker.registration.scope).pathname;

worker.addEventListener("install", (event: any) => {
  const files = [scope, `${scope}/app.js`, `${scope}/app.webmanifest`, `${scope}/icon.svg`];
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(files)));
  worker.skipWaiting();
});

worker.addEventListener("activate", (event: any) => event.waitUntil(worker.clients.claim()));

worker.addEventListener("fetch", (event: any) => {
  const { request } = event;
  const { pathname } = new URL(request.url);
  // Work and moves belong to the app itself: it knows what is newer.
  if (request.method !== "GET" || pathname.endsWith("/work.json")) return;
  event.respondWith(fromNetwork(request));
});

async function fromNetwork(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(request, answer.clone());
    return answer;
  } catch (error) {
    const last = await cache.match(request, { ignoreVary: true });
    if (last) return last;
    throw error;
  }
}

// A module of its own, so that its names stay its own.
export {};
