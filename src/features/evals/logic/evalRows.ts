import type { PlannedRow } from '../../../core/evals/evalPlan';

/** What a row asks, on one line: its variables without ID and expected value. */
export function inputOf({ vars }: PlannedRow): string {
  const shown = Array.from(vars).filter(([name]) => !/^(?:id|item|expected)$|^__/i.test(name));
  const texts = shown.map(([name, value]) => {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
    return shown.length === 1 ? text : `${name}: ${text}`;
  });
  return oneLine(texts.join(', '));
}

/** A text as one line that is not too long for a table. */
export function oneLine(text: string): string {
  return text.slice(0, 1000).replaceAll(/\s+/g, ' ').trim().slice(0, 200);
}
