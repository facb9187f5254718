import { join } from 'node:path';
import type { Event } from 'vscode';
import type { JobDefaults } from '../../core/catalogue/jobs';
import { lacksModel } from '../../core/catalogue/lacksModel';
import { changesSince, noPicks } from '../../core/catalogue/picks';
import type { ModelChanges, ModelPicks } from '../../core/catalogue/picks';
import type { CatalogueModel, ModelJob } from '../../core/catalogue/model';
import type { CheckedModel, LearnedStore } from '../../core/api/learned';
import type { ModelOverrides, OverrideSetting } from '../../core/capabilities/modelOverrides';
import type { OnSetAside } from '../../core/storage/storedFile';
import { createJsonFile } from '../../core/storage/storedFile';
import type { Disposable } from '../../platform/disposables';
import type { Connections, Profile, Profiles } from '../account/account';

/** The known models of one profile. */
export interface CatalogueState {
  /** `signedOut`: no profile, or no key for it, so nothing else is known. `starting`: the cache on disk hasn't been read yet. */
  readonly session: 'signedOut' | 'starting' | 'signedIn';
  readonly profileId: string | undefined;
  /** In the service's order. Can be from an earlier session: see `fetchedAt`. */
  readonly models: readonly CatalogueModel[];
  /** Set if the service has more models than could be read. */
  readonly isPartial?: true | undefined;
  /** Models a user asks although the list lacks them. */
  readonly unlisted?: readonly string[] | undefined;
  /** Unix milliseconds; `undefined` until the list has been read. */
  readonly fetchedAt: number | undefined;
  readonly loading: boolean;
  /** Error of the last attempt to read the list, if that failed. */
  readonly error: unknown;
  /** In the order they were pinned. Can contain models that are no longer offered. */
  readonly pins: readonly string[];
  readonly defaults: JobDefaults;
  /** Since the user last looked. */
  readonly changes: ModelChanges;
}

/** The models of the active profile: from disk at once, from the service on request. */
export interface ModelCatalogue extends Disposable {
  readonly state: CatalogueState;
  readonly onDidChange: Event<CatalogueState>;
  /** Reads the cache on disk. Resolves when `session` is no longer `starting`. */
  ready(): Promise<CatalogueState>;
  /** Requests the list unless it is fresh. Never rejects: a failure is in `state`. */
  ensureFresh(): Promise<CatalogueState>;
  /** Resolves with the known models, and requests newer ones for the next time. Waits for the service if none are known. Never rejects. */
  listed(): Promise<CatalogueState>;
  /** Resolves to the models of any account as its list was last read; none if it never was. Never rejects. */
  stored(profileId: string): Promise<readonly CatalogueModel[]>;
  /** Requests the list unless it is fresh, now and for each account that becomes active until the result is disposed. */
  follow(): Disposable;
  /** Requests the list. Concurrent calls share one round of requests. Never rejects. */
  refresh(): Promise<CatalogueState>;
  setPinned(modelId: string, pinned: boolean): Promise<void>;
  /** `undefined` restores the automatic choice. */
  setDefault(job: ModelJob, modelId: string | undefined): Promise<void>;
  /** Marks the current list as seen: only changes from here on are highlighted. */
  markLooked(): Promise<void>;
  /** Call this when Check Model has stored what it found, which then counts more than the list. */
  noteChecked(): void;
  /** From now on the model can be used although the list lacks it. Does nothing for a listed one. */
  allowUnlisted(modelId: string): Promise<void>;
}

export interface ModelCatalogueOptions {
  readonly profiles: Profiles;
  readonly connections: Connections;
  /** One folder for all profiles. Created when needed. */
  readonly folder: string;
  /** Called if the disk cannot be read or written, which costs the cache, not the list. */
  readonly onError: (error: unknown) => void;
  readonly onSetAside: OnSetAside;
  /** The user's options for models of accounts. */
  readonly overrides?: {
    readonly get: () => OverrideSetting;
    readonly onDidChange: (listener: () => void) => Disposable;
  };
  /** Unix milliseconds. */
  readonly now?: () => number;
}

/** Models are added and removed over days, so a list a few minutes old is as good as a new one. */
const freshMs = 10 * 60_000;

/** The state of one profile; replaced as a whole when another one becomes active. */
interface AccountState {
  readonly profile: Profile | undefined;
  readonly modelsFile: ReturnType<typeof modelsFileOf> | undefined;
  readonly picksFile: ReturnType<typeof picksFileOf> | undefined;
  readonly abort: AbortController;
  learned: LearnedStore | undefined;
  loaded: Promise<void>;
  refreshing: Promise<void> | undefined;
  session: CatalogueState['session'];
  models: readonly CatalogueModel[];
  isPartial: true | undefined;
  fetchedAt: number | undefined;
  error: unknown;
  picks: ModelPicks;
}

const nothingKnown = {
  models: [],
  isPartial: undefined,
  fetchedAt: undefined,
  error: undefined,
  picks: noPicks,
};

/** Loaded when there is a file to read or to write. */
const forms = () => import('../../core/catalogue/catalogueFile');
const modelsFileOf = (folder: string, profileId: string) =>
  createJsonFile(join(folder, `${profileId}.models.json`), async (raw) => (await forms()).readCachedModels(raw));
const picksFileOf = (folder: string, profileId: string, onSetAside: OnSetAside) =>
  createJsonFile(join(folder, `${profileId}.picks.json`), async (raw) => (await forms()).readPicks(raw), onSetAside);

export function createModelCatalogue(options: ModelCatalogueOptions): ModelCatalogue {
  return new Catalogue(options);
}

class Catalogue implements ModelCatalogue {
  private readonly listeners = new Set<(state: CatalogueState) => unknown>();
  private readonly followers = new Set<Disposable>();
  private readonly listening: Disposable;
  private readonly followingOverrides: Disposable | undefined;
  private overridesOf: ((model: string) => ModelOverrides) | undefined;
  private readonly now: () => number;
  private current: AccountState;

  constructor(private readonly options: ModelCatalogueOptions) {
    this.now = options.now ?? Date.now;
    this.current = this.openState();
    this.listening = options.profiles.onDidChange(() => this.onProfileChanged());
    this.followingOverrides = options.overrides?.onDidChange(() => this.fire(this.current));
  }

  get state(): CatalogueState {
    const { profile, session, refreshing } = this.current;
    // Data loaded with the key is kept for the next sign-in, but doesn't describe the service now.
    const known = session === 'signedOut' ? nothingKnown : this.current;
    const { models, isPartial, fetchedAt, error, picks } = known;
    return {
      session,
      profileId: profile?.id,
      models: withChecked(models, this.current.learned, this.overridesOf),
      isPartial,
      unlisted: picks.unlisted,
      fetchedAt,
      loading: refreshing !== undefined,
      error,
      pins: picks.pins,
      defaults: picks.defaults,
      changes: changesSince(picks.look, models),
    };
  }

  readonly onDidChange: Event<CatalogueState> = (listener, thisArgument) => {
    const bound = (state: CatalogueState): unknown => listener.call(thisArgument, state);
    this.listeners.add(bound);
    return { dispose: () => this.listeners.delete(bound) };
  };

  async ready(): Promise<CatalogueState> {
    await this.loaded();
    return this.state;
  }

  async ensureFresh(): Promise<CatalogueState> {
    const { fetchedAt, error, session } = await this.ready();
    const fresh = fetchedAt !== undefined && this.now() - fetchedAt < freshMs && error === undefined;
    return session !== 'signedIn' || fresh ? this.state : this.refresh();
  }

  async listed(): Promise<CatalogueState> {
    const known = await this.ready();
    const loading = this.ensureFresh();
    return known.models.length > 0 ? known : loading;
  }

  async stored(profileId: string): Promise<readonly CatalogueModel[]> {
    const { state } = this;
    if (state.profileId === profileId && state.models.length > 0) return state.models;
    const cached = await modelsFileOf(this.options.folder, profileId)
      .read()
      .catch((error: unknown) => this.options.onError(error));
    return cached && cached.source === this.options.profiles.get(profileId)?.baseUrl ? cached.models : [];
  }

  follow(): Disposable {
    const follower = { dispose: () => void this.followers.delete(follower) };
    this.followers.add(follower);
    void this.ensureFresh();
    return follower;
  }

  async refresh(): Promise<CatalogueState> {
    const current = await this.loaded();
    if (current.session === 'signedIn') {
      current.refreshing ??= this.askService(current).finally(() => {
        current.refreshing = undefined;
        this.fire(current);
      });
      this.fire(current);
      await current.refreshing;
    }
    return this.state;
  }

  setPinned(modelId: string, pinned: boolean): Promise<void> {
    return this.changePicks((picks) => {
      const others = picks.pins.filter((id) => id !== modelId);
      return { ...picks, pins: pinned ? [...others, modelId] : others };
    });
  }

  setDefault(job: ModelJob, modelId: string | undefined): Promise<void> {
    return this.changePicks(({ defaults, ...picks }) => {
      const { [job]: _before, ...others } = defaults;
      return { ...picks, defaults: modelId === undefined ? others : { ...others, [job]: modelId } };
    });
  }

  markLooked(): Promise<void> {
    const { models, fetchedAt } = this.current;
    if (fetchedAt === undefined) return Promise.resolve();
    return this.changePicks((picks) => ({ ...picks, look: { at: this.now(), ids: models.map(({ id }) => id) } }));
  }

  allowUnlisted(modelId: string): Promise<void> {
    if (!lacksModel(modelId, this.state)) return Promise.resolve();
    return this.changePicks((picks) => ({ ...picks, unlisted: [...new Set([...(picks.unlisted ?? []), modelId])] }));
  }

  noteChecked(): void {
    this.fire(this.current);
  }

  dispose(): void {
    this.listening.dispose();
    this.followingOverrides?.dispose();
    this.current.abort.abort();
    this.listeners.clear();
    this.followers.clear();
  }

  /** Resolves with the state of the account that is active by then, once it has been read from disk. */
  private async loaded(): Promise<AccountState> {
    for (;;) {
      const { current } = this;
      await current.loaded;
      if (current === this.current) return current;
    }
  }

  private openState(): AccountState {
    const profile = this.options.profiles.active;
    const current: AccountState = {
      profile,
      modelsFile: profile && modelsFileOf(this.options.folder, profile.id),
      picksFile: profile && picksFileOf(this.options.folder, profile.id, this.options.onSetAside),
      abort: new AbortController(),
      learned: undefined,
      loaded: Promise.resolve(),
      refreshing: undefined,
      session: 'starting',
      ...nothingKnown,
    };
    current.loaded = this.load(current);
    return current;
  }

  private async load(current: AccountState): Promise<void> {
    try {
      const [key, cached, picks, learned, readOverrides] = await Promise.all([
        current.profile && this.options.profiles.key(current.profile.id),
        current.modelsFile?.read(),
        current.picksFile?.read(),
        current.profile && this.options.connections.learned(current.profile).catch(() => undefined),
        import('../../core/capabilities/modelOverrides').then((all) => all.readOverrides),
      ]);
      const { overrides } = this.options;
      this.overridesOf = (model) =>
        overrides && this.current.profile
          ? readOverrides(overrides.get(), this.current.profile.id, model).overrides
          : noOverrides;
      current.learned = learned;
      current.session = key === undefined ? 'signedOut' : 'signedIn';
      const sameService = cached?.source === current.profile?.baseUrl;
      current.models = (sameService && cached?.models) || [];
      current.isPartial = sameService ? cached?.isPartial : undefined;
      current.fetchedAt = sameService ? cached?.fetchedAt : undefined;
      current.picks = picks ?? noPicks;
    } catch (error) {
      current.session = current.profile ? 'signedIn' : 'signedOut';
      this.options.onError(error);
    }
    this.fire(current);
    this.readForFollowers(current);
  }

  private readForFollowers(current: AccountState): void {
    if (current === this.current && current.session === 'signedIn' && this.followers.size > 0) void this.ensureFresh();
  }

  private async askService(current: AccountState): Promise<void> {
    try {
      const [{ gatherModels }, { rulesOf }] = await Promise.all([
        import('../../core/catalogue/gatherModels'),
        import('../../core/profiles/vendorRules'),
      ]);
      const client = await this.options.connections.client(current.profile?.id);
      const { signal } = current.abort;
      let isCutOff = false;
      const { models, unanswered } = await gatherModels(
        ({ type, subType }) => client.models.list({ type, sub_type: subType }, signal, () => (isCutOff = true)),
        { before: current.models, hasFilters: rulesOf(current.profile?.baseUrl).hasModelFilters },
      );
      // A list that lacks what some filters would have told must not count as the list of today.
      signal.throwIfAborted();
      current.models = models;
      current.isPartial = isCutOff || unanswered.length > 0 || undefined;
      current.fetchedAt = this.now();
      current.error = undefined;
    } catch (error) {
      current.error = error;
      return;
    }
    const { models, isPartial, fetchedAt, profile, modelsFile } = current;
    const { toModelsFile } = await forms();
    if (profile)
      await this.keep(modelsFile?.write(toModelsFile({ source: profile.baseUrl, fetchedAt, models, isPartial })));
    // The first list ever read is not a change.
    if (!current.picks.look)
      await this.changePicks((picks) => ({ ...picks, look: lookAt(current, this.now()) }), current);
  }

  /** Preserves another window's selections by reading the file again before writing it. */
  private async changePicks(change: (picks: ModelPicks) => ModelPicks, current = this.current): Promise<void> {
    await current.loaded;
    const { toPicksFile } = await forms();
    let isRead = true;
    const onDisk = await current.picksFile?.read().catch((error: unknown) => {
      this.options.onError(error);
      isRead = false;
      return undefined;
    });
    current.picks = change(onDisk ?? current.picks);
    this.fire(current);
    // A file that exists but cannot be read is not overwritten: the choice then applies to this window only.
    if (isRead) await this.keep(current.picksFile?.write(toPicksFile(current.picks)));
  }

  private async keep(writing: Promise<void> | undefined): Promise<void> {
    await writing?.catch(this.options.onError);
  }

  private onProfileChanged(): void {
    const { active } = this.options.profiles;
    const { profile } = this.current;
    if (active?.id === profile?.id && active?.baseUrl === profile?.baseUrl && this.current.session === 'signedIn') {
      void this.recheckKey(this.current);
      return;
    }
    this.current.abort.abort();
    this.current = this.openState();
    this.fire(this.current);
  }

  /** Called when the profile is the same, but its key may be missing now. */
  private async recheckKey(current: AccountState): Promise<void> {
    const key = current.profile && (await this.options.profiles.key(current.profile.id).catch(() => undefined));
    const session = key === undefined ? 'signedOut' : 'signedIn';
    if (current.session === session) return;
    current.session = session;
    this.fire(current);
    this.readForFollowers(current);
  }

  /** Ignores changes of a state that is no longer current. */
  private fire(current: AccountState): void {
    if (current !== this.current) return;
    const { state } = this;
    for (const listener of this.listeners) listener(state);
  }
}

/** Adds what a check found, what the service stated in rejections, and what the user set, which counts most. */
function withChecked(
  models: readonly CatalogueModel[],
  learned: LearnedStore | undefined,
  overridesOf: (model: string) => ModelOverrides = () => noOverrides,
): readonly CatalogueModel[] {
  const checkedOf = (model: string): Partial<CheckedModel> | undefined => learned?.of(model).checked;
  const statedOf = (model: string) => learned?.of(model).stated;
  const isListedOnly = ({ id }: CatalogueModel) =>
    !checkedOf(id) && !statedOf(id) && Object.keys(overridesOf(id)).length === 0;
  if (models.every(isListedOnly)) return models;
  return models.map((model) => {
    if (isListedOnly(model)) return model;
    const checked = checkedOf(model.id);
    const stated = statedOf(model.id);
    const own = overridesOf(model.id);
    const { tools, images, contextTokens, outputTokens, thinking, jsonMode, logProbabilities } = own;
    return {
      ...model,
      tools: tools ?? checked?.tools ?? model.tools,
      images: images ?? checked?.images ?? model.images,
      contextLength: contextTokens ?? stated?.contextTokens ?? checked?.contextTokens ?? model.contextLength,
      maxOutputTokens: outputTokens ?? stated?.outputTokens ?? checked?.outputTokens ?? model.maxOutputTokens,
      jsonMode: jsonMode ?? checked?.jsonMode,
      logProbabilities: logProbabilities ?? checked?.logProbabilities,
      own: { tools, images, contextTokens, outputTokens, thinking },
    };
  });
}

const noOverrides: ModelOverrides = {};

function lookAt({ models }: AccountState, at: number) {
  return { at, ids: models.map(({ id }) => id) };
}
