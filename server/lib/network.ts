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
