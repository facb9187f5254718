import { createReadStream } from 'node:fs';
import { findModel } from '../catalogue';
import { faultNameOf } from '../faults';
import { isRecord } from '../validate';

/** The limit in the batch guide: 5000 requests per file. */
const maxLines = 5000;
const maxErrors = 20;

export interface BatchLine {
  readonly customId: string;
  readonly body: Record<string, unknown>;
}

interface FileLine {
  /** `undefined` if its bytes are not UTF-8. */
  readonly text: string | undefined;
  /** Line number, from 1. */
  readonly number: number;
}

/** Yields the lines of a file that are not blank. Only a line feed ends a line; a byte-order mark is a character. */
export async function* filledLines(path: string): AsyncGenerator<FileLine> {
  let number = 0;
  for await (const bytes of linesOf(path)) {
    number += 1;
    const text = decode(bytes);
    if (text === undefined || !/^[ \t\r]*$/.test(text)) yield { text, number };
  }
}

async function* linesOf(path: string): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      yield Buffer.concat([...parts, chunk.subarray(start, end)]);
      parts = [];
      start = end + 1;
    }
    parts.push(chunk.subarray(start));
  }
  yield Buffer.concat(parts);
}

const lineFeed = 0x0a;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

function parse(text: string | undefined): Record<string, unknown> | undefined {
  try {
    const value: unknown = text === undefined ? undefined : JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Parses a request line; returns an error message if it is invalid. */
export function readLine(text: string | undefined): BatchLine | string {
  if (text === undefined) return 'not UTF-8';
  const value = parse(text);
  if (!value) return 'not a JSON object';
  const { custom_id: customId, method, url, body } = value;
  if (typeof customId !== 'string' || customId === '') return 'custom_id is missing';
  if (method !== undefined && method !== 'POST') return 'method must be POST';
  if (url !== undefined && url !== '/v1/chat/completions') return 'url must be /v1/chat/completions';
  if (!isRecord(body)) return 'body is missing';
  if (!Array.isArray(body['messages']) || body['messages'].length === 0) return 'body.messages is missing';
  const last: unknown = body['messages'].at(-1);
  if (!isRecord(last) || last['role'] !== 'user') return 'messages must end with a message of the user';
  return { customId, body };
}

function modelProblem(model: unknown, first: string | undefined): string | undefined {
  if (typeof model !== 'string' || model === '') return 'body.model is missing';
  if (faultNameOf(model) !== undefined) return undefined;
  if (findModel(model)?.subType !== 'chat') return `model ${model} does not exist`;
  return first !== undefined && first !== model
    ? `model ${model} differs from ${first}: one batch, one model`
    : undefined;
}

/** Validates the whole file as the service does before it starts the batch. Without errors it may run. */
export async function checkBatchFile(
  path: string,
  replaceModel: string | null,
): Promise<{ readonly total: number; readonly errors: readonly string[] }> {
  const errors: string[] = [];
  const ids = new Set<unknown>();
  let total = 0;
  let first: string | undefined;
  for await (const { text, number } of filledLines(path)) {
    total += 1;
    if (errors.length >= maxErrors) continue;
    const line = readLine(text);
    if (typeof line === 'string') errors.push(`line ${number}: ${line}`);
    // Lines that are invalid for another reason still have an id and a model.
    const { custom_id: id, body } = parse(text) ?? {};
    if (ids.has(id)) errors.push(`line ${number}: custom_id ${String(id)} is used twice`);
    if (typeof id === 'string' && id !== '') ids.add(id);
    if (!isRecord(body)) continue;
    const problem = replaceModel === null ? modelProblem(body['model'], first) : undefined;
    if (problem !== undefined) errors.push(`line ${number}: ${problem}`);
    const { model } = body;
    if (typeof model === 'string' && model !== '' && faultNameOf(model) === undefined) first ??= model;
  }
  if (total === 0) errors.push('the file holds no requests');
  if (total > maxLines) errors.push(`the file holds ${total} requests; at most ${maxLines} are taken`);
  return { total, errors };
}
