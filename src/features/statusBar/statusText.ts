import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { isBelow } from '../../core/account/lowBalance';
import { balanceParts } from '../../core/account/accountFacts';
import { currencyOf } from '../../core/profiles/knownServices';
import type { Profile } from '../../core/profiles/profile';
import type { AccountState } from '../../services/account/account';
import type { RunningWork } from '../../platform/activity';
import { momentText } from '../../platform/displayText';
import { exactMoneyText, listText, moneyText } from '../../protocol/formats';
import { commandLink, joined, markdown } from '../../platform/notify';
import { foreign } from '../../core/text/foreignText';

/** Maximum length of an amount that a service reports, and of a profile name, which shares its space with others. */
const [longestAmount, longestExact, longestName] = [24, 40, 40] as const;
/** A balance older than this is shown with when it was read. One that stays the same is read every thirty minutes. */
const freshMs = 35 * 60_000;

export interface StatusText {
  readonly text: string;
  readonly spoken: string;
  readonly tooltip: vscode.MarkdownString;
}

export interface StatusInput {
  readonly profile: Profile;
  readonly state: AccountState;
  /** The error message, if `state` has failed. */
  readonly failure: string | undefined;
  readonly running: readonly RunningWork[];
  /** How many jobs failed, or are uncertain, since the user last saw them. */
  readonly failures: number;
  readonly lowBalance: string;
  readonly now: number;
  readonly language: string;
}

export function statusText(input: StatusInput): StatusText {
  const { profile, running, failures } = input;
  const balance = balanceWords(input);
  const work = workWords(running);
  const parts = [
    foreign(profile.name, longestName),
    ...(balance ? [balance.words] : []),
    ...(work === undefined ? [] : [work]),
    ...(failures === 0 ? [] : [failuresText(failures)]),
  ];
  const icon = work !== undefined ? '$(sync~spin)' : balance?.isLow || failures > 0 ? '$(warning)' : '$(sparkle)';
  return {
    text: `${icon} ${parts.join(' · ')}`,
    spoken: listText([l10n.t('Inference Desk'), ...parts], input.language),
    tooltip: tooltip(input, profile),
  };
}

function failuresText(count: number): string {
  return count === 1 ? l10n.t('1 job needs attention') : l10n.t('{0} jobs need attention', count);
}

function workWords(running: readonly RunningWork[]): string | undefined {
  const [first, ...others] = running;
  if (!first) return undefined;
  return others.length === 0 ? first.label : l10n.t('{0} and {1} more', first.label, others.length);
}

function balanceWords({ state, profile, lowBalance, now, language }: StatusInput) {
  const reading = state.status === 'ready' ? state.reading : state.status === 'failed' ? state.last : undefined;
  const total = reading?.info.totalBalance;
  if (reading === undefined || total === undefined) return undefined;
  const isStale = now - reading.readAt >= freshMs || state.status === 'failed';
  const amount = foreign(
    moneyText(total, reading.info.currency ?? currencyOf(profile.baseUrl), language),
    longestAmount,
  );
  const words = isStale ? l10n.t('{0} ({1})', amount, momentText(reading.readAt, now, language)) : amount;
  return { words, isLow: isBelow(total, lowBalance) };
}

function tooltip(input: StatusInput, profile: Profile): vscode.MarkdownString {
  const lines = [
    l10n.t('{0} at {1}', foreign(profile.name), new URL(profile.baseUrl).host),
    ...accountLines(input),
    ...input.running.map((work) => workLine(work, input)),
  ];
  const links = [
    commandLink(l10n.t('Activity and Spend'), 'inferenceDesk.activity.open'),
    commandLink(l10n.t('Account'), 'inferenceDesk.account.focus'),
    commandLink(l10n.t('Refresh'), 'inferenceDesk.refreshAccount'),
    commandLink(l10n.t('Switch Account'), 'inferenceDesk.switchProfile'),
    commandLink(l10n.t('Manage Key'), 'inferenceDesk.manageKey'),
    commandLink(l10n.t('More…'), 'inferenceDesk.showMenu'),
  ];
  return joined([...lines.map((text) => markdown`${text}`), joined(links, ' · ')]);
}

function accountLines({ state, profile, failure, now, language }: StatusInput): readonly string[] {
  switch (state.status) {
    case 'signedOut':
    case 'unknown':
    case 'notOffered':
      return [];
    case 'ready':
    case 'failed': {
      const reading = state.status === 'ready' ? state.reading : state.last;
      const failures = failure === undefined ? [] : [failure];
      if (reading?.info.totalBalance === undefined) return failures;
      const currency = reading.info.currency ?? currencyOf(profile.baseUrl);
      const exact = (amount: string) => foreign(exactMoneyText(amount, currency, language), longestExact);
      const parts = balanceParts(reading.info).map(({ name, value }) =>
        name === 'giftBalance' ? l10n.t('bonus credit {0}', exact(value)) : l10n.t('paid credit {0}', exact(value)),
      );
      const total = exact(reading.info.totalBalance);
      const split = parts.length === 0 ? total : l10n.t('{0} ({1})', total, listText(parts, language));
      const moment = momentText(reading.readAt, now, language);
      return [...failures, l10n.t('Balance {0}, as of {1}', split, moment)];
    }
  }
}

/** Shows the time, because an age would have to be updated each minute, visible or not. */
function workLine({ label, startedAt }: RunningWork, { now, language }: StatusInput): string {
  return l10n.t('{0}, started {1}', foreign(label), momentText(startedAt, now, language));
}
