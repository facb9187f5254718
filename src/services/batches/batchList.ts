import type { Batch } from '../../core/api/batches/batches.schema';
import type { Connections } from '../account/connections';
import type { Profiles } from '../account/profiles';
import { createRemoteList } from '../lists/remoteList';
import type { RemoteList } from '../lists/remoteList';

/** The batches of the active profile as listed by the service: one list shared by all consumers. */
export type BatchList = RemoteList<Batch>;

export function createBatchList(services: {
  readonly profiles: Profiles;
  readonly connections: Connections;
}): BatchList {
  const { profiles, connections } = services;
  return createRemoteList<Batch>({
    profiles,
    async load(rounds, signal) {
      const { loadBatches } = await import('./loadBatches');
      return loadBatches(await connections.client(), rounds, signal);
    },
  });
}
