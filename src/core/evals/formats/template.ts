import { isObject } from '../../api/isObject';
import { ExpressionReader, isTrue, listOf, toText, Unsupported } from './templateExpression';
import type { Filling, Value } from './templateExpression';

/** A gap in a filled template: the name of a variable, or the expression as written. */
export interface TemplateGap {
  readonly kind: 'unknown' | 'environment' | 'unsupported';
  readonly text: string;
}

interface FilledTemplate {
  readonly text: string;
  readonly gaps: readonly TemplateGap[];
}

/** Filled texts are not filled again, and no text grows beyond this. */
const mostFilled = 10_000_000;
const mostGaps = 20;
/** Maximum number of filled parts, counted for each iteration of a loop. */
const mostSteps = 200_000;
const deepest = 50;
/** Templates whose form is remembered: each prompt is filled for each row. */
const mostRemembered = 100;

/** Between the marks, neither brace occurs, so an unclosed mark costs no backtracking. */
const place = /\{\{([^{}]*)\}\}|\{%([^%{}]*)%\}|\{#[^#{}]*#\}/g;
const endOfRaw = /\{%-?\s*endraw\s*-?%\}/g;
type Filled = (filling: Filling) => string;

/** A tag that has parts until its end. */
interface Block {
  readonly kind: 'if' | 'for';
  /** As written. */
  readonly tag: string;
  readonly branches: { readonly test: Value | undefined; readonly body: Filled[] }[];
  readonly each?: { readonly names: readonly string[]; readonly list: Value };
}

/** The form of a template. */
interface Form {
  readonly fill: Filled;
  readonly names: readonly string[];
  /** Placeholders and tags that are always left empty, as written. */
  readonly unsupported: readonly string[];
}

class TemplateReader {
  private readonly faults = new Set<string>();
  private readonly names = new Set<string>();
  private readonly top: Filled[] = [];
  private readonly open: Block[] = [];
  /** Names that a loop or `set` gives a value. */
  private readonly own = new Set<string>(['loop']);
  private trimsNext = false;

  constructor(private readonly template: string) {}

  read(): Form {
    let from = 0;
    place.lastIndex = 0;
    for (let found = place.exec(this.template); found; found = place.exec(this.template)) {
      const [whole, expression, tag] = found;
      let end = found.index + whole.length;
      const inner = expression ?? tag;
      this.text(this.template.slice(from, found.index), inner?.startsWith('-') ?? false);
      this.trimsNext = inner?.endsWith('-') ?? false;
      const written = inner?.replace(/^-/, '').replace(/-$/, '').trim() ?? '';
      if (expression !== undefined) this.add(this.output(written, whole));
      else if (written === 'raw') {
        endOfRaw.lastIndex = end;
        const closed = endOfRaw.exec(this.template);
        this.text(this.template.slice(end, closed?.index), false);
        end = closed ? endOfRaw.lastIndex : this.template.length;
      } else if (tag !== undefined) this.tag(written, whole);
      place.lastIndex = end;
      from = end;
    }
    this.text(this.template.slice(from), false);
    for (let block = this.open.pop(); block; block = this.open.pop()) this.flatten(block);
    const parts = this.top;
    return {
      fill: (filling) => joined(parts, filling),
      names: [...this.names].filter((name) => !this.own.has(name)),
      unsupported: [...this.faults],
    };
  }

  private get parts(): Filled[] {
    return this.open.at(-1)?.branches.at(-1)?.body ?? this.top;
  }

  private add(filled: Filled): void {
    this.parts.push(filled);
  }

  private text(written: string, isTrimmed: boolean): void {
    const start = this.trimsNext ? written.trimStart() : written;
    this.trimsNext = false;
    const text = isTrimmed ? start.trimEnd() : start;
    if (text === '') return;
    this.add((filling) => {
      filling.left -= text.length;
      return filling.left >= 0 ? text : '';
    });
  }

  private output(written: string, whole: string): Filled {
    const names = new Set<string>();
    try {
      const reader = new ExpressionReader(written, names);
      const value = reader.value();
      reader.end();
      for (const name of names) this.names.add(name);
      return (filling) => {
        const found = value(filling);
        if (found === undefined)
          for (const name of names)
            if (!filling.vars.has(name))
              filling.gap(name === 'env' || name === 'process' ? 'environment' : 'unknown', written);
        const text = toText(found);
        filling.left -= text.length;
        if (filling.left >= 0) return text;
        filling.gap('unsupported', whole);
        return '';
      };
    } catch (error) {
      return this.unsupported(error, whole);
    }
  }

  private unsupported(error: unknown, whole: string): Filled {
    if (!(error instanceof Unsupported)) throw error;
    this.faults.add(whole);
    return ({ gap }) => {
      gap('unsupported', whole);
      return '';
    };
  }

  private tag(written: string, whole: string): void {
    const [, word = '', rest = ''] = /^(\w+)\s*([\s\S]*)$/.exec(written) ?? [];
    const block = this.open.at(-1);
    try {
      if (word === 'if') this.open.push({ kind: 'if', tag: whole, branches: [{ test: this.valueOf(rest), body: [] }] });
      else if (word === 'for') this.open.push(this.loop(rest, whole));
      else if ((word === 'elif' || word === 'elseif') && block?.kind === 'if')
        block.branches.push({ test: this.valueOf(rest), body: [] });
      else if (word === 'else' && block) block.branches.push({ test: undefined, body: [] });
      else if (block && word === `end${block.kind}`) {
        this.open.pop();
        this.add(block.kind === 'if' ? chosen(block) : repeated(block));
      } else if (word === 'set') this.set(rest);
      else throw new Unsupported();
      if (this.open.length > deepest) throw new Unsupported();
    } catch (error) {
      this.add(this.unsupported(error, whole));
    }
  }

  private valueOf(written: string): Value {
    const reader = new ExpressionReader(written, this.names);
    const value = reader.value();
    reader.end();
    return value;
  }

  private loop(written: string, tag: string): Block {
    const reader = new ExpressionReader(written, this.names);
    const names = [reader.name()];
    if (reader.takes(',') !== undefined) names.push(reader.name());
    reader.expects('in');
    const list = reader.value();
    reader.end();
    for (const name of names) this.own.add(name);
    return { kind: 'for', tag, branches: [{ test: undefined, body: [] }], each: { names, list } };
  }

  private set(written: string): void {
    const [, name = '', expression = ''] = /^([\p{L}_$][\p{L}\p{N}_$]*)\s*=\s*([\s\S]+)$/u.exec(written) ?? [];
    if (name === '') throw new Unsupported();
    const value = this.valueOf(expression);
    this.own.add(name);
    this.add((filling) => {
      (filling.vars as Map<string, unknown>).set(name, value(filling));
      return '';
    });
  }

  /** A tag without an end is ignored, and its content is filled. */
  private flatten({ tag, branches }: Block): void {
    this.add(this.unsupported(new Unsupported(), tag));
    for (const { body } of branches) for (const filled of body) this.add(filled);
  }
}

function joined(parts: readonly Filled[], filling: Filling): string {
  let text = '';
  for (const filled of parts) if (filling.steps-- > 0) text += filled(filling);
  return text;
}

function chosen({ branches }: Block): Filled {
  return (filling) => {
    const branch = branches.find(({ test }) => !test || isTrue(test(filling)));
    return branch ? joined(branch.body, filling) : '';
  };
}

function repeated({ each, branches: [body, otherwise] }: Block): Filled {
  const { names, list } = each!;
  return (filling) => {
    const value = list(filling);
    const items: readonly (readonly unknown[])[] = isObject(value)
      ? Object.entries(value)
      : listOf(value).map((item) => (names.length > 1 && Array.isArray(item) ? item : [item]));
    if (items.length === 0) return otherwise ? joined(otherwise.body, filling) : '';
    const { vars } = filling;
    let text = '';
    for (const [index, item] of items.entries()) {
      if (filling.steps <= 0 || filling.left < 0) break;
      const loop = {
        index: index + 1,
        index0: index,
        revindex: items.length - index,
        first: index === 0,
        last: index === items.length - 1,
        length: items.length,
      };
      const own = new Map([...vars, ...names.map((name, at) => [name, item[at]] as const), ['loop', loop]]);
      const inner = { ...filling, vars: own };
      const filled = joined(body!.body, inner);
      [filling.left, filling.steps] = [inner.left, inner.steps];
      text += filled;
    }
    return text;
  };
}

const forms = new Map<string, Form>();

/** Returns the placeholders and tags of a template that are left empty whatever the variables are, as written. */
export function unsupportedIn(template: string): readonly string[] {
  return formOf(template).unsupported;
}

function formOf(template: string): Form {
  const known = forms.get(template);
  if (known) return known;
  const form = new TemplateReader(template).read();
  if (template.length < 100_000) {
    if (forms.size >= mostRemembered) forms.delete(forms.keys().next().value!);
    forms.set(template, form);
  }
  return form;
}

/**
 * Fills a Nunjucks template: variables, their members, comparisons, `if`, `for`, and filters that need no code. Everything else, such as
 * calls, macros, and `env`, is reported and left empty. Never evaluates anything.
 */
export function fillTemplate(template: string, vars: ReadonlyMap<string, unknown>): FilledTemplate {
  if (!template.includes('{')) return { text: template, gaps: [] };
  const gaps: TemplateGap[] = [];
  const gap = (kind: TemplateGap['kind'], text: string) => {
    if (gaps.length < mostGaps && !gaps.some((one) => one.text === text)) gaps.push({ kind, text });
  };
  const filling = { vars: new Map(vars), gap, left: mostFilled, steps: mostSteps };
  return { text: formOf(template).fill(filling), gaps };
}

/** Names in the placeholders and tags of a template, in order of occurrence. */
export function namesIn(template: string): readonly string[] {
  return formOf(template).names;
}
