import { setTimeout } from 'node:timers/promises';
import { lacksModel } from '../../core/catalogue/lacksModel';
import type { ModelCatalogue } from './modelCatalogue';

/** A question does not wait longer than this for a list of models. */
const longestMs = 5000;

/**
 * Resolves with those of `ids` that the active account is certain not to have. To be asked before anything is sent: only a list that has
 * just been read denies a model, and one that cannot be read denies none. Never rejects.
 */
export async function lackingModels(models: ModelCatalogue, ids: readonly string[]): Promise<readonly string[]> {
  const { fetchedAt, error, profileId, session } = await models.ready();
  const isUnread = session === 'signedIn' && fetchedAt === undefined && error === undefined;
  const lacking = () => ids.filter((id) => lacksModel(id, models.state));
  if (!isUnread && lacking().length === 0) return [];
  const canceler = new AbortController();
  const late = setTimeout(longestMs, undefined, { ref: false, signal: canceler.signal }).catch(() => undefined);
  const read = await Promise.race([models.refresh(), late]);
  canceler.abort();
  return read && read.error === undefined && read.profileId === profileId ? lacking() : [];
}
