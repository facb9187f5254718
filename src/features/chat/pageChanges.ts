import type { ModelCatalogue } from '../../services/models/modelCatalogue';
import type { ChatSnapshot } from '../../protocol/chat';

/** What stands around the turns; the page itself knows what it typed. */
export function frameOf({ turns: _turns, draft: _draft, compaction: _folding, ...frame }: ChatSnapshot): string {
  return JSON.stringify(frame);
}

/** Whether somebody is signed in and nobody has asked for the models yet. */
export function isUnread({ session, fetchedAt, loading, error }: ModelCatalogue['state']): boolean {
  return session === 'signedIn' && fetchedAt === undefined && !loading && error === undefined;
}
