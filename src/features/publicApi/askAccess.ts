import * as vscode from 'vscode';
import { l10n } from 'vscode';
import type { Decision } from './access';
import { showMessage } from '../../platform/notify';
import { foreign } from '../../core/text/foreignText';

/** The calling extension, as a person knows it. */
export interface Caller {
  /** As the editor spells it. */
  readonly id: string;
  readonly name: string;
}

/** Asks the person whether an extension may use their account. `undefined` if they do not answer. */
export type AskAccess = (caller: Caller) => Promise<Decision | undefined>;

/** `undefined` if the editor has no such extension, or it is this one. */
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
      '{0} asks to rank and complete texts and to make pictures with the account you are signed in to, to read its list of models, and to check batch files.',
      id,
    ),
    l10n.t(
      'What it sends leaves this machine and can cost money. It gets neither your key nor the address of the service.',
    ),
    l10n.t(
      'Your answer does not cover commands, such as finding by meaning: every extension can run those, within your daily token budget.',
    ),
    l10n.t(
      'The editor does not tell which extension asks: the name is its own word. “Inference Desk: Manage Extension Access” takes this back at any time.',
    ),
  ];
  const question = l10n.t('Allow “{0}” to use Inference Desk?', foreign(name));
  const options = { modal: true, detail: detail.join('\n\n') };
  // Enter takes the first button, so that one is not permanent.
  const chosen = await showMessage('warning', question, options, here, always, deny);
  if (chosen === undefined) return undefined;
  return { isAllowed: chosen !== deny, isForGood: chosen !== here };
};
