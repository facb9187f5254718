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
  const rows = new Map<string, EvalRow>();
  for (const sample of Array.isArray(samples) ? (samples as readonly unknown[]) : [])
    if (isObject(sample) && rows.size < mostRows) {
      const row = rowOf(sample, scorers);
      if (!rows.has(row.id ?? '')) rows.set(row.id ?? `#${rows.size}`, row);
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
    prompts: [{ label: l10n.t('Input'), text: promptText(isObject(log) ? log['plan'] : undefined), canRun: true }],
    providers: model === '' ? [] : [{ label, kind: 'service', model, parameters: {} }],
    rows: [...rows.values()],
    problems: [
      ...(rows.size === 0 ? [problem('error', l10n.t('The log has no samples.'))] : []),
      problem('information', l10n.t('Solvers and scorers would run code, so only inputs and targets are used.')),
    ],
  };
}

/** The input of a sample, after the system message of the plan if it has one. */
function promptText(plan: unknown): string {
  const steps: readonly unknown[] = isObject(plan) && Array.isArray(plan['steps']) ? plan['steps'] : [];
  const step = steps.find((one) => isObject(one) && one['solver'] === 'system_message');
  const params = isObject(step) ? step['params'] : undefined;
  const template = isObject(params) ? params['template'] : undefined;
  if (typeof template !== 'string' || template.trim() === '') return '{{input}}';
  return JSON.stringify([
    { role: 'system', content: template },
    { role: 'user', content: '{{input}}' },
  ]);
}

function rowOf(sample: Readonly<Record<string, unknown>>, scorers: string): EvalRow {
  const { id, input, choices, target, metadata } = sample;
  const options = Array.isArray(choices) ? choices.map(String) : [];
  const targets = (Array.isArray(target) ? target : [target])
    .flatMap((one) => (typeof one === 'string' || typeof one === 'number' ? [String(one).trim()] : []))
    .filter((one) => one !== '');
  const question = options.length === 0 ? inputText(input) : multipleChoice(inputText(input), options);
  const known = typeof id === 'string' || typeof id === 'number' ? { id: String(id) } : {};
  const vars = { ...(isObject(metadata) && metadata), ...known, input: question, target: targets.join(', ') };
  const graded = targets.length === 0 ? [] : [expectation(targets, options.length > 0, scorers)];
  return { ...known, vars: new Map(Object.entries(vars)), assertions: graded };
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

function multipleChoice(question: string, options: readonly string[]): string {
  const lines = options.map((option, index) => `${String.fromCodePoint(65 + index)}) ${option}`);
  return `${question}\n\n${lines.join('\n')}\n\nEnd with a line "ANSWER: " and the letter of the right choice.`;
}

/** What a target means depends on the scorer, of which only the name is read. */
function expectation(targets: readonly string[], isChoice: boolean, scorers: string): EvalAssertion {
  const [first = ''] = targets;
  const letters = targets.map((one) => one.replaceAll(/[^A-Za-z]/g, '')).join('|');
  const [type, value] = isChoice
    ? (['regex', `ANSWER:\\s*\\(?(?:${letters})\\b`] as const)
    : /"model_graded/.test(scorers)
      ? (['factuality', targets.join('\n')] as const)
      : targets.length > 1
        ? (['icontains-any', targets] as const)
        : ([/"exact"/.test(scorers) ? 'equals' : 'icontains', first] as const);
  return { ...readType(type), value, weight: 1, members: [], isBlocked: false };
}

const endMark = 0x06054b50;
const entryMark = 0x02014b50;
const deflated = 8;

/** The text of a log that is a zip archive (`.eval`): its header with its samples. Throws if it is none, or unpacks to too much. */
export function inspectText(bytes: Uint8Array): string {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const samples: string[] = [];
  let header = '{}';
  let left = mostRowBytes;
  for (const { name, start, size, method } of entriesOf(view)) {
    const isSample = /^samples\/[^/]+\.json$/.test(name);
    if (!isSample && name !== 'header.json' && name !== '_journal/start.json') continue;
    // The local header repeats the name, with extra fields of its own.
    const from = start + 30 + view.readUInt16LE(start + 26) + view.readUInt16LE(start + 28);
    const packed = view.subarray(from, from + size);
    const unpacked = method === deflated ? inflateRawSync(packed, { maxOutputLength: Math.max(1, left) }) : packed;
    left -= unpacked.length;
    const text = new TextDecoder().decode(unpacked);
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
  if (end < last) throw new Error(l10n.t("The file isn't a ZIP archive."));
  let at = view.readUInt32LE(end + 16);
  for (let count = view.readUInt16LE(end + 10); count > 0; count--) {
    if (view.readUInt32LE(at) !== entryMark) throw new Error(l10n.t("The file isn't a ZIP archive."));
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
