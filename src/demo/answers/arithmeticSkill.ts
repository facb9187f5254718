import type { Skill } from './skill';

/** Matches digits, the four operations, powers and brackets, with at least one operation. */
const expressionPattern = /(?:\d|\()[\d\s.,+\-*/×÷^%()]*[+\-*/×÷^%][\d\s.,+\-*/×÷^%()]*[\d)]/;

const precedence: Readonly<Record<string, number>> = { '+': 1, '-': 1, '*': 2, '/': 2, '%': 2, '^': 3 };

function apply(operator: string, a: number, b: number): number {
  if (operator === '+') return a + b;
  if (operator === '-') return a - b;
  if (operator === '*') return a * b;
  if (operator === '/') return a / b;
  return operator === '%' ? a % b : a ** b;
}

/** Returns the value of an expression by the usual precedence; `undefined` if it is not an expression. */
export function evaluate(source: string): number | undefined {
  const tokens =
    source
      .replaceAll('×', '*')
      .replaceAll('÷', '/')
      .replace(/(?<=\d),(?=\d{3})/g, '')
      .match(/\d+(?:\.\d+)?|[-+*/%^()]/g) ?? [];
  let at = 0;
  const primary = (): number => {
    const token = tokens[at];
    at += 1;
    if (token === '-') return -primary();
    if (token !== '(') return Number(token);
    const inner = climb(1);
    at += 1;
    return inner;
  };
  const climb = (least: number): number => {
    let left = primary();
    for (;;) {
      const operator = tokens[at] ?? '';
      const rank = precedence[operator] ?? 0;
      if (rank < least) return left;
      at += 1;
      left = apply(operator, left, climb(operator === '^' ? rank : rank + 1));
    }
  };
  const value = climb(1);
  return Number.isFinite(value) && at === tokens.length ? value : undefined;
}

const found = (ask: string): { expression: string; value: number } | undefined => {
  const expression = expressionPattern.exec(ask)?.[0].trim();
  if (expression === undefined || /^\d{4}-\d{2}(-\d{2})?$/.test(expression)) return undefined;
  const value = evaluate(expression);
  return value === undefined ? undefined : { expression, value };
};

export const arithmeticSkill: Skill = {
  name: 'arithmetic',
  fits: ({ ask }) => ask.length < 200 && found(ask) !== undefined,
  write: ({ ask, say }) => {
    const { expression, value } = found(ask) ?? { expression: '', value: 0 };
    const shown = Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(12)));
    return say(`\`${expression}\` is **${shown}**.`, `\`${expression}\` 等于 **${shown}**。`);
  },
};
