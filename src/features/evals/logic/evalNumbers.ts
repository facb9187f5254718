import * as l10n from '@vscode/l10n';
import type { Comparison, VariantResult } from '../../../core/evals/run/compare';
import { percentText, pointsText, pText } from '../../../core/evals/run/report';
import { listText, moneyText, numberFormat } from '../../../protocol/formats';
import type { Currency } from '../../../protocol/formats';
import type { EvalRate } from '../../../protocol/evalResults';

/** Formats numbers of an eval. */
export class EvalNumbers {
  constructor(
    readonly language: string,
    private readonly currency: Currency | undefined,
  ) {}

  count(value: number): string {
    return numberFormat(this.language).format(value);
  }

  percent(share: number): string {
    return percentText(share, this.language);
  }

  points(share: number): string {
    return pointsText(share, this.language);
  }

  money(amount: number): string {
    return moneyText(amount, this.currency, this.language);
  }

  p(value: number): string {
    return `p ${pText(value, this.language)}`;
  }

  /** A rate with its interval and counts. */
  rate({ rate, passed, failed, missing }: VariantResult): EvalRate {
    const absent = Object.values(missing).reduce((sum, count) => sum + count, 0);
    const counts = [
      l10n.t('Passed: {0}', this.count(passed)),
      l10n.t('Failed: {0}', this.count(failed)),
      absent > 0 && l10n.t('Missing: {0}', this.count(absent)),
    ];
    const hint = listText(counts, this.language);
    if (!rate) return { rate: '', interval: '', hint };
    return {
      rate: this.percent(rate.estimate),
      interval: `${this.points100(rate.low)}–${this.points100(rate.high)}`,
      hint,
    };
  }

  private points100(share: number): string {
    return numberFormat(this.language, { maximumFractionDigits: 1 }).format(share * 100);
  }

  /** A difference with its interval. */
  difference({ difference, low, high, p, gained, lost }: Comparison): EvalRate {
    return {
      rate: this.points(difference),
      interval: l10n.t('{0} to {1}', this.points(low), this.points(high)),
      hint: listText(
        [this.p(p), l10n.t('Improved: {0}', this.count(gained)), l10n.t('Got worse: {0}', this.count(lost))],
        this.language,
      ),
    };
  }
}
