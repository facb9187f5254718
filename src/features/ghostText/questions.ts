import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { ThemeIcon, env } from 'vscode';
import { showQuickPick, showMessage } from '../../platform/notify';
import { foreign } from '../../core/text/foreignText';
import { listText } from '../../protocol/formats';

export type OnMode = 'manual' | 'automatic';

/** Asks when ghost text should appear; `undefined` if the user cancels. */
export async function askForMode(): Promise<OnMode | undefined> {
  const chosen = await showQuickPick<vscode.QuickPickItem & { readonly mode: OnMode }>(
    [
      {
        mode: 'manual',
        iconPath: new ThemeIcon('record-keys'),
        label: l10n.t('On Request'),
        description: 'Alt+\\',
        detail: l10n.t('Sends a request only when you trigger a suggestion.'),
      },
      {
        mode: 'automatic',
        iconPath: new ThemeIcon('zap'),
        label: l10n.t('When You Pause Typing'),
        detail: l10n.t('Sends many requests an hour, with text around the cursor.'),
      },
    ],
    { title: l10n.t('Inline Suggestions'), placeHolder: l10n.t('Select when to show suggestions') },
  );
  return chosen?.mode;
}

/** Returns minutes; `Infinity`: until the window reloads. `undefined` if the user cancels. */
export async function askForSnooze(): Promise<number | undefined> {
  const times = [5, 15, 60].map((minutes) => ({ minutes, label: l10n.t('For {0} minutes', minutes) }));
  const chosen = await showQuickPick(
    [...times, { minutes: Infinity, label: l10n.t('Until This Window Is Reloaded') }],
    { title: l10n.t('Snooze Inline Suggestions') },
  );
  return chosen?.minutes;
}

/** Extensions that provide ghost text, by marketplace id. */
const known: readonly string[] = [
  'GitHub.copilot',
  'GitHub.copilot-chat',
  'Continue.continue',
  'supermaven.supermaven',
  'Codeium.codeium',
  'TabNine.tabnine-vscode',
  'sourcegraph.cody-ai',
  'AmazonWebServices.amazon-q-vscode',
  'AmazonWebServices.codewhisperer-for-command-line-companion',
  'Google.geminicodeassist',
  'ggml-org.llama-vscode',
  'HuggingFace.huggingface-vscode',
  'TabbyML.vscode-tabby',
  'rjmacarthy.twinny',
  'augment.vscode-augment',
  'FittenTech.Fitten-Code',
  'Alibaba-Cloud.tongyi-lingma',
  'kilocode.Kilo-Code',
];

const shownKey = 'ghostText.othersTold';

/** An extension that might provide inline suggestions. */
interface OtherProvider {
  readonly id: string;
  readonly name: string;
}

/** Returns those that are installed and enabled; built-in ones only if active. */
export function otherProviders(
  find: (id: string) => vscode.Extension<unknown> | undefined = (id) => vscode.extensions.getExtension(id),
): readonly OtherProvider[] {
  return known.flatMap((id) => {
    const found = find(id);
    if (!found) return [];
    const { displayName, isBuiltin } = found.packageJSON as { displayName?: unknown; isBuiltin?: unknown };
    if (isBuiltin === true && !found.isActive) return [];
    return [{ id, name: typeof displayName === 'string' && !displayName.startsWith('%') ? displayName : id }];
  });
}

type GoOn = 'automatic' | 'manual' | 'off';

/**
 * Asks once for each set of other extensions whether ghost text should also appear automatically. Without an answer it only appears on
 * request.
 */
export async function askBeside(
  others: readonly OtherProvider[],
  memento: vscode.Memento,
  ask: (question: string, ...answers: string[]) => PromiseLike<string | undefined> = (question, ...answers) =>
    showMessage('warning', question, ...answers),
): Promise<GoOn> {
  const shown = memento.get<readonly string[]>(shownKey, []);
  if (others.every(({ id }) => shown.includes(id))) return 'automatic';
  const [both, byHand, none] = [l10n.t('Use Both'), l10n.t('On Request'), l10n.t('Turn Off')];
  const names = listText(
    others.map(({ name }) => foreign(name)),
    env.language,
  );
  const answer = await ask(
    l10n.t(
      '{0} already provides inline suggestions. VS Code shows only one, but you may be charged for both. Use both?',
      names,
    ),
    both,
    byHand,
    none,
  );
  if (answer === none) return 'off';
  if (answer !== both) return 'manual';
  await memento.update(shownKey, [...new Set([...shown, ...others.map(({ id }) => id)])]);
  return 'automatic';
}
