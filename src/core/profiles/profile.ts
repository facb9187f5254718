import { isUnencrypted, normaliseBaseUrl } from './baseUrl';
import type { BaseUrlProblem } from './baseUrl';
import type { KeyHeader } from './knownServices';

/** An account at a service. Its key is stored separately. */
export interface Profile {
  /** Random, unless a user who edited the list chose another; the key and everything stored for the account are found by it. */
  readonly id: string;
  /** The user's name for the account. */
  readonly name: string;
  /** Without a slash at the end, e.g. `https://api.example.com/v1`. Https unless the host is this machine, or `allowHttp` is set. */
  readonly baseUrl: string;
  /** Scheme, host and port of `baseUrl`; the key is bound to it. */
  readonly origin: string;
  /** The service is used without a key. */
  readonly keyless?: true;
  /** The user agreed to plain http at this address, which is in a private network. */
  readonly allowHttp?: true;
  /** Set if the service requires its key in another header than its URL implies. */
  readonly keyHeader?: KeyHeader;
}

/** Why an entry of the stored list is omitted. */
export interface ProfileProblem {
  /** Index in the stored list, from 0. */
  readonly index: number;
  readonly name: string | undefined;
  readonly problem: 'shape' | 'id' | 'duplicateId' | BaseUrlProblem;
}

export const maxNameChars = 60;

/** Reads a stored list that a user may have edited: returns the valid entries, in order, and the problems of the others. */
export function parseProfiles(stored: readonly unknown[]): {
  readonly profiles: readonly Profile[];
  readonly problems: readonly ProfileProblem[];
} {
  const profiles: Profile[] = [];
  const problems: ProfileProblem[] = [];
  stored.forEach((entry, index) => {
    const read = parseProfile(entry);
    const problem = 'problem' in read ? read.problem : undefined;
    if (!('problem' in read) && !profiles.some(({ id }) => id === read.id)) profiles.push(read);
    else problems.push({ index, name: nameOf(entry), problem: problem ?? 'duplicateId' });
  });
  return { profiles, problems };
}

/** Returns the first of `stem`, `stem 2`, `stem 3`… that no profile in the list uses. */
export function freeName(stem: string, list: readonly { readonly name: string }[]): string {
  const taken = new Set(list.map(({ name }) => name.toLowerCase()));
  for (let count = 1; ; count++) {
    const name = count === 1 ? stem : `${stem} ${count}`;
    if (!taken.has(name.toLowerCase())) return name;
  }
}

function parseProfile(entry: unknown): Profile | { readonly problem: ProfileProblem['problem'] } {
  if (typeof entry !== 'object' || entry === null) return { problem: 'shape' };
  const { id, name, baseUrl } = entry as { readonly id?: unknown; readonly name?: unknown; readonly baseUrl?: unknown };
  if (typeof baseUrl !== 'string' || (name !== undefined && typeof name !== 'string')) return { problem: 'shape' };
  // The id is part of file names and of the name of the secret.
  if (typeof id !== 'string' || !/^[\w-]{1,64}$/.test(id)) return { problem: 'id' };
  const allowHttp = 'allowHttp' in entry && entry.allowHttp === true;
  const address = normaliseBaseUrl(baseUrl, { allowHttp });
  if (!address.ok) return { problem: address.problem };
  const called = name?.trim().slice(0, maxNameChars) || id;
  return { id, name: called, baseUrl: address.baseUrl, origin: address.origin, ...optionsOf(entry, address.baseUrl) };
}

function optionsOf(entry: object, baseUrl: string): Partial<Profile> {
  const isKeyless = 'keyless' in entry && entry.keyless === true;
  const keyHeader = 'keyHeader' in entry ? entry.keyHeader : undefined;
  return {
    ...(isKeyless && { keyless: true }),
    ...(isUnencrypted(baseUrl) && { allowHttp: true }),
    ...((keyHeader === 'bearer' || keyHeader === 'x-api-key') && { keyHeader }),
  };
}

function nameOf(entry: unknown): string | undefined {
  if (typeof entry !== 'object' || entry === null) return undefined;
  if ('name' in entry && typeof entry.name === 'string') return entry.name;
  return 'id' in entry && typeof entry.id === 'string' ? entry.id : undefined;
}
