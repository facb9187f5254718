import { wordDiff } from '../../../core/batch/results/compare/answerForms';
import type { PlannedRow } from '../../../core/evals/evalPlan';
import { fillTemplate } from '../../../core/evals/formats/template';
import { valueText } from '../../../core/evals/run/report';
import type { EvalSide } from '../../../protocol/evalResults';

/** Characters of a response that is shown next to another, and of those whose words are compared. */
const mostShown = 100_000;
const mostCompared = 10_000;

/** Returns the expected value of a row: its own variable, or else the value of its first assertion that has one. */
export function expectedOf(row: PlannedRow): string {
  const own = row.vars.get('expected') ?? row.vars.get('__expected');
  if (own !== undefined) return valueText(own);
  const { value } = row.assertions.find((one) => one.class === 'local' && typeof one.value === 'string') ?? {};
  if (typeof value !== 'string') return '';
  return value.includes('{{') ? fillTemplate(value, row.vars).text : value;
}

/** Returns two responses to a row in pieces, marked where their words differ. One without the other, or a long one, is one piece. */
export function answerPieces(
  a: string | undefined,
  b: string | undefined,
): readonly [EvalSide['pieces'], EvalSide['pieces']] {
  const isCompared = a !== undefined && b !== undefined && Math.max(a.length, b.length) <= mostCompared;
  if (!isCompared) return [wholePiece(a), wholePiece(b)];
  const { pieces } = wordDiff(a, b, false);
  const of = (side: 'a' | 'b') =>
    pieces
      .filter(({ kind }) => kind === 'same' || kind === side)
      .map(({ text, kind }) => ({ text, differs: kind !== 'same' }));
  return [of('a'), of('b')];
}

function wholePiece(text: string | undefined): EvalSide['pieces'] {
  return text === undefined ? [] : [{ text: text.slice(0, mostShown), differs: false }];
}
