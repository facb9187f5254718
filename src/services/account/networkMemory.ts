import { join } from 'node:path';
import type { LearnedModel, LearnedRecord, LearnedStore } from '../../core/api/learned';
import type { OfferRecord, OfferStore } from '../../core/api/offers';
import type { StackName } from '../../core/api/transport/pickTransport';
import { createJsonFile } from '../../core/storage/storedFile';

/** Learned facts about services and how to reach them, saved in one folder. Losing them only costs an extra request. */
export interface NetworkMemory {
  /** Endpoints that the service at this URL was found, or is known, not to have. */
  offers(profileId: string, baseUrl: string, onChange?: () => void): Promise<ServiceOffers>;
  /** Facts about the service at this URL and its models learned from responses. */
  learned(profileId: string, baseUrl: string, onChange?: () => void): Promise<LearnedStore>;
  /** Removes what was learned about the account's service, including its missing endpoints. */
  forgetOffers(profileId: string): Promise<void>;
  /** The stack that reached an origin after the first choice had failed. */
  stacks(): Promise<{
    get(origin: string): StackName | undefined;
    set(origin: string, name: StackName): void;
  }>;
}

export interface ServiceOffers extends OfferStore {
  /** Whether one of these endpoints, or what does the same at the service, is missing. */
  lacks(endpoints: readonly string[]): boolean;
}

interface StoredLearned extends LearnedRecord {
  readonly baseUrl: string;
}

interface StoredOffers {
  readonly baseUrl: string;
  readonly missing: OfferRecord;
}

export function createNetworkMemory(folder: string): NetworkMemory {
  const offersFile = (profileId: string) => createJsonFile(join(folder, `offers-${profileId}.json`), toOffers);
  const learnedFile = (profileId: string) => createJsonFile(join(folder, `learned-${profileId}.json`), toLearned);
  const stacksFile = createJsonFile(join(folder, 'stacks.json'), toStacks);

  return {
    async offers(profileId, baseUrl, onChange) {
      const [{ createOfferStore }, { endpointsAt, knownGapsOf }] = await Promise.all([
        import('../../core/api/offers'),
        import('../../core/profiles/knownGaps'),
      ]);
      const file = offersFile(profileId);
      const stored = await file.read().catch(() => undefined);
      const known = stored?.baseUrl === baseUrl ? stored.missing : {};
      const onMissing = (missing: OfferRecord) => {
        file.write({ baseUrl, missing }).catch(() => undefined);
        onChange?.();
      };
      const store = createOfferStore(known, onMissing, knownGapsOf(baseUrl));
      const lacks = (endpoints: readonly string[]) =>
        endpointsAt(baseUrl, endpoints).some((endpoint) => store.isMissing(endpoint, Date.now()));
      return { ...store, lacks };
    },
    async learned(profileId, baseUrl, onChange) {
      const { createLearnedStore } = await import('../../core/api/learned');
      const file = learnedFile(profileId);
      const stored = await file.read().catch(() => undefined);
      return createLearnedStore(stored?.baseUrl === baseUrl ? stored : {}, (record) => {
        file.write({ baseUrl, ...record }).catch(() => undefined);
        onChange?.();
      });
    },
    async forgetOffers(profileId) {
      await Promise.all([offersFile(profileId).remove(), learnedFile(profileId).remove()]);
    },
    async stacks() {
      const known = new Map((await stacksFile.read().catch(() => undefined)) ?? []);
      return {
        get: (origin) => known.get(origin),
        set(origin, name) {
          known.set(origin, name);
          stacksFile.write([...known]).catch(() => undefined);
        },
      };
    },
  };
}

function toLearned(raw: unknown): StoredLearned | undefined {
  if (typeof raw !== 'object' || raw === null || !('baseUrl' in raw) || typeof raw.baseUrl !== 'string')
    return undefined;
  const service = 'service' in raw && typeof raw.service === 'string' ? { service: raw.service } : {};
  const batches = 'batches' in raw && typeof raw.batches === 'object' && raw.batches !== null ? raw.batches : {};
  const limits = Object.entries(batches).filter(
    ([name, value]) => ['requests', 'bytes'].includes(name) && Number.isSafeInteger(value) && Number(value) > 0,
  );
  const stored =
    'models' in raw && typeof raw.models === 'object' && raw.models !== null ? Object.entries(raw.models) : [];
  const models = stored.filter(
    (entry): entry is [string, LearnedModel] => typeof entry[1] === 'object' && entry[1] !== null,
  );
  return {
    baseUrl: raw.baseUrl,
    ...service,
    ...(limits.length > 0 && { batches: Object.fromEntries(limits) }),
    models: Object.fromEntries(models),
  };
}

function toOffers(raw: unknown): StoredOffers | undefined {
  if (typeof raw !== 'object' || raw === null || !('baseUrl' in raw) || !('missing' in raw)) return undefined;
  const { baseUrl, missing } = raw;
  if (typeof baseUrl !== 'string' || typeof missing !== 'object' || missing === null) return undefined;
  const times = Object.entries(missing).filter((entry): entry is [string, number] => typeof entry[1] === 'number');
  return { baseUrl, missing: Object.fromEntries(times) };
}

function toStacks(raw: unknown): readonly (readonly [string, StackName])[] | undefined {
  if (!Array.isArray(raw)) return undefined;
  return raw.filter(
    (entry): entry is [string, StackName] =>
      Array.isArray(entry) && typeof entry[0] === 'string' && (entry[1] === 'undici' || entry[1] === 'editor'),
  );
}
