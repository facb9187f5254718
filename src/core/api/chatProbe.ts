import '../../schema/jitless';
import * as z from 'zod/mini';
import { chatPaths, type Dialect } from './chat/chatWays';
import { isApiError } from './errors';
import type { Transport } from './transport/transport';

/**
 * Resolves with whether a service has an endpoint for chat. Sends requests without content, which every service refuses, so they cost
 * nothing. Throws kind `auth` if the key is refused, and what kept the service from answering. `first`: the endpoint to try first.
 */
export async function hasChat(transport: Transport, first: Dialect, signal: AbortSignal | undefined): Promise<boolean> {
  const paths = first === 'messages' ? Object.values(chatPaths) : Object.values(chatPaths).toReversed();
  for (const path of paths) if (await isThere(transport, path, signal)) return true;
  return false;
}

async function isThere(transport: Transport, path: string, signal: AbortSignal | undefined): Promise<boolean> {
  const call = { method: 'POST', path, work: 'read', signal } as const;
  try {
    await transport.json({ ...call, body: {}, response: z.unknown() });
    return true;
  } catch (error) {
    if (!isApiError(error)) throw error;
    if (['notOffered', 'notFound', 'badResponse'].includes(error.kind)) return false;
    if (error.kind === 'auth' || error.details.status === undefined) throw error;
    return true;
  }
}
