import { join } from 'node:path';
import * as vscode from 'vscode';
import type { PaidCalls } from '../../core/account/paidCalls';
import type { WrittenChat } from '../../core/api/chat/chat';
import type { Client } from '../../core/api/client';
import type { ClientOptions } from '../../core/api/clientOptions';
import { ApiError } from '../../core/api/errors';
import type { MessageRequest } from '../../core/api/messages/messages.schema';
import type { Exchange } from '../../core/api/exchange';
import type { LearnedStore, StatedOfBatches } from '../../core/api/learned';
import type { GateWait } from '../../core/api/transport/gate';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import { once } from '../../platform/once';
import type { ExchangeLog } from '../diagnostics/diagnostics';
import type { ServiceOffers } from './networkMemory';
import type { Candidate, Connections, Meter, Profile, Profiles } from './account';
import type { Settings } from '../../platform/settings';
import type { CallUse } from '../../core/usage/meteredClient';

interface Sources {
  readonly context: vscode.ExtensionContext;
  readonly settings: Settings;
  readonly profiles: Profiles;
  readonly exchanges: ExchangeLog;
  readonly meter: Meter;
  readonly holdPaid: (profileId: string) => Promise<void>;
}

interface OpenConnection {
  readonly baseUrl: string;
  readonly keyHeader: Profile['keyHeader'];
  readonly offers: Promise<ServiceOffers>;
  readonly learned: Promise<LearnedStore>;
  /** Set once it is read. */
  known?: ServiceOffers;
  knownLearned?: LearnedStore;
  /** Made at first use. */
  client?: Promise<Client>;
}

const nothingStated: StatedOfBatches = {};

export class ServiceConnections implements Connections {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<void>());
  private readonly used = this.store.add(new vscode.EventEmitter<Profile>());
  private readonly offered = this.store.add(new vscode.EventEmitter<void>());
  private readonly waited = this.store.add(new vscode.EventEmitter<GateWait>());
  private readonly preparations = new Set<(profile: Profile) => Promise<void>>();
  private readonly open = new Map<string, OpenConnection>();
  private readonly paid = new Map<string, PaidCalls>();
  private readonly openMemory = once(async () => {
    const { createNetworkMemory } = await import('./networkMemory');
    return createNetworkMemory(join(this.options.context.globalStorageUri.fsPath, 'network'));
  });
  private subject: string;

  readonly onDidChange = this.changed.event;
  readonly onDidUse = this.used.event;
  readonly onDidWait = this.waited.event;
  readonly onDidChangeOffers = this.offered.event;

  constructor(private readonly options: Sources) {
    const { settings, profiles } = options;
    this.subject = this.describeSubject();
    this.store.add(profiles.onDidChange((change) => this.notice(change === 'key')));
    this.store.add(settings.onDidChange((name) => this.notice(name === 'network.stack')));
    this.store.add({ dispose: () => this.closeAll() });
  }

  async client(profileId?: string, use?: CallUse): Promise<Client> {
    const { profiles, meter } = this.options;
    const profileNow = () => (profileId === undefined ? profiles.active : profiles.get(profileId));
    const before = profileNow();
    if (!before) throw signedOut('There is no account.');
    for (const prepare of this.preparations) await prepare(before);
    const profile = profileNow();
    if (!profile || (await profiles.key(profile.id)) === undefined)
      throw signedOut('No key for this account.', profile?.name);
    const client = await meter(await this.clientOf(profile), profile.id, use);
    this.used.fire(profile);
    return client;
  }

  async written(profile: Profile, request: MessageRequest): Promise<WrittenChat> {
    return (await this.clientOf(profile)).chat.written(request);
  }

  learned(profile: Profile): Promise<LearnedStore> {
    return this.keep(profile).learned;
  }

  async observed(profile: Profile, learned: LearnedStore, onExchange: (exchange: Exchange) => void): Promise<Client> {
    await this.client(profile.id);
    const { keyHeader, baseUrl, id } = profile;
    const offers = await this.keep(profile).offers;
    const options = { baseUrl, apiKey: this.keyOf(profile), keyHeader, offers, learned };
    return this.options.meter(await this.create(options, id, onExchange), id, undefined);
  }

  async trial({ baseUrl, apiKey, keyHeader }: Candidate): Promise<Client> {
    const { createOfferStore } = await import('../../core/api/offers');
    return this.create({ baseUrl, apiKey: async () => apiKey, keyHeader, offers: createOfferStore() });
  }

  onBeforeUse(prepare: (profile: Profile) => Promise<void>): Disposable {
    this.preparations.add(prepare);
    return { dispose: () => this.preparations.delete(prepare) };
  }

  async forgetOffers(profileId: string, options?: { readonly andKnown?: boolean }): Promise<void> {
    const open = this.open.get(profileId);
    (await open?.offers)?.clear(options);
    (await open?.learned)?.clear();
    await (await this.openMemory()).forgetOffers(profileId);
  }

  statedOfBatches(): StatedOfBatches {
    const { active } = this.options.profiles;
    return (active && this.keep(active).knownLearned?.batches) ?? nothingStated;
  }

  lacks(profile: Profile, endpoints: readonly string[]): boolean {
    return this.keep(profile).known?.lacks(endpoints) ?? false;
  }

  tellChange(): void {
    this.changed.fire();
  }

  async isProxyConfigured(): Promise<boolean> {
    return (await import('./openClient')).isProxyConfigured(process.env);
  }

  paidCalls(profileId: string): PaidCalls {
    const calls = this.paid.get(profileId) ?? { begun: 0, open: 0, endedAt: 0 };
    this.paid.set(profileId, calls);
    return calls;
  }

  dispose(): void {
    this.store.dispose();
  }

  private keep(profile: Profile): OpenConnection {
    const existing = this.open.get(profile.id);
    if (existing?.baseUrl === profile.baseUrl && existing.keyHeader === profile.keyHeader) return existing;
    // Calls in progress continue: their callers decide when they end.
    const { id, baseUrl, keyHeader } = profile;
    const offers = this.openMemory().then((memory) => memory.offers(id, baseUrl, () => this.offered.fire()));
    let stated: StatedOfBatches | undefined;
    const onLearned = () => {
      const before = stated;
      stated = made.knownLearned?.batches;
      if (before !== stated) this.offered.fire();
    };
    const learned = this.openMemory().then((memory) => memory.learned(id, baseUrl, onLearned));
    const made: OpenConnection = { baseUrl, keyHeader, offers, learned };
    this.open.set(id, made);
    const onRead = (store: ServiceOffers) => {
      made.known = store;
      this.offered.fire();
    };
    offers.then(onRead, () => undefined);
    const onLearnedRead = (store: LearnedStore) => {
      made.knownLearned = store;
      stated = store.batches;
      if (Object.keys(store.batches).length > 0) this.offered.fire();
    };
    learned.then(onLearnedRead, () => undefined);
    return made;
  }

  private clientOf(profile: Profile): Promise<Client> {
    const { id, baseUrl, keyHeader } = profile;
    const open = this.keep(profile);
    if (open.client) return open.client;
    const apiKey = this.keyOf(profile);
    const client = Promise.all([open.offers, open.learned]).then(([offers, learned]) =>
      this.create({ baseUrl, apiKey, keyHeader, offers, learned }, id),
    );
    open.client = client;
    client.catch(() => {
      if (this.open.get(id) === open) this.open.delete(id);
    });
    return client;
  }

  /** A client that outlives a change of URL must not send the key of the new origin to the old one. */
  private keyOf({ id, origin }: Profile): () => Promise<string | undefined> {
    const { profiles } = this.options;
    return async () => (profiles.get(id)?.origin === origin ? profiles.key(id) : undefined);
  }

  private async create(
    options: Pick<ClientOptions, 'baseUrl' | 'apiKey' | 'keyHeader' | 'offers' | 'learned'>,
    profileId?: string,
    onExchange?: (exchange: Exchange) => void,
  ): Promise<Client> {
    const { settings, profiles, exchanges, holdPaid } = this.options;
    const [{ openClient }, { countCall }, remembered] = await Promise.all([
      import('./openClient'),
      import('../../core/account/paidCalls'),
      this.openMemory().then((memory) => memory.stacks()),
    ]);
    return openClient(
      { settings, remembered, profileId },
      {
        ...options,
        onExchange: (exchange) => {
          exchanges.record(exchange);
          onExchange?.(exchange);
          if (exchange.errorKind === 'auth' && profileId !== undefined) profiles.forgetCachedKey(profileId);
        },
        ...(profileId !== undefined && { holdPaid: () => holdPaid(profileId) }),
        onPaidCall: () => countCall(this.paidCalls(profileId ?? '')),
        onWait: (wait) => this.waited.fire(wait),
        // A check shows what it finds on its page.
        ...(!onExchange && {
          onAdapt: (adapted) => void import('./adaptedNotice').then(({ tellAdapted }) => tellAdapted(adapted)),
        }),
      },
    );
  }

  private notice(forSure: boolean): void {
    const subject = this.describeSubject();
    const differs = subject !== this.subject;
    this.subject = subject;
    if (forSure || differs) this.changed.fire();
  }

  private describeSubject(): string {
    const { active } = this.options.profiles;
    return active ? `${active.id} ${active.baseUrl}` : '';
  }

  private closeAll(): void {
    for (const { client } of this.open.values()) {
      // Its connections end with the process at the latest.
      client?.then((made) => made.close()).catch(() => undefined);
    }
    this.open.clear();
  }
}

function signedOut(message: string, account?: string): ApiError {
  return new ApiError({ kind: 'auth', message, account, sent: false });
}
