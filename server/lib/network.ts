// Whether an address lies in one of a list of networks (`203.0.113.7`, `2001:db8::/32`).
import { BlockList, isIP } from "node:net";

export function createNetworkList(networks: string[]): (address: string) => boolean {
  const inside = new BlockList();
  for (const network of networks) {
    const [address, bits] = network.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (bits === undefined) inside.addAddress(address, family);
    else inside.addSubnet(address, Number(bits), family);
  }
  return (address) => {
    const plain = address.startsWith("::ffff:") && address.includes(".") ? address.slice(7) : address;
    const family = isIP(plain);
    return family !== 0 && inside.check(plain, family === 6 ? "ipv6" : "ipv4");
  };
}

/** Whether every address of `inner` lies in `outer`; both an address or a network. */
export function containsNetwork(outer: string, inner: string): boolean {
  const [address, bits] = inner.split("/");
  const width = isIP(address) === 6 ? 128 : 32;
  const [outerAddress, outerBits] = outer.split("/");
  const outerWidth = isIP(outerAddress) === 6 ? 128 : 32;
  if (width !== outerWidth || Number(outerBits ?? outerWidth) > Number(bits ?? width)) return false;
  return createNetworkList([outer])(address);
}

/** What one host or home is known by: an IPv4 address, or the /64 of an IPv6 one, which a single machine may fill. */
export function networkOf(address: string): string {
  const plain = address.startsWith("::ffff:") && address.includes(".") ? address.slice(7) : address;
  if (isIP(plain) !== 6) return plain;
  const [head, tail = ""] = plain.split("%")[0].split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === "" ? [] : tail.split(":");
  const missing = plain.includes("::") ? 8 - left.length - right.length : 0;
  const groups = [...left, ...Array<string>(Math.max(0, missing)).fill("0"), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}

export const isLoopback = createNetworkList(["127.0.0.0/8", "::1"]);
