import { inflateRawSync } from 'node:zlib';
import * as l10n from '@vscode/l10n';
import { isObject } from '../../api/isObject';
import { parseJson } from '../../api/parseJson';
import { mostRowBytes, mostRows } from '../evalConfig';
import type { EvalAssertion, EvalConfig, EvalProblem, EvalRow } from '../evalConfig';
import { readType } from './assertions';

/** Whether a text is a log of Inspect. */
export function isInspectLog(text: string): boolean {
  return /^\s*\{/.test(text) && /"task_id"\s*:/.test(text.slice(0, 20_000)) && /"plan"\s*:/.test(text);
}

/**
 * Reads the samples of an Inspect log as rows, once for all epochs, with their targets as expectations. Solvers and scorers are code, so they
 * never run.
 */
export function readInspectLog(text: string): EvalConfig {
  const log = parseJson(text);
  const { eval: about, samples } = isObject(log) ? log : {};
  const { task, model: written } = isObject(about) ? about : {};
  const scorers = JSON.stringify(isObject(log) ? (log['results'] ?? null) : null);
  const prompt = promptText(isObject(log) ? log['plan'] : undefined);
  const found = (Array.isArray(samples) ? (samples as readonly unknown[]) : []).filter(isObject);
  const isSeveral = found.some((sample) => (answerOf(targetsOf(sample), choicesOf(sample)) ?? []).length > 1);
  const rows = new Map<string, EvalRow>();
  const ungraded: string[] = [];
  for (const sample of found) {
    if (rows.size >= mostRows) break;
    const row = rowOf(sample, scorers, { isSeveral, hasRoles: prompt === inputPrompt });
    const name = row.id ?? `#${rows.size}`;
    if (rows.has(name)) continue;
    rows.set(name, row);
    if (row.assertions.length === 0 && targetsOf(sample).length > 0) ungraded.push(name);
  }
  const problem = (kind: EvalProblem['kind'], message: string): EvalProblem => ({
    kind,
    path: '',
    span: { start: 0, end: 1 },
    message,
  });
  const label = typeof written === 'string' ? written : '';
  const model = label.slice(label.indexOf('/') + 1);
  return {
    ...(typeof task === 'string' && { description: task }),
    prompts: [{ label: l10n.t('Input'), text: prompt, canRun: true }],
    providers: model === '' ? [] : [{ label, kind: 'service', model, parameters: {} }],
    rows: [...rows.values()],
    problems: [
      ...(rows.size === 0 ? [problem('error', l10n.t('The log has no samples.'))] : []),
      ...(ungraded.length === 0
        ? []
        : [
            problem(
              'warning',
              l10n.t(
                "Not graded, because their target isn't one of the choices: {0}",
                `${ungraded.slice(0, 10).join(', ')}${ungraded.length > 10 ? ', …' : ''}`,
              ),
            ),
          ]),
      problem('information', l10n.t('Solvers and scorers would run code, so only inputs and targets are used.')),
    ],
  };
}

const inputPrompt = '{{input}}';

/** The input of a sample, after the system message of the plan if it has one. */
function promptText(plan: unknown): string {
  const steps: readonly unknown[] = isObject(plan) && Array.isArray(plan['steps']) ? plan['steps'] : [];
  const step = steps.find((one) => isObject(one) && one['solver'] === 'system_message');
  const params = isObject(step) ? step['params'] : undefined;
  const template = isObject(params) ? params['template'] : undefined;
  if (typeof template !== 'string' || template.trim() === '') return inputPrompt;
  return JSON.stringify([
    { role: 'system', content: template },
    { role: 'user', content: '{{input}}' },
  ]);
}

function rowOf(
  sample: Readonly<Record<string, unknown>>,
  scorers: string,
  { isSeveral, hasRoles }: { readonly isSeveral: boolean; readonly hasRoles: boolean },
): EvalRow {
  const { id, input, metadata } = sample;
  const [choices, targets] = [choicesOf(sample), targetsOf(sample)];
  const question =
    choices.length > 0
      ? multipleChoice(inputText(input), choices, isSeveral)
      : ((hasRoles ? messagesOf(input) : undefined) ?? inputText(input));
  const known = typeof id === 'string' || typeof id === 'number' ? { id: String(id) } : {};
  const vars = { ...(isObject(metadata) && metadata), ...known, input: question, target: targets.join(', ') };
  const graded = targets.length === 0 ? undefined : expectation(targets, choices, scorers);
  return { ...known, vars: new Map(Object.entries(vars)), assertions: graded ? [graded] : [] };
}

function choicesOf({ choices }: Readonly<Record<string, unknown>>): readonly string[] {
  return Array.isArray(choices) ? choices.map(String) : [];
}

function targetsOf({ target }: Readonly<Record<string, unknown>>): readonly string[] {
  return (Array.isArray(target) ? target : [target])
    .flatMap((one) => (typeof one === 'string' || typeof one === 'number' ? [String(one).trim()] : []))
    .filter((one) => one !== '');
}

/** Text of a sample's input: a string, or the messages of a conversation. */
function inputText(input: unknown): string {
  if (!Array.isArray(input)) return typeof input === 'string' ? input : '';
  return input
    .flatMap((message: unknown) => {
      const { content } = isObject(message) ? message : {};
      const parts: readonly unknown[] = Array.isArray(content) ? content : [content];
      return parts.flatMap((part) => (isObject(part) ? [part['text']] : [part]));
    })
    .filter((part) => typeof part === 'string')
    .join('\n\n');
}

/** The messages of a conversation with their roles; `undefined` for a question of one. */
function messagesOf(input: unknown): readonly { readonly role: string; readonly content: string }[] | undefined {
  const messages = (Array.isArray(input) ? (input as readonly unknown[]) : []).filter(isObject);
  const isPlain = messages.every(({ role }) => typeof role === 'string' && /^(?:system|user|assistant)$/.test(role));
  if (messages.length < 2 || !isPlain) return undefined;
  return messages.map((message) => ({ role: String(message['role']), content: inputText([message]) }));
}

/** A choice is named by a letter, and after Z by a number from 1, as Inspect does. */
function choiceName(index: number): string {
  return index < 26 ? String.fromCodePoint(65 + index) : String(index - 25);
}

function multipleChoice(question: string, choices: readonly string[], isSeveral: boolean): string {
  const lines = choices.map((choice, index) => `${choiceName(index)}) ${choice}`);
  const end = isSeveral
    ? 'End with a line "ANSWER: " and the letters of all right choices.'
    : 'End with a line "ANSWER: " and the letter of the right choice.';
  return `${question}\n\n${lines.join('\n')}\n\n${end}`;
}

/**
 * Returns the names of the right choices, all of which have to be in the answer. A target is the name of a choice, its text, or several
 * letters, such as `AC`. Returns `undefined` otherwise, because the meaning of a number is unknown.
 */
function answerOf(targets: readonly string[], choices: readonly string[]): readonly string[] | undefined {
  const names = choices.map((_, index) => choiceName(index));
  const found = new Set<string>();
  for (const target of targets) {
    const text = choices.findIndex((choice) => choice.trim() === target);
    const letters = target.toUpperCase().split(/[\s,]*/);
    if (names.includes(target.toUpperCase())) found.add(target.toUpperCase());
    else if (text !== -1) found.add(names[text]!);
    else if (letters.every((one) => /^[A-Z]$/.test(one) && names.includes(one)))
      for (const one of letters) found.add(one);
    else return undefined;
  }
  return [...found];
}

/** The meaning of a target depends on the scorer, of which only the name is read. Returns `undefined` for a target that isn't a choice. */
function expectation(
  targets: readonly string[],
  choices: readonly string[],
  scorers: string,
): EvalAssertion | undefined {
  const [first = ''] = targets;
  const answer = answerOf(targets, choices);
  if (choices.length > 0 && !answer) return undefined;
  const isNumber = targets.length === 1 && choices.length === 0 && /^-?\d+(?:[.,]\d+)*$/.test(first);
  // It compares the last number, since 4 is contained in 14.
  if (isNumber && /"numeric":true/.test(scorers))
    return {
      ...readType('equals'),
      value: first.replaceAll(',', ''),
      config: { as: 'numeric' },
      weight: 1,
      members: [],
      isBlocked: false,
    };
  const [type, value] =
    choices.length > 0
      ? (['regex', answerPattern(answer ?? [])] as const)
      : /"model_graded/.test(scorers)
        ? (['factuality', targets.join('\n')] as const)
        : targets.length > 1
          ? (['icontains-any', targets] as const)
          : ([/"exact"/.test(scorers) ? 'equals' : 'icontains', first] as const);
  return { ...readType(type), value, weight: 1, members: [], isBlocked: false };
}

/** The names after the mark: the only one, or exactly these in any order until the end of the line. */
function answerPattern(names: readonly string[]): string {
  if (names.length < 2) return `ANSWER:\\s*\\(?(?:${names.join('')})\\b`;
  return `ANSWER:${names.map((name) => `(?=.{0,200}${name})`).join('')}(?:[ \\t,.()*&]|and|${names.join('|')})+(?:\\n|$)`;
}

const endMark = 0x06054b50;
const entryMark = 0x02014b50;
const deflated = 8;

/**
 * Returns the text of a log that is a zip archive (`.eval`): its header with its samples. Throws a displayable error if it is invalid or
 * unpacks to too much.
 */
export function inspectText(bytes: Uint8Array): string {
  try {
    return unpacked(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  } catch (error) {
    // Locations outside of the archive, damaged data, and archives that unpack to too much have separate errors.
    const isTooLarge = error instanceof TooLarge || (isObject(error) && error['code'] === 'ERR_BUFFER_TOO_LARGE');
    throw new Error(
      isTooLarge
        ? l10n.t('The file is larger than {0} MB.', mostRowBytes / 1_000_000)
        : l10n.t("The file isn't a ZIP archive."),
      { cause: error },
    );
  }
}

class TooLarge extends Error {}

function unpacked(view: Buffer): string {
  const samples: string[] = [];
  let header = '{}';
  let left = mostRowBytes;
  for (const { name, start, size, method } of entriesOf(view)) {
    const isSample = /^samples\/[^/]+\.json$/.test(name);
    if (!isSample && name !== 'header.json' && name !== '_journal/start.json') continue;
    // The local header repeats the name, with separate extra fields.
    const from = start + 30 + view.readUInt16LE(start + 26) + view.readUInt16LE(start + 28);
    const packed = view.subarray(from, from + size);
    const content = method === deflated ? inflateRawSync(packed, { maxOutputLength: Math.max(1, left) }) : packed;
    // Entries may share their bytes, so all of them can be more than the archive.
    left -= content.length;
    if (left < 0) throw new TooLarge();
    const text = new TextDecoder().decode(content);
    if (isSample) samples.push(text);
    // A log that was interrupted has only what was known at the start.
    else if (name === 'header.json' || header === '{}') header = text;
  }
  const log = parseJson(header);
  return JSON.stringify({ ...(isObject(log) && log), samples: samples.map(parseJson) });
}

interface ZipEntry {
  readonly name: string;
  readonly start: number;
  readonly size: number;
  readonly method: number;
}

/** The entries in the directory at the end of an archive. */
function* entriesOf(view: Buffer): Iterable<ZipEntry> {
  const last = Math.max(0, view.length - 65_557);
  let end = view.length - 22;
  while (end >= last && view.readUInt32LE(end) !== endMark) end--;
  if (end < last) throw new Error('No directory');
  let at = view.readUInt32LE(end + 16);
  for (let count = view.readUInt16LE(end + 10); count > 0; count--) {
    if (view.readUInt32LE(at) !== entryMark) throw new Error('No entry');
    const length = view.readUInt16LE(at + 28);
    yield {
      name: view.toString('utf8', at + 46, at + 46 + length),
      start: view.readUInt32LE(at + 42),
      size: view.readUInt32LE(at + 20),
      method: view.readUInt16LE(at + 10),
    };
    at += 46 + length + view.readUInt16LE(at + 30) + view.readUInt16LE(at + 32);
  }
}
