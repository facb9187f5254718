import { createModelRule } from '../fileRules';
import type { ListedModels, RequestFinding } from '../fileRules';

export interface ModelUse {
  readonly name: string;
  /** How many requests use the model. */
  count: number;
  readonly findings: readonly RequestFinding[];
}

/** Which models a file uses, with the problems of each. */
export class ModelUses {
  readonly all = new Map<string, ModelUse>();
  private readonly rule;
  /** The model of the previous line, as written in the file: most lines use the same one. */
  private last: { readonly bytes: Uint8Array; readonly use: ModelUse } | undefined;

  constructor(listed: ListedModels | undefined) {
    this.rule = createModelRule(listed);
  }

  add(model: string): ModelUse {
    let use = this.all.get(model);
    if (!use) this.all.set(model, (use = { name: model, count: 0, findings: this.rule(model) }));
    use.count++;
    return use;
  }

  /** Adds a model whose name is written without escapes in the buffer. */
  addWritten(buffer: Buffer, start: number, end: number): ModelUse {
    const { last } = this;
    if (last && isAt(buffer, start, end, last.bytes)) {
      last.use.count++;
      return last.use;
    }
    const name = buffer.toString('utf8', start, end);
    const use = this.add(name);
    this.last = { bytes: Buffer.from(name), use };
    return use;
  }
}

function isAt(buffer: Uint8Array, start: number, end: number, bytes: Uint8Array): boolean {
  if (end - start !== bytes.length) return false;
  for (let index = 0; index < bytes.length; index++) if (buffer[start + index] !== bytes[index]) return false;
  return true;
}
