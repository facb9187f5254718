import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Settings } from '../../platform/settings';
import type { Disposable } from '../../platform/disposables';
import { showMessage } from '../../platform/notify';
import { foreign } from '../../core/text/foreignText';
import { ageWords } from '../../platform/age';
import { numberText } from '../../platform/displayText';
import { askPick } from '../../platform/quickInput';
import type { PickItem } from '../../platform/quickInput';
import { commandTitle } from '../../platform/contributions';

export interface Decision {
  readonly isAllowed: boolean;
  /** Otherwise only until this window reloads. */
  readonly isForGood: boolean;
}

/** Which extensions a user allows to use the account. Ids are compared case-insensitively. */
export interface Access extends Disposable {
  /** `undefined` if the user was not asked yet. A permanent decision takes precedence over one for this window. */
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

/** The calling extension, as a user knows it. */
export interface Caller {
  /** In VS Code's spelling. */
  readonly id: string;
  readonly name: string;
}

/** Asks the user whether an extension may use their account. `undefined` if they do not answer. */
export type AskAccess = (caller: Caller) => Promise<Decision | undefined>;

/** Returns `undefined` if VS Code has no such extension, or it is this one. */
export function findCaller(extensionId: string, ownId: string): Caller | undefined {
  const extension = vscode.extensions.getExtension(extensionId);
  if (!extension || extension.id.toLowerCase() === ownId.toLowerCase()) return undefined;
  const { displayName } = extension.packageJSON as { readonly displayName?: unknown };
  const name = typeof displayName === 'string' && displayName.trim() !== '' ? displayName.trim() : extension.id;
  return { id: extension.id, name: name.slice(0, 80) };
}

export const askAccess: AskAccess = async ({ id, name }) => {
  const always = l10n.t('Allow Always');
  const here = l10n.t('Allow in This Window');
  const deny = l10n.t('Deny');
  const detail = [
    l10n.t(
      '{0} wants to rerank and complete text, generate images, read the model list, and check batch files with your account.',
      id,
    ),
    l10n.t("Its requests can cost money. It can't read your key or base URL."),
    l10n.t('Every extension can run commands such as semantic search, within your daily token budget.'),
    l10n.t(
      'VS Code doesn\'t verify which extension is asking. To revoke access, run "{0}".',
      commandTitle('inferenceDesk.manageExtensionAccess'),
    ),
  ];
  const question = l10n.t('Allow "{0}" to use Inference Desk?', foreign(name));
  const options = { modal: true, detail: detail.join('\n\n') };
  // Enter takes the first button, so that one is not permanent.
  const chosen = await showMessage('warning', question, options, here, always, deny);
  if (chosen === undefined) return undefined;
  return { isAllowed: chosen !== deny, isForGood: chosen !== here };
};

/** An extension's calls in this window. */
export interface CallCount {
  readonly calls: number;
  /** Unix milliseconds. */
  readonly lastAt: number;
}

type CallsOf = (extensionId: string) => CallCount | undefined;

/** Lists which extensions were allowed or denied, and lets the user change that until they close the list. */
export async function manageAccess(access: Access, callsOf: CallsOf, ownId: string): Promise<void> {
  for (;;) {
    const items = access.extensionIds.map((id) => extensionItem(id, access, callsOf, ownId));
    if (items.length === 0) {
      await showMessage('information', l10n.t('No extensions have asked to use Inference Desk yet.'));
      return;
    }
    const title = l10n.t('Extensions That Asked to Use Inference Desk');
    const placeholder = l10n.t('Choose an extension to change its permission');
    const answer = await askPick<string>({ title, placeholder, items, canGoBack: false, canFilter: true });
    if (answer.kind !== 'value') return;
    if ((await changeOne(answer.value, access, ownId)) === 'cancelled') return;
  }
}

type Choice = 'always' | 'window' | 'deny' | 'ask';

async function changeOne(id: string, access: Access, ownId: string): Promise<'changed' | 'back' | 'cancelled'> {
  const now = choiceOf(access.decision(id));
  const item = (value: Choice, label: string, detail: string): PickItem<Choice> => ({
    value,
    label,
    detail,
    ...(value === now && { description: l10n.t('current') }),
  });
  const answer = await askPick<Choice>({
    title: findCaller(id, ownId)?.name ?? id,
    placeholder: l10n.t('Select what the extension can do'),
    canGoBack: true,
    items: [
      item('always', l10n.t('Allow Always'), l10n.t('Uses models at your cost.')),
      item('window', l10n.t('Allow in This Window'), l10n.t('Uses models at your cost until this window is reloaded.')),
      item('deny', l10n.t('Deny'), l10n.t("Stops the extension's requests and rejects new ones.")),
      item(
        'ask',
        l10n.t('Reset Permission'),
        l10n.t("Stops the extension's requests. It must ask before the next one."),
      ),
    ],
  });
  if (answer.kind !== 'value') return answer.kind;
  if (answer.value === 'ask') await access.forget(id);
  else await access.decide(id, { isAllowed: answer.value !== 'deny', isForGood: answer.value !== 'window' });
  return 'changed';
}

function choiceOf(decision: Decision | undefined): Choice {
  if (!decision) return 'ask';
  if (!decision.isAllowed) return 'deny';
  return decision.isForGood ? 'always' : 'window';
}

function extensionItem(id: string, access: Access, callsOf: CallsOf, ownId: string): PickItem<string> {
  const caller = findCaller(id, ownId);
  const facts = [
    decisionWords(access.decision(id)),
    ...(caller ? [] : [l10n.t('not installed or disabled')]),
    callWords(callsOf(id)),
  ];
  return { value: id, label: caller?.name ?? id, ...(caller && { description: caller.id }), detail: facts.join(' · ') };
}

function decisionWords(decision: Decision | undefined): string {
  if (decision?.isAllowed) return decision.isForGood ? l10n.t('Allowed') : l10n.t('Allowed in this window');
  return decision?.isForGood === false ? l10n.t('Denied in this window') : l10n.t('Denied');
}

function callWords(count: CallCount | undefined): string {
  const { language } = vscode.env;
  if (!count) return l10n.t('not used in this window');
  const age = ageWords(count.lastAt, Date.now(), language);
  return count.calls === 1
    ? l10n.t('1 call in this window: {0}', age)
    : l10n.t('{0} calls in this window, the last: {1}', numberText(count.calls, language), age);
}
