import { parseSync } from 'oxc-parser';

/** Calls whose arguments can be a long list. Each element takes stack space, so a list from a file or a service throws. */
const spreading: ReadonlySet<string> = new Set(['push', 'unshift', 'splice', 'max', 'min', 'concat']);

interface Node {
  readonly type: string;
  readonly start: number;
}

/** Returns each call in a source that spreads a list into `push`, `Math.max`, or similar, as `file:line`. */
export function spreadCallsIn(file: string, source: string): readonly string[] {
  const found: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if (isSpreadCall(value)) found.push(`${file}:${source.slice(0, value.start).split('\n').length}`);
    for (const child of Object.values(value)) walk(child);
  };
  walk(parseSync(file, source).program);
  return found;
}

function isSpreadCall(value: object): value is Node {
  const { type, callee, arguments: provided } = value as Readonly<Record<string, unknown>>;
  if (type !== 'CallExpression' || typeof callee !== 'object' || callee === null || !Array.isArray(provided))
    return false;
  const { property } = callee as { readonly property?: { readonly name?: unknown } };
  const isSpreading = typeof property?.name === 'string' && spreading.has(property.name);
  return isSpreading && provided.some((one: Node) => one.type === 'SpreadElement');
}
