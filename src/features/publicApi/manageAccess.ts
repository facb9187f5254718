import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { ageWords } from '../../platform/age';
import { numberText } from '../../platform/displayText';
import { askPick } from '../../platform/quickInput';
import type { PickItem } from '../../platform/quickInput';
import type { Access, Decision } from './access';
import { findCaller } from './askAccess';
import { showMessage } from '../../platform/notify';

/** An extension's calls in this window. */
export interface CallCount {
  readonly calls: number;
  /** Unix milliseconds. */
  readonly lastAt: number;
}

export type CallsOf = (extensionId: string) => CallCount | undefined;

/** Lists which extensions were allowed or denied, and lets the person change that until they close the list. */
export async function manageAccess(access: Access, callsOf: CallsOf, ownId: string): Promise<void> {
  for (;;) {
    const items = access.extensionIds.map((id) => extensionItem(id, access, callsOf, ownId));
    if (items.length === 0) {
      await showMessage(
        'information',
        l10n.t('No extension was allowed or denied to use Inference Desk. Each one asks before its first use.'),
      );
      return;
    }
    const title = l10n.t('Extensions That Asked to Use Inference Desk');
    const placeholder = l10n.t('Choose an extension to change what it may do');
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
    ...(value === now && { description: l10n.t('as it is now') }),
  });
  const answer = await askPick<Choice>({
    title: findCaller(id, ownId)?.name ?? id,
    placeholder: l10n.t('What may it do with your account?'),
    canGoBack: true,
    items: [
      item(
        'always',
        l10n.t('Allow Always'),
        l10n.t('It uses models and makes pictures, at your cost, without asking.'),
      ),
      item('window', l10n.t('Allow in This Window'), l10n.t('The same, until the window is loaded anew.')),
      item(
        'deny',
        l10n.t('Deny'),
        l10n.t(
          'It is refused without asking you; what it is doing is stopped. Commands, such as finding by meaning, stay open to every extension.',
        ),
      ),
      item('ask', l10n.t('Ask Again'), l10n.t('What it is doing is stopped; it asks before its next use.')),
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
