import type { Settings } from '../../platform/settings';
import type { Disposable } from '../../platform/disposables';

export interface Decision {
  readonly isAllowed: boolean;
  /** Otherwise only until this window reloads. */
  readonly isForGood: boolean;
}

/** Which extensions a person allows to use the account. Ids are compared case-insensitively. */
export interface Access extends Disposable {
  /** `undefined` if the person was not asked yet. A permanent decision takes precedence over one for this window. */
  decision(extensionId: string): Decision | undefined;
  decide(extensionId: string, decision: Decision): Promise<void>;
  /** Deletes the decision, so that the extension asks again. */
  forget(extensionId: string): Promise<void>;
  /** All extensions with a decision, in lower case and sorted. */
  readonly extensionIds: readonly string[];
  /** Fires on changes in this window, in another one, or by hand in the settings. */
  readonly onDidChange: (listener: () => void) => Disposable;
}

export function createAccess(settings: Settings): Access {
  const ofWindow = new Map<string, boolean>();
  const listeners = new Set<() => void>();
  const stored = (): ReadonlyMap<string, boolean> =>
    new Map(Object.entries(settings.get('extensionAccess')).map(([id, isAllowed]) => [id.toLowerCase(), isAllowed]));
  const changed = () => {
    for (const listener of listeners) listener();
  };
  const store = async (extensionId: string, isAllowed: boolean | undefined): Promise<void> => {
    const others = Object.entries(settings.get('extensionAccess')).filter(([id]) => id.toLowerCase() !== extensionId);
    const entry = isAllowed === undefined ? {} : { [extensionId]: isAllowed };
    if (stored().get(extensionId) !== isAllowed) {
      await settings.set('extensionAccess', { ...Object.fromEntries(others), ...entry });
    }
  };
  const listening = settings.onDidChange((name) => {
    if (name === 'extensionAccess') changed();
  });

  return {
    decision(extensionId) {
      const id = extensionId.toLowerCase();
      const forGood = stored().get(id);
      const isAllowed = forGood ?? ofWindow.get(id);
      return isAllowed === undefined ? undefined : { isAllowed, isForGood: forGood !== undefined };
    },
    async decide(extensionId, { isAllowed, isForGood }) {
      const id = extensionId.toLowerCase();
      if (!isForGood) ofWindow.set(id, isAllowed);
      await store(id, isForGood ? isAllowed : undefined);
      if (isForGood) ofWindow.delete(id);
      changed();
    },
    async forget(extensionId) {
      const id = extensionId.toLowerCase();
      ofWindow.delete(id);
      await store(id, undefined);
      changed();
    },
    get extensionIds() {
      return [...new Set([...stored().keys(), ...ofWindow.keys()])].toSorted();
    },
    onDidChange(listener) {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
    dispose() {
      listening.dispose();
      listeners.clear();
    },
  };
}
