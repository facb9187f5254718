import type { PlannedRow } from '../../../core/evals/evalPlan';
import { fillTemplate } from '../../../core/evals/formats/template';

/** What a row asks, on one line: its variables without ID and expected value. */
export function inputOf({ vars }: PlannedRow): string {
  const shown = Array.from(vars).filter(([name]) => !/^(?:id|item|expected)$|^__/i.test(name));
  const texts = shown.map(([name, value]) => {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
    return shown.length === 1 ? text : `${name}: ${text}`;
  });
  return oneLine(texts.join(' · '));
}

/** A text as one line that is not too long for a table. */
export function oneLine(text: string): string {
  return text.slice(0, 1000).replaceAll(/\s+/g, ' ').trim().slice(0, 200);
}

/** What a row expects: its own variable, or else the value of its first assertion that has one. */
export function expectedOf(row: PlannedRow): string {
  const own = row.vars.get('expected') ?? row.vars.get('__expected');
  if (own !== undefined) return typeof own === 'string' ? own : (JSON.stringify(own) ?? '');
  const { value } = row.assertions.find((one) => one.class === 'local' && typeof one.value === 'string') ?? {};
  if (typeof value !== 'string') return '';
  return value.includes('{{') ? fillTemplate(value, row.vars).text : value;
}
