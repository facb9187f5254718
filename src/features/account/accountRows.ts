import * as l10n from '@vscode/l10n';
import { commands, env } from 'vscode';
import { accountFacts, balanceParts } from '../../core/account/accountFacts';
import type { AccountFact, BalanceFact } from '../../core/account/accountFacts';
import { isBelow } from '../../core/account/lowBalance';
import { currencyOf, knownServiceOf } from '../../core/profiles/knownServices';
import type { Profile } from '../../core/profiles/profile';
import type { AccountReading, AccountState } from '../../services/account/account';
import { foreign } from '../../core/text/foreignText';
import { ageWords } from '../../platform/age';
import type { CommandRow } from '../../platform/listRow';
import { emptyReason } from '../../services/lists/emptyReason';
import type { Services } from '../../services/services';
import { errorRows, listErrorText } from '../../services/lists/listErrorText';
import { pageStep } from '../../platform/errors/errorActions';
import { runAction } from '../../platform/errors/reportError';
import { showMessage } from '../../platform/notify';
import { absoluteTimeText } from '../../platform/displayText';
import { exactMoneyText, moneyText, type Currency } from '../../protocol/formats';
import { labelled, sentence, sentences } from '../../protocol/sentences';

/** A row of the Account view. */
export interface AccountRow {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  /** Name of a codicon. */
  readonly icon: string;
  readonly isWarning: boolean;
  readonly tooltip: string;
  /** Determines the row's menu: `value` can be copied, `profile` is one of the profiles. */
  readonly role: 'value' | 'profile' | 'note';
  /** The text that "Copy value" copies. */
  readonly value?: string;
  readonly profileId?: string;
  readonly children: readonly AccountRow[];
}

export interface AccountRowsInput {
  readonly profile: Profile;
  readonly state: AccountState;
  readonly lowBalance: string;
  /** In the currency of the account; absent if unknown. */
  readonly spentToday?: number | undefined;
  /** The most that may be spent in a day; 0 or absent for no limit. */
  readonly cap?: number | undefined;
  readonly now: number;
  /** Locale for times, such as `en`. */
  readonly language: string;
}

/** Costs that can't be read leave no view empty. */
export async function spentTodayOf({ usage, log }: Services, profileId: string): Promise<number | undefined> {
  try {
    return await (await usage()).spentToday(profileId);
  } catch (error) {
    log.warn(`Couldn't read today's costs: ${String(error)}`);
    return undefined;
  }
}

/** Returns the message above the rows: why they are not up to date, what to do, and how old they are. Empty if they are. */
export function accountMessage(state: AccountState): string {
  if (state.status !== 'failed' || (!state.last && emptyReason(state.error) !== 'failed')) return '';
  return listErrorText(state.error, { readAt: state.last?.readAt, hasRows: state.last !== undefined });
}

/** Returns the rows in display order, or none for an error that the view's welcome text covers. */
export function accountRows(input: AccountRowsInput): readonly (AccountRow | CommandRow)[] {
  const { state } = input;
  switch (state.status) {
    case 'signedOut':
      return [];
    case 'unknown':
      return [profileRow(input.profile)];
    case 'notOffered':
      return [profileRow(input.profile), notOfferedRow()];
    case 'ready':
      return [profileRow(input.profile), ...readingRows(state.reading, input)];
    case 'failed':
      if (state.last) return [profileRow(input.profile), ...readingRows(state.last, input)];
      return emptyReason(state.error) === 'failed'
        ? [profileRow(input.profile), ...errorRows(state.error, 'inferenceDesk.refreshAccount')]
        : [];
  }
}

/** Returns the row with the age of a reading, which changes on its own. */
export function ageRow({ readAt }: AccountReading, now: number, language: string): AccountRow {
  return row({
    id: 'age',
    label: l10n.t('Last updated'),
    description: ageWords(readAt, now, language),
    icon: 'history',
    tooltip: absoluteTimeText(readAt, language),
    role: 'note',
  });
}

function readingRows(reading: AccountReading, input: AccountRowsInput): readonly AccountRow[] {
  const { info } = reading;
  return [
    info.totalBalance === undefined ? notOfferedRow() : balanceRow(reading, info.totalBalance, input),
    ...spentRows(input),
    ...accountFacts(info).map(factRow),
    ageRow(reading, input.now, input.language),
  ];
}

function spentRows({ profile, spentToday, cap = 0, language }: AccountRowsInput): readonly AccountRow[] {
  if (spentToday === undefined) return [];
  const money = (amount: number) => moneyText(amount, currencyOf(profile.baseUrl), language);
  return [
    row({
      id: 'spentToday',
      label: l10n.t('Spent today'),
      description: cap > 0 ? l10n.t('{0} of {1}', money(spentToday), money(cap)) : money(spentToday),
      icon: 'graph',
      isWarning: cap > 0 && spentToday >= cap,
      tooltip: l10n.t('Based on your balance and known prices, across all windows.'),
      role: 'value',
      value: String(spentToday),
    }),
  ];
}

function balanceRow(
  { info, readAt }: AccountReading,
  total: string,
  { profile, lowBalance, language }: AccountRowsInput,
): AccountRow {
  const isLow = isBelow(total, lowBalance);
  const currency = info.currency ?? currencyOf(profile.baseUrl);
  const money = (amount: string) => moneyText(amount, currency, language);
  const asOf = sentence(l10n.t('Last updated {0}', absoluteTimeText(readAt, language)));
  return row({
    id: 'balance',
    label: l10n.t('Balance'),
    description: isLow ? l10n.t('{0}, below {1}', money(total), money(lowBalance)) : money(total),
    icon: isLow ? 'warning' : 'credit-card',
    isWarning: isLow,
    tooltip: `${exactMoneyText(total, currency, language)}\n${sentences(asOf, l10n.t("Vouchers aren't included."))}`,
    role: 'value',
    value: total,
    children: balanceParts(info).map((part) => partRow(part, currency, language)),
  });
}

function partRow({ name, value }: BalanceFact, currency: Currency | undefined, language: string): AccountRow {
  const isGift = name === 'giftBalance';
  return row({
    id: name,
    label: isGift ? l10n.t('Bonus credit') : l10n.t('Paid credit'),
    description: moneyText(value, currency, language),
    icon: isGift ? 'gift' : 'arrow-circle-down',
    tooltip: exactMoneyText(value, currency, language),
    role: 'value',
    value,
  });
}

function factRow({ name, value }: AccountFact): AccountRow {
  const [label, icon] = factWords(name);
  const shown = name === 'isAdmin' ? l10n.t('yes') : value;
  return row({
    id: name,
    label,
    description: shown,
    icon,
    tooltip: labelled(label, shown),
    role: 'value',
    value: shown,
  });
}

function factWords(name: AccountFact['name']): readonly [label: string, icon: string] {
  switch (name) {
    case 'status':
      return [l10n.t('Status'), 'pulse'];
    case 'role':
      return [l10n.t('Role'), 'organization'];
    case 'introduction':
      return [l10n.t('Introduction'), 'note'];
    case 'name':
      return [l10n.t('Name'), 'person'];
    case 'email':
      return [l10n.t('Email'), 'mail'];
    case 'isAdmin':
      return [l10n.t('Administrator'), 'shield'];
    case 'id':
      return [l10n.t('User ID'), 'tag'];
  }
}

function profileRow({ id, name, baseUrl }: Profile): AccountRow {
  return row({
    id: 'profile',
    label: name,
    description: new URL(baseUrl).host,
    icon: 'account',
    tooltip: baseUrl,
    role: 'profile',
    value: baseUrl,
    profileId: id,
  });
}

function notOfferedRow(): AccountRow {
  return row({
    id: 'notOffered',
    label: l10n.t('Balance'),
    description: l10n.t('not reported'),
    icon: 'info',
    tooltip: l10n.t("Balance unavailable. Check it in the service's console."),
    role: 'note',
  });
}

function row(parts: Omit<AccountRow, 'children' | 'isWarning'> & Partial<AccountRow>): AccountRow {
  return { children: [], isWarning: false, ...parts };
}

/** Warns of a balance that fell below the threshold. */
export async function tellLowBalance(
  { name, baseUrl }: Profile,
  balance: string,
  threshold: string,
  currency = currencyOf(baseUrl),
): Promise<void> {
  const money = (amount: string) => foreign(moneyText(amount, currency, env.language), 24);
  const show = l10n.t('Show Account');
  const change = l10n.t('Change Threshold');
  const [top] = pageStep('addCredit', knownServiceOf(baseUrl)?.id);
  const chosen = await showMessage(
    'warning',
    l10n.t('The balance of {0} is {1}, below {2}.', foreign(name), money(balance), money(threshold)),
    ...(top ? [top.label] : []),
    show,
    change,
  );
  if (top && chosen === top.label) await runAction(top.id);
  if (chosen === show) await commands.executeCommand('inferenceDesk.account.focus');
  if (chosen === change)
    await commands.executeCommand('workbench.action.openSettings', 'inferenceDesk.account.lowBalance');
}

/** Copies the value of a row, as its menu hands it over. */
export async function copyValue(row: unknown): Promise<void> {
  if (typeof row === 'object' && row !== null && 'value' in row && typeof row.value === 'string')
    await env.clipboard.writeText(row.value);
}
