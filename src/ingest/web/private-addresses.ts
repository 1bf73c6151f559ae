import { BlockList, isIP } from "node:net";

/** What an address that came from outside must never lead to: this machine, its network, and what is not one host. */
const FORBIDDEN_V4: readonly [string, number][] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16], // link-local, and where clouds keep their metadata
  ["168.63.129.16", 32], // Azure's; the other clouds' are in private and link-local ranges
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];
const FORBIDDEN_V6: readonly [string, number][] = [
  ["::", 96], // unspecified, loopback, and IPv4 in the form once called compatible
  ["64:ff9b:1::", 48],
  ["100::", 64],
  ["2001::", 23],
  ["2001:db8::", 32],
  ["3fff::", 20],
  ["5f00::", 16],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
];

const forbidden = new BlockList();
for (const [net, prefix] of FORBIDDEN_V4) forbidden.addSubnet(net, prefix, "ipv4");
for (const [net, prefix] of FORBIDDEN_V6) forbidden.addSubnet(net, prefix, "ipv6");

/** Whether an IP address is one of the public internet. */
export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, "").split("%", 1)[0]!;
  const family = isIP(bare);
  if (family === 0) return false;
  if (family === 4) return !forbidden.check(bare, "ipv4");
  if (forbidden.check(bare, "ipv6")) return false;
  const inner = embeddedV4(bare);
  return inner === undefined || !forbidden.check(inner, "ipv4");
}

/** The IPv4 address inside ::ffff:0:0/96, 64:ff9b::/96 (NAT64) and 2002::/16 (6to4), which leads where that one leads. */
function embeddedV4(address: string): string | undefined {
  const words = expand(address);
  const v4 = (high: number, low: number) => [high >> 8, high & 255, low >> 8, low & 255].join(".");
  const begins = (...prefix: number[]) => prefix.every((word, i) => words[i] === word);
  if (begins(0, 0, 0, 0, 0, 0xffff) || begins(0, 0, 0, 0, 0xffff, 0) || begins(0x64, 0xff9b, 0, 0, 0, 0))
    return v4(words[6] ?? 0, words[7] ?? 0);
  if (begins(0x2002)) return v4(words[1] ?? 0, words[2] ?? 0);
  return undefined;
}

function expand(address: string): number[] {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const hex = (high: string | undefined, low: string | undefined) => ((Number(high) << 8) | Number(low)).toString(16);
  const plain = dotted ? `${dotted[1]}${hex(dotted[2], dotted[3])}:${hex(dotted[4], dotted[5])}` : address;
  const [head = "", tail] = plain.split("::");
  const words = (part: string) => (part ? part.split(":").map((word) => Number.parseInt(word, 16)) : []);
  const front = words(head);
  if (tail === undefined) return front;
  const back = words(tail);
  return [...front, ...Array<number>(Math.max(0, 8 - front.length - back.length)).fill(0), ...back];
}
