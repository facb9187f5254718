import * as vscode from 'vscode';
import { isBelow } from '../../core/account/lowBalance';
import { balanceParts } from '../../core/account/accountFacts';
import type { Profile } from '../../core/profiles/profile';
import type { AccountState } from '../../platform/account';
import type { RunningWork } from '../../platform/activity';
import { ageWords } from '../../platform/age';
import { describe } from '../../platform/reportError';

/** Beyond this age a balance is shown with it. */
const freshMs = 10 * 60_000;

export interface StatusInput {
  /** `undefined`: signed out. */
  readonly profile: Profile | undefined;
  readonly state: AccountState;
  readonly running: readonly RunningWork[];
  readonly lowBalance: string;
  readonly now: number;
  readonly language: string;
}

export interface StatusText {
  readonly text: string;
  readonly spoken: string;
  readonly tooltip: vscode.MarkdownString;
}

/** Commands the tooltip may link to. */
const linked = [
  'inferenceDesk.signIn',
  'inferenceDesk.demo.start',
  'inferenceDesk.refreshAccount',
  'inferenceDesk.switchProfile',
  'inferenceDesk.manageKey',
  'inferenceDesk.account.focus',
] as const;

export function statusText(input: StatusInput): StatusText {
  const { profile, running } = input;
  if (!profile) {
    const words = vscode.l10n.t('Inference Desk: sign in');
    return { text: `$(plug) ${words}`, spoken: words, tooltip: signedOutTooltip() };
  }
  const balance = balanceWords(input);
  const work = workWords(running);
  const parts = [profile.name, ...(balance ? [balance.words] : []), ...(work === undefined ? [] : [work])];
  const icon = work !== undefined ? '$(sync~spin)' : balance?.isLow ? '$(warning)' : '$(sparkle)';
  return {
    text: `${icon} ${parts.join(' · ')}`,
    spoken: [vscode.l10n.t('Inference Desk'), ...parts].join(', '),
    tooltip: tooltip(input, profile),
  };
}

function workWords(running: readonly RunningWork[]): string | undefined {
  const [first, ...others] = running;
  if (!first) return undefined;
  return others.length === 0 ? first.label : vscode.l10n.t('{0} and {1} more', first.label, others.length);
}

function balanceWords({ state, lowBalance, now, language }: StatusInput) {
  const reading = state.status === 'ready' ? state.reading : state.status === 'failed' ? state.last : undefined;
  const total = reading?.info.totalBalance;
  if (reading === undefined || total === undefined) return undefined;
  const isStale = now - reading.readAt >= freshMs || state.status === 'failed';
  const words = isStale ? `${total} (${ageWords(reading.readAt, now, language)})` : total;
  return { words, isLow: isBelow(total, lowBalance) };
}

function signedOutTooltip(): vscode.MarkdownString {
  const text = trusted();
  text.appendText(vscode.l10n.t('No service is signed in.'));
  text.appendMarkdown('\n\n');
  links(text, [
    ['inferenceDesk.signIn', vscode.l10n.t('Sign in')],
    ['inferenceDesk.demo.start', vscode.l10n.t('Try the demo service')],
  ]);
  return text;
}

/** What comes from the person or the service is appended as text: it must not become a link or a command. */
function tooltip(input: StatusInput, profile: Profile): vscode.MarkdownString {
  const text = trusted();
  const line = (words: string) => {
    text.appendText(words);
    text.appendMarkdown('\n\n');
  };
  line(vscode.l10n.t('{0} at {1}', profile.name, new URL(profile.baseUrl).host));
  for (const words of accountLines(input)) line(words);
  for (const work of input.running) line(workLine(work, input.now));
  links(text, [
    ['inferenceDesk.account.focus', vscode.l10n.t('Account')],
    ['inferenceDesk.refreshAccount', vscode.l10n.t('Refresh')],
    ['inferenceDesk.switchProfile', vscode.l10n.t('Switch profile')],
    ['inferenceDesk.manageKey', vscode.l10n.t('Manage key')],
  ]);
  return text;
}

function accountLines({ state, now, language }: StatusInput): readonly string[] {
  switch (state.status) {
    case 'signedOut':
    case 'unknown':
      return [];
    case 'notOffered':
      return [vscode.l10n.t('This service does not report a balance.')];
    case 'ready':
    case 'failed': {
      const reading = state.status === 'ready' ? state.reading : state.last;
      const failure = state.status === 'failed' ? [describe(state.error).title] : [];
      if (reading?.info.totalBalance === undefined) return failure;
      const parts = balanceParts(reading.info).map(({ name, value }) =>
        name === 'giftBalance' ? vscode.l10n.t('gifts {0}', value) : vscode.l10n.t('paid in {0}', value),
      );
      const split = parts.length === 0 ? '' : ` (${parts.join(', ')})`;
      const age = ageWords(reading.readAt, now, language);
      return [...failure, vscode.l10n.t('Balance {0}, as of {1}', `${reading.info.totalBalance}${split}`, age)];
    }
  }
}

function workLine({ label, startedAt }: RunningWork, now: number): string {
  return vscode.l10n.t('{0}, for {1} s', label, Math.max(0, Math.round((now - startedAt) / 1000)));
}

function trusted(): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  text.isTrusted = { enabledCommands: linked };
  return text;
}

function links(text: vscode.MarkdownString, entries: readonly (readonly [(typeof linked)[number], string])[]): void {
  text.appendMarkdown(entries.map(([command, label]) => `[${label}](command:${command})`).join(' · '));
}
