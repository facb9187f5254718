import * as vscode from 'vscode';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import type { OnSetAside } from '../../core/storage/storedFile';
import { createJsonFile } from '../../core/storage/storedFile';

/** How long a key is cached without reading the secret storage: changes by other windows are not always reported. */
const cacheMs = 60_000;

const prefix = 'inferenceDesk.key:';

export interface KeyStoreOptions {
  readonly secrets: vscode.SecretStorage;
  /** Path of the record of profiles and origins that a key was stored for; it does not contain the keys. */
  readonly recordPath: string;
  readonly onSetAside: OnSetAside;
  readonly now: () => number;
}

/**
 * Keys in the editor's secret storage. A key's name contains its profile and the origin it was entered for, so it cannot be sent elsewhere.
 */
export interface KeyStore extends Disposable {
  get(profileId: string, origin: string): Promise<string | undefined>;
  /** Resolves with whether the key could be read back from the storage. */
  store(profileId: string, origin: string, key: string): Promise<boolean>;
  /** Removes the keys for all origins. */
  removeAll(profileId: string): Promise<void>;
  forgetCached(profileId: string): void;
  /** Whether a key was stored here and not removed by the user, but is missing from the storage. */
  isVanished(profileId: string, origin: string): Promise<boolean>;
  /** Fires when a key was stored or removed, or turned out to be missing or different. */
  readonly onDidChange: vscode.Event<void>;
}

export function createKeyStore(options: KeyStoreOptions): KeyStore {
  return new SecretKeyStore(options);
}

class SecretKeyStore implements KeyStore {
  private readonly owned = new DisposableStore();
  private readonly changed = this.owned.add(new vscode.EventEmitter<void>());
  private readonly cache = new Map<string, { readonly key: string | undefined; readonly readAt: number }>();
  /** Last known keys, to fire only for differences. */
  private readonly told = new Map<string, string | undefined>();
  private readonly record;

  readonly onDidChange = this.changed.event;

  constructor(private readonly options: KeyStoreOptions) {
    this.record = createJsonFile(options.recordPath, toNames, options.onSetAside);
    this.owned.add(
      options.secrets.onDidChange(({ key: name }) => {
        if (!name.startsWith(prefix)) return;
        this.cache.delete(name);
        // Whoever needs the key next gets the storage's error.
        this.readAgain(name).catch(() => undefined);
      }),
    );
  }

  async get(profileId: string, origin: string): Promise<string | undefined> {
    const name = secretName(profileId, origin);
    const cached = this.cache.get(name);
    return cached && this.options.now() - cached.readAt < cacheMs ? cached.key : this.readAgain(name);
  }

  async store(profileId: string, origin: string, key: string): Promise<boolean> {
    const name = secretName(profileId, origin);
    await working(this.options.secrets.store(name, key));
    const readBack = (await this.readAgain(name)) === key;
    if (readBack) await this.record.write([...new Set([...((await this.record.read()) ?? []), name])]);
    return readBack;
  }

  async removeAll(profileId: string): Promise<void> {
    const { secrets } = this.options;
    const recorded = (await this.record.read()) ?? [];
    const names = [...new Set([...(await working(secrets.keys())), ...recorded])].filter(isOf(profileId));
    // The record comes first: if it came last and the editor closed in between, the key would count as vanished.
    await this.record.write(recorded.filter((name) => !names.includes(name)));
    for (const name of names) {
      await working(secrets.delete(name));
      this.cache.delete(name);
      await this.readAgain(name);
    }
  }

  forgetCached(profileId: string): void {
    for (const name of this.cache.keys()) if (isOf(profileId)(name)) this.cache.delete(name);
  }

  async isVanished(profileId: string, origin: string): Promise<boolean> {
    const name = secretName(profileId, origin);
    return ((await this.record.read()) ?? []).includes(name) && (await this.readAgain(name)) === undefined;
  }

  dispose(): void {
    this.owned.dispose();
  }

  private async readAgain(name: string): Promise<string | undefined> {
    const key = await working(this.options.secrets.get(name));
    const differs = this.told.has(name) && this.told.get(name) !== key;
    this.cache.set(name, { key, readAt: this.options.now() });
    this.told.set(name, key);
    if (differs) this.changed.fire();
    return key;
  }
}

const secretName = (profileId: string, origin: string) => `${prefix}${profileId}@${origin}`;

const isOf = (profileId: string) => (name: string) => name.startsWith(`${prefix}${profileId}@`);

const toNames = (raw: unknown): readonly string[] | undefined =>
  Array.isArray(raw) && raw.every((name) => typeof name === 'string') ? raw : undefined;

/** Leaves out the storage's own error, because it might quote the value. */
async function working<T>(asked: Thenable<T>): Promise<T> {
  try {
    return await asked;
  } catch {
    throw (await import('../../platform/errors/storageError')).storageError();
  }
}
