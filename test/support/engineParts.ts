import type { CatalogueState } from '../../src/services/models/modelCatalogue';
import type { WireError } from '../../src/protocol/wire';

export const catalogue: CatalogueState = {
  session: 'signedIn',
  profileId: 'p',
  models: [
    { id: 'vendor/first', types: ['text'], subTypes: ['chat'] },
    { id: 'vendor/second', types: ['text'], subTypes: ['chat'] },
    { id: 'vendor/ranker', types: ['text'], subTypes: ['reranker'] },
  ],
  fetchedAt: 1,
  loading: false,
  error: undefined,
  pins: ['vendor/second'],
  defaults: {},
  changes: { appeared: new Set(), vanished: [] },
};

/** Returns an error of this kind, whose name is used as its message. */
export const plainWords = (kind: string): WireError => ({ kind, title: kind, detail: '', actions: [] });
