/** https://docs.siliconflow.com and https://docs.siliconflow.cn: two services with separate accounts and keys. */
export const publicHosts = {
  international: 'https://api.siliconflow.com/v1',
  china: 'https://api.siliconflow.cn/v1',
} as const;

export type PublicHost = keyof typeof publicHosts;

/** Returns the region of an address of the public service; `undefined` for any other service. */
export function publicHostOf(baseUrl: string): PublicHost | undefined {
  const origin = URL.parse(baseUrl)?.origin;
  if (origin === new URL(publicHosts.international).origin) return 'international';
  if (origin === new URL(publicHosts.china).origin) return 'china';
  return undefined;
}

/** Returns the region to which a key refused here may belong. */
export function otherHostOf(baseUrl: string): PublicHost | undefined {
  const host = publicHostOf(baseUrl);
  if (host === undefined) return undefined;
  return host === 'international' ? 'china' : 'international';
}
