import { setTimeout } from 'node:timers/promises';
import { lacksModel } from '../../core/catalogue/lacksModel';
import type { ModelCatalogue } from './modelCatalogue';

/** A question does not wait longer than this for a list of models. */
const longestMs = 5000;

/**
 * Resolves to those of `ids` that the active account certainly doesn't have. Called before a request: only a list that has just been loaded
 * rules out a model, and one that can't be loaded rules out none. Never rejects.
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
