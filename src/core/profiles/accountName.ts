import { knownServiceOf } from './knownServices';
import { freeName } from './profile';

/** Returns the default name of an account: that of the service, or else its host, with a number if it is taken. */
export function defaultName(baseUrl: string, list: readonly { readonly name: string }[]): string {
  return freeName(serviceName(baseUrl), list);
}

/** Returns the name of an account whose base URL changes: a default name follows the URL, a chosen one stays. `list`: the other accounts. */
export function nameAfterMove(
  name: string,
  { from, to }: { readonly from: string; readonly to: string },
  list: readonly { readonly name: string }[],
): string {
  const isDefault = name !== '' && name.replace(/ \d+$/, '') === serviceName(from);
  return isDefault && serviceName(to) !== serviceName(from) ? defaultName(to, list) : name;
}

function serviceName(baseUrl: string): string {
  return knownServiceOf(baseUrl)?.name ?? URL.parse(baseUrl)?.host ?? '';
}
