import { readFile, rm, stat } from 'node:fs/promises';
import { appendShared } from '../../core/storage/appendLog';
import { renameDurably, writeAtomic } from '../../core/storage/atomicFile';
import { type Service, secondsOf } from '../service';
import { wait } from '../wait';
import { type BatchRecord, isOver } from './batchRecord';
import { charge } from '../billing';
import { answerChat } from '../answers/chatEngine';
import { answerMany, chatBody } from '../endpoints/chatCompletions';
import { readChatRequest } from '../endpoints/chatRequest';
import { messageBody, readMessagesRequest } from '../endpoints/messages';
import { faultNameOf, findFault } from '../faults';
import type { Fault } from '../faults/fault';
import { Refusal, unknownModel } from '../refusal';
import { isRecord } from '../validate';
import { createReadStream } from 'node:fs';
import { findModel } from '../catalogue';

/** A large file should not take all day at the reading pace. */
const longestRunMs = 60_000;
/** The state is saved once for so many lines, because each save takes as long as hundreds of them. */
const linesPerSave = 100;

/** Processes a batch in the background, from its current status on. */
export function startBatch(service: Service, batch: BatchRecord): void {
  service.background((signal) => work(service, batch, signal));
}

/** After a restart, resumes every batch that is not over. */
export function resumeBatches(service: Service): void {
  for (const batch of service.store.state.batches) if (!isOver(batch)) startBatch(service, batch);
}

const inputPath = ({ store }: Service, batch: BatchRecord) => store.pathOf('files', `${batch.input_file_id}.jsonl`);
const partPath = ({ store }: Service, batch: BatchRecord, kind: 'output' | 'errors') =>
  store.pathOf('files', `${batch.id}.${kind}.part`);

async function work(service: Service, batch: BatchRecord, signal: AbortSignal): Promise<void> {
  const now = () => secondsOf(service.clock());
  if (batch.status === 'in_queue') {
    await wait(service.pace().batchQueueMs, signal);
    const { total, errors } = await checked(service, batch);
    if (isCancelling(batch)) return finish(service, batch, 'cancelled');
    if (errors.length > 0) {
      Object.assign(batch, { status: 'failed', failed_at: now(), errors });
      return service.store.save();
    }
    Object.assign(batch, {
      status: 'in_progress',
      in_progress_at: now(),
      request_counts: { total, completed: 0, failed: 0 },
    });
    await service.store.save();
  }
  const ending = batch.status === 'finalizing' ? 'done' : await runLines(service, batch, signal);
  if (isCancelling(batch)) return finish(service, batch, 'cancelled');
  if (ending === 'failed') batch.errors = ['The batch was stopped by an error of the service.'];
  if (ending !== 'done') return finish(service, batch, ending);
  Object.assign(batch, { status: 'finalizing', finalizing_at: batch.finalizing_at ?? now() });
  await service.store.save();
  await wait(service.pace().batchFinalizeMs, signal);
  await finish(service, batch, 'completed');
}

/** Requests that came with their batch were checked before it was made. */
async function checked(service: Service, { form, ...batch }: BatchRecord): ReturnType<typeof checkBatchFile> {
  const path = service.store.pathOf('files', `${batch.input_file_id}.jsonl`);
  return form === undefined
    ? checkBatchFile(path, batch.replaceModel)
    : { total: batch.request_counts?.total ?? 0, errors: [] };
}

/** Read again each time, because a request may cancel the batch while a line is awaited. */
const isCancelling = (batch: BatchRecord): boolean => batch.status === 'cancelling';

/** Counts the complete lines an earlier run wrote and cuts off a line truncated by a crash. */
async function linesDone(path: string): Promise<number> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole !== text) await writeAtomic(path, whole);
  return whole.split('\n').length - 1;
}

/** Runs the remaining lines. `expired` means that the completion window closed first. */
async function runLines(
  service: Service,
  batch: BatchRecord,
  signal: AbortSignal,
): Promise<'done' | 'expired' | 'failed'> {
  const paths = { output: partPath(service, batch, 'output'), errors: partPath(service, batch, 'errors') };
  let [completed, failed] = [await linesDone(paths.output), await linesDone(paths.errors)];
  const total = batch.request_counts?.total ?? 0;
  let skip = completed + failed;
  let expired = false;
  for await (const { text } of filledLines(inputPath(service, batch))) {
    if (skip > 0) {
      skip -= 1;
      continue;
    }
    const line = batch.form === 'messages' ? readParams(text) : readLine(text);
    if (typeof line === 'string') continue;
    expired ||= service.clock() >= batch.expires_at * 1000;
    if (!expired) await wait(Math.min(service.pace().batchLineMs, longestRunMs / Math.max(1, total)), signal);
    if (isCancelling(batch)) return 'done';
    if (completed + failed >= (batch.failAfter ?? Infinity)) return 'failed';
    const result = expired ? unrunLine(service, batch, line, 'expired') : await runAny(service, line, batch);
    await appendShared(result.ok ? paths.output : paths.errors, `${result.text}\n`, { isDurable: false });
    if (result.ok) completed += 1;
    else failed += 1;
    batch.request_counts = { total, completed, failed };
    // The lines themselves are on disk, and the counts and the balance can lag behind.
    if ((completed + failed) % linesPerSave === 0) service.store.save().catch(() => undefined);
  }
  return expired ? 'expired' : 'done';
}

/** Turns the parts written so far into files of the account and ends the batch. */
async function finish(
  service: Service,
  batch: BatchRecord,
  status: 'completed' | 'expired' | 'cancelled' | 'failed',
): Promise<void> {
  const now = secondsOf(service.clock());
  if (batch.form !== undefined) await mergeParts(service, batch, status);
  batch.output_file_id ??= await keepPart(service, batch, 'output');
  batch.error_file_id ??= await keepPart(service, batch, 'errors');
  Object.assign(batch, { status, [`${status}_at`]: now });
  await service.store.save();
}

/** Puts all results into one part, those that failed first, and in Anthropic's form what was not run as well. */
async function mergeParts(
  service: Service,
  batch: BatchRecord,
  status: 'completed' | 'expired' | 'cancelled' | 'failed',
): Promise<void> {
  const paths = { output: partPath(service, batch, 'output'), errors: partPath(service, batch, 'errors') };
  const textOf = (path: string) => readFile(path, 'utf8').catch(() => '');
  const lines = (await textOf(paths.output)).split('\n').filter((line) => line !== '');
  const failed = (await textOf(paths.errors)).split('\n').filter((line) => line !== '');
  const rest: string[] = [];
  if (status === 'cancelled') {
    let skip = lines.length + failed.length;
    for await (const { text } of filledLines(inputPath(service, batch))) {
      const line = batch.form === 'messages' ? readParams(text) : readLine(text);
      if (skip > 0) skip -= 1;
      else if (typeof line !== 'string') rest.push(unrunLine(service, batch, line, 'canceled').text);
    }
    const total = batch.request_counts?.total ?? 0;
    batch.request_counts = { total, completed: lines.length, failed: total - lines.length };
    batch.unrun = rest.length;
  }
  const all = [...failed, ...rest, ...lines.toReversed()];
  await writeAtomic(paths.output, all.map((line) => `${line}\n`).join(''));
  await rm(paths.errors, { force: true });
}

async function keepPart(service: Service, batch: BatchRecord, kind: 'output' | 'errors'): Promise<string | null> {
  const path = partPath(service, batch, kind);
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return null;
  if (found.size === 0) {
    await rm(path, { force: true });
    return null;
  }
  const id = `file-${service.newId()}`;
  await renameDurably(path, service.store.pathOf('files', `${id}.jsonl`));
  service.store.state.files.push({
    id,
    bytes: found.size,
    createdAt: secondsOf(service.clock()),
    filename: `${batch.id}_${kind}.jsonl`,
    lineCount: (kind === 'output' ? batch.request_counts?.completed : batch.request_counts?.failed) ?? 0,
    kind: 'output',
  });
  return id;
}

interface LineResult {
  readonly ok: boolean;
  /** One line of the output or error file, without its line ending. */
  readonly text: string;
}

/** Batches cost half the price. */
const discount = 0.5;
const standIn = 'Qwen/Qwen3-30B-A3B-Instruct-2507';

function failedLine(
  service: Service,
  customId: string,
  error: { readonly code: string; readonly message: string },
): LineResult {
  return {
    ok: false,
    text: JSON.stringify({ id: `batch_req_${service.newId()}`, custom_id: customId, response: null, error }),
  };
}

function faultFor(model: string): Fault | undefined {
  const name = faultNameOf(model);
  const fault = name === undefined ? undefined : findFault(name);
  if (name !== undefined && fault === undefined) throw unknownModel();
  if (fault?.effect.kind !== 'answer') return fault;
  const { body, status } = fault.effect;
  const [code, message] = isRecord(body) ? [body['code'], body['message']] : [undefined, body];
  throw new Refusal(status, typeof code === 'number' ? code : status, typeof message === 'string' ? message : 'failed');
}

/** Runs one request as `POST /chat/completions` would; a refusal becomes a line of the error file. */
async function runLine(
  service: Service,
  { customId, body }: BatchLine,
  replaceModel: string | null,
): Promise<LineResult> {
  const named = replaceModel ?? (typeof body['model'] === 'string' ? body['model'] : '');
  try {
    const fault = faultFor(named);
    const { chat, n } = readChatRequest({ ...body, model: fault === undefined ? named : standIn }, fault);
    const answers = answerMany({ ...chat, isInBatch: true }, n);
    const tokens = (answers[0]?.inputTokens ?? 0) + answers.reduce((sum, answer) => sum + answer.outputTokens, 0);
    await charge(service, chat.model, (tokens / 1000) * discount, { isBatch: true });
    const identity = { id: service.newId(), model: named, created: secondsOf(service.clock()) };
    const response = { request_id: service.newId(), body: chatBody(answers, identity) };
    return {
      ok: true,
      text: JSON.stringify({ id: `batch_req_${service.newId()}`, custom_id: customId, response, error: null }),
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return failedLine(service, customId, { code: String(error.code), message: error.message });
  }
}

function unrunLine(
  service: Service,
  batch: BatchRecord,
  { customId }: BatchLine,
  type: 'expired' | 'canceled',
): LineResult {
  if (batch.form === 'messages') {
    if (type === 'expired') batch.unrun = (batch.unrun ?? 0) + 1;
    return { ok: false, text: JSON.stringify({ custom_id: customId, result: { type } }) };
  }
  return failedLine(service, customId, {
    code: 'batch_expired',
    message: 'This request could not be executed before the completion window expired.',
  });
}

function runAny(service: Service, line: BatchLine, batch: BatchRecord): Promise<LineResult> {
  return batch.form === 'messages' ? runMessage(service, line) : runLine(service, line, batch.replaceModel);
}

/** Runs one request as `POST /messages` would; a refusal becomes a result of type `errored`. */
async function runMessage(service: Service, { customId, body }: BatchLine): Promise<LineResult> {
  const model = typeof body['model'] === 'string' ? body['model'] : '';
  const lineOf = (ok: boolean, result: object) => ({ ok, text: JSON.stringify({ custom_id: customId, result }) });
  try {
    const fault = faultFor(model);
    const { chat } = readMessagesRequest({ ...body, model: fault === undefined ? model : standIn }, fault);
    const answer = answerChat({ ...chat, isInBatch: true });
    const tokens = answer.inputTokens + answer.outputTokens;
    await charge(service, chat.model, (tokens / 1000) * discount, { isBatch: true });
    const message = messageBody(answer, { id: `msg_${service.newId()}`, model });
    return lineOf(true, { type: 'succeeded', message });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const why = { type: error.status === 404 ? 'not_found_error' : 'invalid_request_error', message: error.message };
    return lineOf(false, { type: 'errored', error: { type: 'error', error: why, request_id: service.newId() } });
  }
}

/** The limit in the batch guide: 5000 requests per file. */
const maxLines = 5000;
const maxErrors = 20;

interface BatchLine {
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

/** Parses a request in Anthropic's form; returns an error message if it is invalid. */
export function readParams(text: string | undefined): BatchLine | string {
  const { custom_id: customId, params } = parse(text) ?? {};
  if (typeof customId !== 'string' || !/^[\w-]{1,64}$/.test(customId))
    return "custom_id: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'";
  return isRecord(params) ? { customId, body: params } : 'params: Field required';
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
