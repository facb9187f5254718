import * as vscode from 'vscode';
import { l10n } from 'vscode';
import type { CostKind } from '../../core/account/costs';
import { exactMoneyText, moneyText } from '../../protocol/formats';
import { sentences } from '../../protocol/sentences';
import type { CostText, ModelCost } from '../../protocol/wire';
import type { AccountCost, Costs } from './costs';
import { absoluteTimeText, numberText } from '../../platform/displayText';

/** Returns the cost of something, e.g. "Cost $0.03". */
export function costText(cost: AccountCost | undefined): CostText | undefined {
  return cost && { text: l10n.t('Cost {0}', amountText(cost)), hint: hintOf(cost) };
}

/** Returns the cost as a named fact; empty if unknown. */
export function costFacts(cost: AccountCost | undefined) {
  return cost
    ? [{ name: l10n.t('Cost'), value: l10n.t('{0} (learned from your balance)', amountText(cost)), hint: hintOf(cost) }]
    : [];
}

/** Returns the cost of the last job of a kind with each model. */
export function lastCosts(costs: Costs, kind: CostKind): readonly ModelCost[] {
  return costs.last(kind).map((cost) => {
    const at = absoluteTimeText(cost.at, vscode.env.language);
    return { model: cost.model, text: lastText(cost), hint: `${at}\n${hintOf(cost)}` };
  });
}

function lastText(cost: AccountCost): string {
  const amount = roundedText(cost);
  switch (cost.kind) {
    case 'image':
      return l10n.t('Last image with this model: about {0}', amount);
    case 'video':
      return l10n.t('Last video with this model: about {0}', amount);
    case 'speech':
      return l10n.t('Last clip with this model: about {0}', amount);
    case 'batch':
      return cost.count === 1
        ? l10n.t('Last batch with this model: about {0} for 1 request', amount)
        : l10n.t('Last batch with this model: about {0} for {1} requests', amount, countText(cost));
  }
}

function amountText(cost: AccountCost): string {
  return isShared(cost) ? l10n.t('about {0}', roundedText(cost)) : roundedText(cost);
}

function hintOf(cost: AccountCost): string {
  const fell = exactMoneyText(cost.fell, cost.currency, vscode.env.language);
  return sentences(
    isShared(cost)
      ? l10n.t('Balance fell by {0} for {1} together (learned from your balance).', fell, countText(cost))
      : l10n.t('Balance fell by {0} (learned from your balance).', fell),
    l10n.t('Anything that other windows or devices used meanwhile is included.'),
  );
}

/** Whether the cost covers several results. A batch is paid for as a whole. */
const isShared = ({ kind, count }: AccountCost): boolean => kind !== 'batch' && count > 1;

const countText = ({ count }: AccountCost): string => numberText(count, vscode.env.language);

/** Formats the cost of one image or clip, or of a whole batch. */
function roundedText(cost: AccountCost): string {
  const amount = isShared(cost) ? Number(cost.fell) / cost.count : cost.fell;
  return moneyText(amount, cost.currency, vscode.env.language);
}
