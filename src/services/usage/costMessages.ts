import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { UnmeasuredCost } from '../../core/account/costs';
import { exactMoneyText, moneyText } from '../../protocol/formats';
import { sentences } from '../../protocol/sentences';
import type { CostText, ModelCost } from '../../protocol/wire';
import type { AccountCost, Costs } from './costs';
import { absoluteTimeText, numberText } from '../../platform/displayText';

/** Returns the cost of something, e.g. "Cost $0.03", or why it wasn't measured. */
export function costText(cost: AccountCost | UnmeasuredCost | undefined): CostText | undefined {
  if (cost === undefined) return undefined;
  if ('unmeasured' in cost) return { text: unmeasuredText(cost), hint: '' };
  return { text: l10n.t('Cost {0}', amountText(cost)), hint: hintOf(cost) };
}

/** Returns the cost as a named fact, or why it wasn't measured; empty if unknown. */
export function costFacts(cost: AccountCost | UnmeasuredCost | undefined) {
  if (cost === undefined) return [];
  const name = l10n.t('Cost');
  if ('unmeasured' in cost) return [{ name, value: unmeasuredText(cost), hint: '' }];
  return [
    { name, value: l10n.t('{0} (measured by the decrease in your balance)', amountText(cost)), hint: hintOf(cost) },
  ];
}

/** Returns the amount alone, with what is known of it; `undefined` if it wasn't measured. */
export function costAmount(cost: AccountCost | UnmeasuredCost | undefined): CostText | undefined {
  return cost === undefined || 'unmeasured' in cost ? undefined : { text: amountText(cost), hint: hintOf(cost) };
}

function unmeasuredText({ unmeasured }: UnmeasuredCost): string {
  if (unmeasured === 'pending') return l10n.t('Cost not measured yet');
  return unmeasured === 'unsettled'
    ? l10n.t('Cost unknown until earlier requests have been charged')
    : l10n.t('Cost unknown because of simultaneous requests');
}

/** Returns a price as a separate line, e.g. "Price: about $0.10 to $0.48". */
export function priceLine({ text, hint }: CostText): CostText {
  return { text: l10n.t('Price: {0}', text), hint };
}

/** Returns what the results of one run cost together, as far as that was measured; `undefined` if it wasn't, or there is one result. */
export function totalCost(
  results: readonly { readonly cost: AccountCost | UnmeasuredCost | undefined; readonly count: number }[],
): CostText | undefined {
  const number = (value: number) => numberText(value, vscode.env.language);
  const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);
  const known = results.flatMap(({ cost, count }) => (cost && 'fell' in cost ? [{ cost, count }] : []));
  const [count, measured] = [sum(results.map((one) => one.count)), sum(known.map((one) => one.count))];
  if (count < 2 || measured === 0) return undefined;
  const amount = moneyText(
    sum(known.map((one) => eachOf(one.cost) * one.count)),
    known[0]?.cost.currency,
    vscode.env.language,
  );
  const text =
    measured === count
      ? l10n.t('Cost {0} for {1} images', amount, number(count))
      : l10n.t('Cost {0} for {1} of {2} images', amount, number(measured), number(count));
  const hint = sentences(
    l10n.t('Calculated from the decrease in your balance.'),
    l10n.t('Might include charges from other windows and devices.'),
  );
  return { text, hint };
}

/** Returns the cost of the last clip or batch with each model. The length of the next one may differ. */
export function lastCosts(costs: Costs, kind: 'speech' | 'batch'): readonly ModelCost[] {
  return costs.last(kind).map(modelCost);
}

function modelCost(cost: AccountCost): ModelCost {
  const at = absoluteTimeText(cost.at, vscode.env.language);
  return { model: cost.model, text: lastText(cost), hint: `${at}\n${hintOf(cost)}` };
}

function lastText(cost: AccountCost): string {
  const amount = roundedText(cost);
  if (cost.kind !== 'batch') return l10n.t('Cost of the last clip with this model: about {0}', amount);
  return cost.count === 1
    ? l10n.t('Last batch with this model: about {0} for 1 request', amount)
    : l10n.t('Last batch with this model: about {0} for {1} requests', amount, countText(cost));
}

function amountText(cost: AccountCost): string {
  return isShared(cost) ? l10n.t('about {0}', roundedText(cost)) : roundedText(cost);
}

function hintOf(cost: AccountCost): string {
  const fell = exactMoneyText(cost.fell, cost.currency, vscode.env.language);
  return sentences(
    isShared(cost)
      ? l10n.t('Your balance decreased by {0}. Results: {1}.', fell, countText(cost))
      : l10n.t('Your balance decreased by {0}.', fell),
    l10n.t('Might include charges from other windows and devices.'),
  );
}

/** Whether the cost covers several results. A batch is paid for as a whole. */
const isShared = ({ kind, count }: AccountCost): boolean => kind !== 'batch' && count > 1;

const countText = ({ count }: AccountCost): string => numberText(count, vscode.env.language);

/** The cost of one image or clip, or of a whole batch. */
export const eachOf = (cost: AccountCost): number => Number(cost.fell) / (isShared(cost) ? cost.count : 1);

/** Formats the cost of one image or clip, or of a whole batch. */
function roundedText(cost: AccountCost): string {
  return moneyText(isShared(cost) ? eachOf(cost) : cost.fell, cost.currency, vscode.env.language);
}
