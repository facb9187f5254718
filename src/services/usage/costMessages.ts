import * as vscode from 'vscode';
import { l10n } from 'vscode';
import type { CostKind, LearnedCost } from '../../core/account/costs';
import { numberFormat } from '../../protocol/formats';
import { sentences } from '../../protocol/sentences';
import type { CostText, ModelCost } from '../../protocol/wire';
import type { Costs } from './costs';
import { absoluteTimeText, numberText } from '../../platform/displayText';

/** Returns the cost of something, e.g. "Cost 0.03". */
export function costText(cost: LearnedCost | undefined): CostText | undefined {
  return cost && { text: l10n.t('Cost {0}', amountText(cost)), hint: hintOf(cost) };
}

/** Returns the cost as a named fact; empty if unknown. */
export function costFacts(cost: LearnedCost | undefined) {
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

function lastText(cost: LearnedCost): string {
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

function amountText(cost: LearnedCost): string {
  return isShared(cost) ? l10n.t('about {0}', roundedText(cost)) : roundedText(cost);
}

function hintOf(cost: LearnedCost): string {
  const { fell } = cost;
  return sentences(
    isShared(cost)
      ? l10n.t('Balance fell by {0} for {1} together (learned from your balance).', fell, countText(cost))
      : l10n.t('Balance fell by {0} (learned from your balance).', fell),
    l10n.t('Anything that other windows or devices used meanwhile is included.'),
  );
}

/** Whether the cost covers several results. A batch is paid for as a whole. */
const isShared = ({ kind, count }: LearnedCost): boolean => kind !== 'batch' && count > 1;

const countText = ({ count }: LearnedCost): string => numberText(count, vscode.env.language);

/** Formats the cost of one image or clip, or of a whole batch: two decimals, or two significant digits for less than 0.01. */
function roundedText(cost: LearnedCost): string {
  const amount = Number(cost.fell) / (isShared(cost) ? cost.count : 1);
  const digits =
    amount < 0.01 ? { maximumSignificantDigits: 2 } : { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return numberFormat(vscode.env.language, digits).format(amount);
}
