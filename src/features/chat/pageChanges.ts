import type { ModelCatalogue } from '../../services/models/modelCatalogue';
import type { ChatSnapshot } from '../../protocol/chat';

/** Returns a key for everything around the turns, to detect changes. The draft is left out: the page knows what was typed. */
export function frameOf({ turns: _turns, draft: _draft, compaction: _compaction, ...frame }: ChatSnapshot): string {
  return JSON.stringify(frame);
}

/** Whether the user is signed in and the models have never been requested. */
export function isUnread({ session, fetchedAt, loading, error }: ModelCatalogue['state']): boolean {
  return session === 'signedIn' && fetchedAt === undefined && !loading && error === undefined;
}
