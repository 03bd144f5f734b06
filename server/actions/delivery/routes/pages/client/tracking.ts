// The tracking page while it is open: drawn again when something changes, and the pin can be moved to the door.

const live = document.querySelector("#live")!;
const { pathname } = location;
const language = document.documentElement.lang;

const stream = new EventSource(`${pathname}/live?lang=${language}`);
stream.addEventListener("update", (event) => {
  // Written by the service, which escapes what people wrote.
  live.innerHTML = JSON.parse((event as MessageEvent).data);
  if (moving) watchMap();
});
// A new state has other forms: the page is asked for again, once.
stream.addEventListener("state", () => location.reload());

const button = document.querySelector<HTMLButtonElement>("#move-pin");
let moving = false;
if (button) {
  button.hidden = !document.querySelector("#live svg");
  button.onclick = () => {
    moving = true;
    button.textContent = button.dataset.hint!;
    watchMap();
  };
}

function watchMap(): void {
  const map = document.querySelector<SVGSVGElement>("#live svg");
  if (!map) return;
  map.onclick = async (event) => {
    const box = map.getBoundingClientRect();
    const [x, y] = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    const { west, north, width, height } = map.dataset as Record<string, string>;
    const lat = Number(north) - y * Number(height);
    const lon = Number(west) + x * Number(width);
    moving = false;
    await fetch(pathname, { method: "POST", body: new URLSearchParams({ do: "pin", lat: `${lat}`, lon: `${lon}` }) });
    location.reload();
  };
}

export {};
