/** A request to export as a program that sends it. Does not contain the key, which programs read from `keyVariable`. */
export interface ExportedRequest {
  /** Ends in the version segment, `https://host/v1`. */
  readonly baseUrl: string;
  readonly path: '/messages' | '/chat/completions';
  readonly body: object;
  readonly key: KeyWay;
}

/** How a service is given its key: in the header `Authorization` or `x-api-key`, or not at all. */
export type KeyWay = 'bearer' | 'x-api-key' | 'none';

/** The environment variable from which every exported program takes the key. */
export const keyVariable = 'INFERENCE_DESK_API_KEY';

export function requestUrl({ baseUrl, path }: ExportedRequest): string {
  return baseUrl.replace(/(?<!\/)\/+$/, '') + path;
}

/** Returns the header that carries the key, with what comes before it. */
export function keyHeader(key: Exclude<KeyWay, 'none'>): { readonly name: string; readonly before: string } {
  return key === 'bearer' ? { name: 'authorization', before: 'Bearer ' } : { name: 'x-api-key', before: '' };
}

/** Returns the headers besides the key that its way asks for. https://docs.claude.com/en/api/versioning */
export function versionHeaders(key: KeyWay): Readonly<Record<string, string>> {
  return key === 'x-api-key' ? { 'anthropic-version': '2023-06-01' } : {};
}
