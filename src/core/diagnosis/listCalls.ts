import type { Exchange } from '../api/exchange';

export interface ListedCall {
  readonly call: Exchange;
  /** How many older calls made the same request with the same result. */
  readonly repeats: number;
}

export function isFailed({ errorKind }: Exchange): boolean {
  return errorKind !== undefined && errorKind !== 'aborted';
}

/**
 * Lists calls for a user who looks for an error: failed ones first, each group newest first; repeated successful reads are merged
 * into the newest.
 */
export function listCalls(calls: readonly Exchange[]): readonly ListedCall[] {
  const listed = new Map<string, { readonly call: Exchange; repeats: number }>();
  for (const call of calls) {
    const key = isFailed(call) ? call.id : (readKey(call) ?? call.id);
    const known = listed.get(key);
    if (known) known.repeats++;
    else listed.set(key, { call, repeats: 0 });
  }
  const all = [...listed.values()];
  return [...all.filter(({ call }) => isFailed(call)), ...all.filter(({ call }) => !isFailed(call))];
}

/** Lists and states are read by GET, except the state of a video. */
function readKey({ method, origin, path, isResult }: Exchange): string | undefined {
  const bare = path.split('?')[0] ?? '';
  const reads = isResult !== true && (method === 'GET' || bare.endsWith('/status'));
  return reads ? `${method} ${origin}${bare}` : undefined;
}
