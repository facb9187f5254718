import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { ApiError } from '../errors';

export interface AddressPolicyOptions {
  /** Whether the profile itself is on this machine, in which case its results can be, too. */
  readonly loopbackProfile: boolean;
  /** The profile's host. Results on a private network are downloaded only if this host is on one, too. */
  readonly profileHost?: string | undefined;
  /** Called once per host for plain http, which is rejected without it. */
  readonly allowPlainHttp?: ((host: string) => Promise<boolean>) | undefined;
  /** Resolves a name to all its IP addresses. Rejects without any. Defaults to the machine's own resolver. */
  readonly resolve?: ((host: string) => Promise<readonly string[]>) | undefined;
}

/**
 * Returns a check of an address from a response: a remote service must not be able to reach what only this machine or its network
 * can. The check rejects with kind `unsafeUrl`. A name no local resolver knows is left to the stack, and so to its proxy.
 */
export function createAddressPolicy(options: AddressPolicyOptions): (url: URL) => Promise<void> {
  const { loopbackProfile, profileHost, allowPlainHttp, resolve = resolveAll } = options;
  const agreed = new Set<string>();

  const addressesOf = async (host: string): Promise<readonly string[]> => {
    const bare = host.replace(/^\[|\]$/g, '');
    const found = isIP(bare) ? [bare] : await resolve(bare).catch(() => []);
    return found.flatMap((address) => [address, ...containedIn(address)]);
  };
  const isPrivateProfile = async () =>
    profileHost !== undefined && (await addressesOf(profileHost)).some((address) => isIn(privateNetworks, address));

  return async (url) => {
    if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refusal(`it is not a web link (${url.protocol})`);
    if (url.username || url.password) throw refusal('it contains a user name and password');
    const isNamedLocal = isLoopbackHost(url.hostname);
    const addresses = await addressesOf(url.hostname);
    if (loopbackProfile && (isNamedLocal || addresses.some((address) => isIn(loopback, address)))) return;
    if (isNamedLocal || addresses.some((address) => isIn(ownMachine, address))) {
      throw refusal(`${url.host} is on this machine, unlike the service`);
    }
    if (
      !loopbackProfile &&
      addresses.some((address) => isIn(privateNetworks, address)) &&
      !(await isPrivateProfile())
    ) {
      throw refusal(`${url.host} is on your network, unlike the service`);
    }
    if (url.protocol === 'http:' && !agreed.has(url.host)) {
      if (!(await allowPlainHttp?.(url.host))) throw refusal(`the connection to ${url.host} is not encrypted`);
      agreed.add(url.host);
    }
  };
}

/** Judges by the spelling alone: `localhost`, its subdomains, and loopback addresses. */
export function isLoopbackHost(host: string): boolean {
  const bare = host
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  return bare === 'localhost' || bare.endsWith('.localhost') || (isIP(bare) !== 0 && isIn(loopback, bare));
}

function refusal(why: string): ApiError {
  return new ApiError({ kind: 'unsafeUrl', message: `The download link is not safe because ${why}.`, sent: false });
}

async function resolveAll(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

/** The first groups of IPv6 addresses that lead to the IPv4 address in the two groups at `at`: translated, 6to4, compatible, mapped. */
const containers: readonly { readonly groups: readonly number[]; readonly at: number }[] = [
  { groups: [0x64, 0xff9b, 0, 0, 0, 0], at: 6 },
  { groups: [0x2002], at: 1 },
  { groups: [0, 0, 0, 0, 0, 0], at: 6 },
  { groups: [0, 0, 0, 0, 0, 0xffff], at: 6 },
];

/** Returns the IPv4 address that an IPv6 address stands for. */
function containedIn(address: string): readonly string[] {
  if (isIP(address) !== 6) return [];
  const all = groupsOf(address);
  return containers.flatMap(({ groups, at }) => {
    if (!groups.every((group, index) => all[index] === group)) return [];
    const [high = 0, low = 0] = all.slice(at);
    return [[high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')];
  });
}

/** Returns the eight groups of a valid IPv6 address. */
function groupsOf(address: string): readonly number[] {
  const written = address
    .replace(/%.*$/s, '')
    .replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes: readonly string[]) => {
      const [a = 0, b = 0, c = 0, d = 0] = bytes.map(Number);
      return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
    });
  const [before = [], after = []] = written.split('::').map((half) =>
    half
      .split(':')
      .filter(Boolean)
      .map((group) => Number.parseInt(group, 16)),
  );
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
}

function isIn(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

function blockList(...subnets: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [net, prefix] of subnets) list.addSubnet(net, prefix, isIP(net) === 6 ? 'ipv6' : 'ipv4');
  return list;
}

const loopback = blockList(['127.0.0.0', 8], ['::1', 128]);
/** Loopback, "this host" and link-local, where clouds host their metadata services. */
const ownMachine = blockList(['127.0.0.0', 8], ['0.0.0.0', 8], ['169.254.0.0', 16], ['::', 127], ['fe80::', 10]);
/** RFC 1918, carrier-grade NAT, unique local. Not 198.18/15, with which transparent proxies answer for every name. */
const privateNetworks = blockList(
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
  ['fc00::', 7],
);
