/** Returns where the object or list that begins at `start` ends; `undefined` if it does not. */
export function jsonEnd(text: string, start: number): number | undefined {
  let depth = 0;
  let isText = false;
  for (let at = start; at < text.length; at += 1) {
    const one = text[at];
    if (isText) {
      if (one === '\\') at += 1;
      else if (one === '"') isText = false;
    } else if (one === '"') isText = true;
    else if (one === '{' || one === '[') depth += 1;
    else if (one === '}' || one === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

/** Follows whether an object or list that comes in pieces has ended. */
export class OpenJson {
  /** Whether a text in it is open. */
  isText = false;
  private depth = 0;
  private isEscaped = false;

  get isOpen(): boolean {
    return this.depth > 0;
  }

  push(text: string): void {
    for (const one of text) {
      if (this.isEscaped) this.isEscaped = false;
      else if (one === '"') this.isText = !this.isText;
      else if (this.isText) this.isEscaped = one === '\\';
      else if (one === '{' || one === '[') this.depth += 1;
      else if (one === '}' || one === ']') this.depth -= 1;
    }
  }
}

/**
 * Returns the objects that a text begins with, because some servers send several calls one after another, or one of them twice. Duplicates
 * are removed, and an empty object unless it is alone. The rest of the text is ignored. Empty if the first object is not complete.
 */
export function leadingObjects(text: string): readonly Readonly<Record<string, unknown>>[] {
  const found = new Map<string, Readonly<Record<string, unknown>>>();
  let at = 0;
  for (;;) {
    const start = at + (/^[\s,;]*/.exec(text.slice(at))?.[0].length ?? 0);
    const end = text[start] === '{' ? jsonEnd(text, start) : undefined;
    if (end === undefined) break;
    try {
      const value = JSON.parse(text.slice(start, end)) as Readonly<Record<string, unknown>>;
      found.set(JSON.stringify(value), value);
    } catch {
      break;
    }
    at = end;
  }
  if (found.size > 1) found.delete('{}');
  return [...found.values()];
}
