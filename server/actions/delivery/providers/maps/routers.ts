// OSRM and Valhalla: road routers an operator may run or rent.
import type { Vehicle } from "../../engine/eta/index.ts";
import { ask, refuseUnless, type Way } from "../ask.ts";
import { ProviderFailure } from "../port.ts";
import type { OutsideRouter } from "./port.ts";

const osrmProfile: Record<Vehicle, string> = {
  car: "driving",
  van: "driving",
  truck: "driving",
  motorbike: "driving",
  bicycle: "cycling",
  foot: "walking",
};

export function createOsrm(url: string, way: Way): OutsideRouter {
  return {
    name: "osrm",
    async route(from, to, vehicle) {
      const ends = `${from.lon},${from.lat};${to.lon},${to.lat}`;
      const reply = await ask(way, {
        url: `${url}/route/v1/${osrmProfile[vehicle]}/${ends}?overview=false`,
        timeoutMs: 2000,
      });
      if (reply.body?.code === "NoRoute" || reply.body?.code === "NoSegment") return null;
      const { routes } = refuseUnless(reply, 200);
      return answerOf(routes?.[0]?.duration, routes?.[0]?.distance / 1000);
    },
  };
}

const costing: Record<Vehicle, string> = {
  car: "auto",
  van: "auto",
  truck: "truck",
  motorbike: "motorcycle",
  bicycle: "bicycle",
  foot: "pedestrian",
};

export function createValhalla(url: string, way: Way): OutsideRouter {
  return {
    name: "valhalla",
    async route(from, to, vehicle) {
      const json = {
        locations: [from, to].map(({ lat, lon }) => ({ lat, lon })),
        costing: costing[vehicle],
        units: "kilometers",
      };
      const reply = await ask(way, { method: "POST", url: `${url}/route`, json, timeoutMs: 2000 });
      // 442: no path could be found for the input.
      if (reply.status === 400 && reply.body?.error_code === 442) return null;
      const { trip } = refuseUnless(reply, 200);
      return answerOf(trip?.summary?.time, trip?.summary?.length);
    },
  };
}

function answerOf(seconds: unknown, km: unknown): { seconds: number; km: number } {
  if (typeof seconds !== "number" || typeof km !== "number" || !(seconds >= 0))
    throw new ProviderFailure("garbled", "it answered no duration");
  return { seconds, km };
}
