// The tracking page while it is open: drawn again when something changes, and the pin can be moved to the door.

const { pathname } = location;
const language = document.documentElement.lang;
const partOf = (id: "live" | "forms", of: Document = document): Element => of.querySelector(`#${id}`)!;
let moving = false;

const stream = new EventSource(`${pathname}/live?lang=${language}`);
stream.addEventListener("update", (event) => {
  // Written by the service, which escapes what people wrote.
  partOf("live").innerHTML = JSON.parse((event as MessageEvent).data);
  if (moving) watchMap();
});
// A new state has other forms.
stream.addEventListener("state", () => void drawAgain());
watchButton();

/** Both parts of the page as the service draws them now; what stands in a field that is still there stays. */
async function drawAgain(): Promise<void> {
  const answer = await fetch(`${pathname}?lang=${language}`, { headers: { Accept: "text/html" } }).catch(() => null);
  if (!answer?.ok) return location.reload();
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const typed = document.querySelector<HTMLInputElement>("#forms input[name=instructions]")?.value;
  document.title = fresh.title;
  for (const id of ["live", "forms"] as const) partOf(id).innerHTML = partOf(id, fresh).innerHTML;
  const field = document.querySelector<HTMLInputElement>("#forms input[name=instructions]");
  if (field && typed !== undefined) field.value = typed;
  watchButton();
}

function watchButton(): void {
  const button = document.querySelector<HTMLButtonElement>("#move-pin");
  moving = false;
  if (!button) return;
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
    await fetch(pathname, { method: "POST", body: new URLSearchParams({ do: "pin", lat: `${lat}`, lon: `${lon}` }) });
    await drawAgain();
  };
}

export {};
