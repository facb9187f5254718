import { batchEndpoints, missingEndpoint } from '../../core/api/errors';
import { setContext } from '../../platform/contributions';
import { describe } from '../../platform/errors/reportError';
import type { CurrentAccount } from './account';

/** Returns a page's initial message if the active account's service has none of these endpoints. */
export function missingNotice(account: CurrentAccount, ...endpoints: readonly string[]) {
  const missing = endpoints.find((endpoint) => account.lacks(endpoint));
  return missing === undefined ? undefined : { ...describe(missingEndpoint(missing)), tone: 'info' as const };
}

/** Throws kind `notOffered` if the active account's service has none of these endpoints, before any other request. */
export function checkOffered(account: CurrentAccount, ...endpoints: readonly string[]): void {
  const missing = endpoints.find((endpoint) => account.lacks(endpoint));
  if (missing !== undefined) throw missingEndpoint(missing);
}

/** The endpoints that features require, for menus, welcome texts, and tools for models. */
const needs = {
  'inferenceDesk.noBatches': batchEndpoints,
  'inferenceDesk.noRerank': ['POST /rerank'],
  'inferenceDesk.noImages': ['POST /images/generations'],
  'inferenceDesk.noVideos': ['POST /video/submit'],
  'inferenceDesk.noVoices': ['GET /audio/voice/list', 'POST /uploads/audio/voice'],
  'inferenceDesk.noTranscription': ['POST /audio/transcriptions'],
  'inferenceDesk.noBalance': ['GET /user/info'],
} as const;

/**
 * Whether the service might offer what a tool with this `when` clause in the manifest requires. `vscode.lm.tools` lists each tool, whatever
 * its clause says. Other conditions in the clause don't matter.
 */
export function isToolOffered(account: CurrentAccount, when = ''): boolean {
  const conditions = when.split(' && ');
  return Object.entries(needs).every(
    ([key, endpoints]) => !conditions.includes(`!${key}`) || !account.lacks(...endpoints),
  );
}

/** Sets the context keys. */
export function showOffers(account: CurrentAccount): void {
  for (const [key, endpoints] of Object.entries(needs))
    void setContext(key as keyof typeof needs, account.lacks(...endpoints));
}
