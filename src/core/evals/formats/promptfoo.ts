import * as l10n from '@vscode/l10n';
import { mostRows, mostVariants } from '../evalConfig';
import type { EvalAssertion, EvalConfig, EvalFiles, EvalProblem, EvalPrompt, EvalProvider } from '../evalConfig';
import { fileReference, readType, scriptOf } from './assertions';
import { itemsOf, numberOf, readTree, textOf, valueOf } from './configTree';
import type { ConfigNode } from './configTree';
import { NamedFiles } from './namedFiles';
import type { Place } from './configTree';
import { parametersOf, readProvider } from './providers';
import { promptFile, promptNodes, shortLabel } from './promptFile';
import { goldOf, goldProblem, readRowFile } from './rowFiles';
import type { WrittenRow } from './rowFiles';
import { fillTemplate, unsupportedIn } from './template';
import { framing, readRepeats, TestRows } from './testRows';
import type { Defaults, Test } from './testRows';

/** Sections that change what promptfoo sends or grades, and that an eval here does not have. */
const unusedSections: ReadonlySet<string> = new Set(['redteam', 'derivedMetrics']);
const rowFile = /\.(?:csv|jsonl|parquet|json|ya?ml)$/i;

/**
 * Reads a promptfoo config. Whatever would run code is marked and never run. Files it names are read by `files`. The result has
 * everything that can be used, with a problem for each thing that cannot.
 */
export async function readPromptfoo(text: string, files: EvalFiles): Promise<EvalConfig> {
  const { root, problems } = readTree(text);
  const reader = new Reader(files, root);
  for (const { message, span, isError } of problems)
    reader.add(isError ? 'error' : 'warning', { path: '', span }, message);
  return reader.read();
}

class Reader {
  private readonly problems: EvalProblem[] = [];
  /** While a file of rows is read, its path. */
  private file: string | undefined;
  private readonly files: NamedFiles;
  /** A file of variables is often named by many tests. */
  private readonly variables = new Map<ConfigNode, ReadonlyMap<string, unknown>>();
  /** Where each prompt is written. */
  private readonly promptPlaces = new Map<EvalPrompt, Place>();
  private readonly rows = new TestRows((message, { at, file }) => this.add('error', at, message, file));

  constructor(
    files: EvalFiles,
    private readonly root: ConfigNode | undefined,
  ) {
    this.files = new NamedFiles(files, (kind, at, message) => this.add(kind, at, message));
  }

  add(kind: EvalProblem['kind'], { path, span }: Place, message: string, file = this.file): void {
    this.problems.push({ kind, path, span, message, ...(file !== undefined && { file }) });
  }

  private mark({ path, span }: Place, mark: string): void {
    const message = l10n.t('Inference Desk never runs code from an eval file.');
    this.problems.push({
      kind: 'code',
      path,
      span,
      mark,
      message,
      ...(this.file !== undefined && { file: this.file }),
    });
  }

  async read(): Promise<EvalConfig> {
    const { root } = this;
    const start: Place = { path: '', span: { start: 0, end: 1 } };
    const top = root?.entries;
    if (!top && this.problems.length === 0)
      this.add('error', root ?? start, l10n.t('Expected a mapping with prompts, providers, and tests.'));
    const get = (name: string) => top?.get(name);
    const description = textOf(get('description'));
    const prompts = await this.prompts(get('prompts'));
    const providers: EvalProvider[] = [];
    for (const node of itemsOf(get('providers') ?? get('targets'))) {
      if (providers.length > mostVariants) break;
      for (const one of await this.providerNodes(node))
        for (const provider of this.provider(one))
          providers.push({ ...provider, parameters: await this.parameters(provider.parameters, one) });
    }
    for (const node of itemsOf(get('extensions')).slice(0, 1)) this.mark({ ...node, path: 'extensions' }, 'extensions');
    if (get('nunjucksFilters')?.entries?.size) this.mark(get('nunjucksFilters')!, 'filter');
    for (const name of unusedSections)
      if (get(name)) this.add('information', get(name)!, l10n.t('Inference Desk ignores {0}.', name));
    if (prompts.length * providers.length > mostVariants)
      this.add(
        'error',
        get('providers') ?? get('targets') ?? start,
        l10n.t('The eval has more than {0} variants.', mostVariants),
      );
    const defaults = await this.defaults(await this.inFile(get('defaultTest')));
    this.rows.add(await this.tests(get('tests'), defaults.rubric), defaults);
    await this.scenarios(get('scenarios'), defaults);
    for (const [prompt, at] of this.promptPlaces) this.placeholders(prompt, at);
    const isMissing = (name: string) => itemsOf(get(name)).length === 0;
    const missing = [
      ...(isMissing('prompts') ? ['prompts'] : []),
      ...(isMissing('providers') && isMissing('targets') ? ['providers'] : []),
      ...(isMissing('tests') && isMissing('scenarios') ? ['tests'] : []),
    ];
    if (top && missing.length > 0)
      this.add('error', start, l10n.t("The eval can't run yet. Add entries to: {0}", missing.join(', ')));
    const repeats = readRepeats(top, (at, message) => this.add('error', at, message));
    const isTooLarge = prompts.length * providers.length > mostVariants;
    return {
      ...(description !== undefined && { description }),
      prompts,
      providers: isTooLarge ? [] : providers,
      rows: this.rows.rows,
      ...(repeats !== undefined && { repeats }),
      problems: this.problems,
    };
  }

  private async prompts(node: ConfigNode | undefined): Promise<readonly EvalPrompt[]> {
    const found: EvalPrompt[] = [];
    for (const item of promptNodes(node)) {
      if (found.length > mostVariants) break;
      const written = textOf(item) ?? textOf(item.entries?.get('raw')) ?? textOf(item.entries?.get('id'));
      if (written === undefined) {
        this.add('error', item, l10n.t('Expected a prompt or a prompt file.'));
        continue;
      }
      const label = textOf(item.entries?.get('label'));
      const config = item.entries?.get('config');
      const parameters = config?.entries ? { parameters: await this.parameters(parametersOf(config), item) } : {};
      const isPattern = /^[\w./-]*[*?][\w./*?-]*\.\w+$/.test(written.trim());
      const reference = fileReference(written) ?? (isPattern ? written.trim() : undefined);
      const names = reference === undefined ? [written] : await this.files.matching(reference, item);
      for (const name of names)
        for (const prompt of await this.promptTexts(
          name === reference || name === written ? written : `file://${name}`,
          item,
        ))
          found.push({ ...parameters, ...prompt, label: label ?? prompt.label });
      for (const prompt of found) if (!this.promptPlaces.has(prompt)) this.promptPlaces.set(prompt, item);
    }
    return found;
  }

  /** Reports what a prompt leaves empty in each row. */
  private placeholders({ text, defaults = new Map() }: EvalPrompt, at: Place): void {
    const { rows } = this.rows;
    const filled = fillTemplate(text, new Map([...defaults, ...(rows[0]?.vars ?? [])]));
    const isInARow = (name: string) => rows.some(({ vars }) => vars.has(name));
    for (const place of unsupportedIn(text).slice(0, 10))
      this.add('warning', at, l10n.t("Inference Desk doesn't support {0}, so it's left empty.", place));
    for (const { kind, text: place } of filled.gaps) {
      if (kind === 'environment')
        this.add('warning', at, l10n.t('{0} stays empty because environment variables are never read.', place));
      else if (kind === 'unknown' && rows.length > 0 && !isInARow(/^[^\s.[|]+/.exec(place)?.[0] ?? ''))
        this.add('warning', at, l10n.t('No row has a value for {0}, so it stays empty.', place));
    }
  }

  private async promptTexts(written: string, at: Place): Promise<readonly EvalPrompt[]> {
    const label = shortLabel(written);
    const isPath =
      fileReference(written) !== undefined ||
      /^[\w./\\-]+\.(?:txt|md|jsonl?|csv|ya?ml|j2|prompt|[cm]?[jt]s|py)(?::\w+)?$/i.test(written.trim());
    const script = isPath ? scriptOf(written) : undefined;
    if (script !== undefined || written.startsWith('exec:')) {
      this.mark(at, script === undefined ? 'prompt.exec' : `prompt.${script}`);
      return [{ label, text: '', canRun: false }];
    }
    if (!isPath) return [{ label, text: written, canRun: true }];
    const text = await this.files.text(fileReference(written) ?? written.trim(), at);
    if (text === undefined) return [{ label, text: '', canRun: false }];
    if (/\.desk\.md$/i.test(written.trim())) return [promptFile(text, label)];
    if (/\.csv$/i.test(written.trim())) return this.promptTable(text, written, at);
    if (/\.jsonl$/i.test(written.trim()))
      return text
        .split(/\r?\n/)
        .filter((line) => line.trim() !== '')
        .map((line, index) => ({ label: `${label} (${index + 1})`, text: line, canRun: true }));
    // Several prompts in one text file stand between lines of three dashes.
    const parts = /\.txt$/i.test(written.trim()) ? text.split(/^---[ \t]*\r?$/m) : [text];
    const texts = parts.map((part) => part.trim()).filter((part) => part !== '');
    return texts.map((part, index) => ({
      label: texts.length > 1 ? `${label} (${index + 1})` : label,
      text: part,
      canRun: true,
    }));
  }

  /** The prompts in the column `prompt` of a table, or in its only column. */
  private promptTable(text: string, written: string, at: Place): readonly EvalPrompt[] {
    const { rows, problem } = readRowFile(text, written.trim());
    if (problem !== undefined) this.add('error', at, `${written}: ${problem}`);
    return rows.flatMap(({ vars }, index) => {
      const prompt = vars.get('prompt') ?? [...vars.values()][0];
      const name = vars.get('label');
      const label = typeof name === 'string' && name !== '' ? name : `${shortLabel(written)} (${index + 1})`;
      return typeof prompt === 'string' && prompt !== '' ? [{ label, text: prompt, canRun: true }] : [];
    });
  }

  /** What a `file://` reference to YAML or JSON stands for; anything else as it is. Places are those of the first reference. */
  private async inFile(node: ConfigNode | undefined): Promise<ConfigNode | undefined> {
    const reference = typeof node?.scalar === 'string' ? fileReference(node.scalar) : undefined;
    if (!node || reference === undefined || !/\.(?:json|ya?ml)$/i.test(reference)) return node;
    return this.files.placed(reference, node);
  }

  /** Parameters with the values of those that name a file, such as tools or a schema. One that can't be read is left out. */
  private async parameters(
    written: Readonly<Record<string, unknown>>,
    at: Place,
  ): Promise<Readonly<Record<string, unknown>>> {
    const values: [string, unknown][] = [];
    for (const [name, value] of Object.entries(written)) {
      const reference = typeof value === 'string' ? fileReference(value) : undefined;
      if (reference !== undefined && scriptOf(reference) !== undefined) this.mark(at, `provider-${name}`);
      else values.push([name, reference === undefined ? value : await this.files.value(reference, at)]);
    }
    return Object.fromEntries(values.filter(([, value]) => value !== undefined));
  }

  /** A provider, or those in a file of providers. */
  private async providerNodes(node: ConfigNode): Promise<readonly ConfigNode[]> {
    const read = await this.inFile(node);
    return read === node ? [node] : itemsOf(read);
  }

  /** Each scenario has its tests once for each of its sets of variables. */
  private async scenarios(node: ConfigNode | undefined, defaults: Defaults): Promise<void> {
    for (const item of itemsOf(node)) {
      const scenario = await this.inFile(item);
      const sets = itemsOf(await this.inFile(scenario?.entries?.get('config')));
      const tests = sets.length === 0 ? [] : await this.tests(scenario?.entries?.get('tests'), defaults.rubric);
      for (const set of sets) {
        const { vars, assertions } = await this.defaults(set);
        this.rows.add(tests, {
          ...defaults,
          vars: new Map([...defaults.vars, ...vars]),
          assertions: [...defaults.assertions, ...assertions],
        });
        if (this.rows.isFull) return;
      }
    }
  }

  private provider(node: ConfigNode): readonly EvalProvider[] {
    const reading = readProvider(node);
    if (!reading) {
      this.add('error', node, l10n.t('Expected a provider ID.'));
      return [];
    }
    for (const { place, mark } of reading.marks) this.mark(place, mark);
    for (const { place, message } of reading.notes) this.add('information', place, message);
    return [reading.provider];
  }

  private async defaults(node: ConfigNode | undefined): Promise<Defaults> {
    if (node && !node.entries) {
      this.add('information', node, l10n.t('Inference Desk ignores {0}.', 'defaultTest'));
      return { vars: new Map(), assertions: [] };
    }
    const rubric = textOf(node?.entries?.get('options')?.entries?.get('rubricPrompt'));
    const threshold = numberOf(node?.entries?.get('threshold'));
    this.options(node);
    const assertions: EvalAssertion[] = [];
    for (const item of itemsOf(node?.entries?.get('assert'))) assertions.push(await this.assertion(item, rubric));
    return {
      vars: await this.vars(node?.entries?.get('vars')),
      assertions,
      ...(threshold !== undefined && { threshold }),
      ...(rubric !== undefined && { rubric }),
      ...framing(node),
    };
  }

  /** Marks what a test's options would run. */
  private options(test: ConfigNode | undefined): void {
    const options = test?.entries?.get('options')?.entries;
    for (const name of ['transform', 'postprocess', 'transformVars'])
      if (options?.get(name)) this.mark(options.get(name)!, name === 'transformVars' ? name : 'transform');
    const scoring = test?.entries?.get('assertScoringFunction');
    if (scoring) this.mark(scoring, 'assertScoringFunction');
  }

  private async tests(node: ConfigNode | undefined, rubric: string | undefined): Promise<readonly Test[]> {
    const tests: Test[] = [];
    for (const item of itemsOf(node)) {
      if (this.rows.isFull) break;
      const reference = textOf(item) ?? textOf(item.entries?.get('path'));
      const added =
        reference === undefined
          ? await this.test(item, rubric)
          : await this.testsIn(reference, node?.items ? item : node!, rubric);
      for (const test of added) tests.push(test);
      if (tests.length > mostRows) break;
    }
    return tests;
  }

  private async testsIn(reference: string, at: Place, rubric: string | undefined): Promise<readonly Test[]> {
    const named = fileReference(reference) ?? reference.trim();
    const script = scriptOf(reference);
    this.rows.countTest({ at, file: this.file });
    if (script !== undefined) {
      this.mark(at, `test-generator.${script}`);
      return [];
    }
    if (!rowFile.test(named) || /^\w{2,}:/.test(named)) {
      this.add(
        'warning',
        at,
        l10n.t("Couldn't read rows from {0}. Use a CSV, JSONL, Parquet, JSON, or YAML file.", reference),
      );
      return [];
    }
    const [found, known]: [(readonly Test[])[], number] = [[], this.problems.length];
    for (const path of await this.files.matching(named, at)) found.push(await this.testsOfFile(path, at, rubric));
    if (found.every(({ length }) => length === 0) && this.problems.length === known)
      this.add('warning', at, l10n.t('{0} has no rows.', named));
    return found.flat();
  }

  private async testsOfFile(path: string, at: Place, rubric: string | undefined): Promise<readonly Test[]> {
    const text = await this.files.text(path, at);
    if (text === undefined) return [];
    if (/\.(?:json|ya?ml)$/i.test(path)) return this.testsInTree(text, path, rubric);
    const { rows, problem } = readRowFile(text, path);
    if (problem !== undefined) this.add('error', at, `${path}: ${problem}`);
    return rows.map((row) => this.writtenTest(row, { path, span: at.span }));
  }

  private async testsInTree(text: string, path: string, rubric: string | undefined): Promise<readonly Test[]> {
    const { root, problems } = this.files.tree(path, text);
    this.file = path;
    for (const { message, span, isError } of problems) this.add(isError ? 'error' : 'warning', { path, span }, message);
    const tests: Test[] = [];
    for (const item of itemsOf(root?.entries?.get('tests') ?? root)) {
      if (this.rows.isFull) break;
      const isTest = ['vars', 'assert', 'options'].some((name) => item.entries?.has(name));
      if (isTest) for (const test of await this.test(item, rubric)) tests.push(test);
      else if (item.entries) tests.push(this.writtenTest({ vars: plainValues(item), expectations: [] }, item));
      if (tests.length > mostRows) break;
    }
    this.file = undefined;
    return tests;
  }

  /** A row of a file, whose lists are values as they are. */
  private writtenTest(
    { vars, expectations, threshold, description, metric, prefix, suffix, output, gold }: Omit<WrittenRow, 'metadata'>,
    at: Place,
  ): Test {
    const assertions = expectations.map(({ type, value, threshold: limit }) =>
      this.built(
        { type, value, ...(limit !== undefined && { threshold: limit }), ...(metric !== undefined && { metric }) },
        at,
      ),
    );
    const framed = {
      isExpanded: false,
      ...(prefix !== undefined && { prefix }),
      ...(suffix !== undefined && { suffix }),
    };
    return { at, file: this.file, vars, assertions, framing: framed, threshold, description, output, gold };
  }

  /** The test, or nothing but a problem. */
  private async test(node: ConfigNode, rubric: string | undefined): Promise<readonly Test[]> {
    this.rows.countTest({ at: node, file: this.file });
    if (!node.entries) {
      this.add('error', node, l10n.t('Expected a test with variables and assertions.'));
      return [];
    }
    this.options(node);
    const vars = await this.vars(node.entries.get('vars'));
    const assertions: EvalAssertion[] = [];
    for (const item of itemsOf(node.entries.get('assert'))) assertions.push(await this.assertion(item, rubric));
    const [threshold, get] = [
      numberOf(node.entries.get('threshold')),
      (name: string) => textOf(node.entries?.get(name)),
    ];
    const grade = node.entries.get('metadata')?.entries?.get('desk')?.entries?.get('gold');
    const [output, written] = [get('providerOutput'), textOf(grade)];
    const gold = goldOf(written, output);
    if (grade && !gold) this.add('error', grade, goldProblem());
    return [
      {
        at: node,
        file: this.file,
        vars,
        assertions,
        framing: framing(node),
        threshold,
        description: get('description'),
        output,
        gold,
      },
    ];
  }

  private async vars(node: ConfigNode | undefined): Promise<ReadonlyMap<string, unknown>> {
    const vars = new Map<string, unknown>();
    for (const item of node?.entries ? [node] : itemsOf(node)) {
      const content = await this.inFile(item);
      if (content?.entries) for (const [name, value] of await this.valuesOf(content)) vars.set(name, value);
    }
    return vars;
  }

  private async valuesOf(node: ConfigNode): Promise<ReadonlyMap<string, unknown>> {
    const known = this.variables.get(node);
    if (known) return known;
    const values = new Map<string, unknown>();
    for (const [name, child] of node.entries ?? []) values.set(name, await this.variable(child));
    this.variables.set(node, values);
    return values;
  }

  private async variable(node: ConfigNode): Promise<unknown> {
    const written = typeof node.scalar === 'string' ? node.scalar : undefined;
    const reference = written === undefined ? undefined : fileReference(written);
    if (written === undefined || reference === undefined) return valueOf(node);
    if (scriptOf(written) === undefined) return (await this.files.text(reference, node)) ?? '';
    this.mark(node, 'variable');
    return '';
  }

  private async assertion(node: ConfigNode, rubric: string | undefined, depth = 0): Promise<EvalAssertion> {
    const target = this.referenced(node);
    const get = (name: string) => target.entries?.get(name);
    const type = textOf(get('type'));
    if (type === undefined) {
      this.add('error', node, l10n.t('Expected an assertion with a type.'));
      return this.built({ type: '' }, node, true);
    }
    for (const name of ['transform', 'contextTransform'])
      if (get(name)) this.mark({ ...get(name)!, path: `${node.path}.${name}` }, 'assert-transform');
    const [threshold, weight, metric] = [numberOf(get('threshold')), numberOf(get('weight')), textOf(get('metric'))];
    const options = get('metadata')?.entries?.get('desk') ?? get('config');
    // METEOR has its weights next to its value.
    const weights = ['alpha', 'beta', 'gamma'].flatMap((name) => (get(name) ? [[name, valueOf(get(name)!)]] : []));
    const config = { ...(options?.entries && (valueOf(options) as object)), ...Object.fromEntries(weights) };
    const ownRubric = textOf(get('rubricPrompt')) ?? rubric;
    const members = type === 'assert-set' && depth < 5 ? itemsOf(get('assert')) : [];
    const inner: EvalAssertion[] = [];
    for (const item of members) inner.push(await this.assertion(item, rubric, depth + 1));
    const built = this.built({ type, ...(get('value') && { value: valueOf(get('value')!) }) }, node);
    return {
      ...(await this.withFile(built, node)),
      ...(threshold !== undefined && { threshold }),
      weight: weight ?? 1,
      ...(metric !== undefined && { metric }),
      ...(ownRubric !== undefined && { rubric: ownRubric }),
      ...(Object.keys(config).length > 0 && { config }),
      members: inner,
      ...((get('transform') ?? get('contextTransform')) && { isBlocked: true }),
    };
  }

  /** An assertion whose value is in a file. One that can't be read is not graded, instead of compared with the name of the file. */
  private async withFile(assertion: EvalAssertion, place: Place): Promise<EvalAssertion> {
    const reference = typeof assertion.value === 'string' ? fileReference(assertion.value) : undefined;
    if (reference === undefined || assertion.isBlocked) return assertion;
    const value = await this.files.value(reference, place);
    return value === undefined ? { ...assertion, isBlocked: true } : { ...assertion, value };
  }

  private built(
    {
      type: written,
      value,
      ...rest
    }: { readonly type: string; readonly value?: unknown; readonly threshold?: number; readonly metric?: string },
    at: Place,
    isReported = false,
  ): EvalAssertion {
    const reading = readType(written);
    const reference = typeof value === 'string' ? fileReference(value) : undefined;
    const runs = reading.class === 'code' || (reference !== undefined && scriptOf(reference) !== undefined);
    if (runs) this.mark(at, `assert-${reading.type}${reference === undefined ? '' : '(file)'}`);
    else if (reading.class === 'unknown' && !isReported)
      this.add('warning', at, l10n.t('"{0}" isn\'t a known assertion type, so it isn\'t graded.', written));
    else if (reading.class === 'other')
      this.add('information', at, l10n.t('Inference Desk doesn\'t support "{0}", so its scores are missing.', written));
    return { ...reading, value, weight: 1, members: [], isBlocked: runs, ...rest };
  }

  /** `$ref: '#/assertionTemplates/name'` stands for an assertion that is written once. */
  private referenced(node: ConfigNode): ConfigNode {
    const reference = textOf(node.entries?.get('$ref'));
    if (reference === undefined) return node;
    let found: ConfigNode | undefined = this.root;
    for (const part of reference.replace(/^#?\//, '').split('/')) found = found?.entries?.get(part);
    return found ?? node;
  }
}

/** The members of a mapping, as they are written. */
function plainValues({ entries }: ConfigNode): ReadonlyMap<string, unknown> {
  return new Map(Array.from(entries ?? [], ([name, value]) => [name, valueOf(value)]));
}
