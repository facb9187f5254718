import { createReadStream } from 'node:fs';
import { lstat, readFile, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { isObject } from '../../api/isObject';
import { parseJson } from '../../api/parseJson';
import { reportedCost } from '../../api/reportedCost';
import { readChoices } from '../../batch/results/resultChoices';
import { readResult } from '../../batch/results/resultLine';
import { numberOf, objectOf, parseObject, textOf } from '../../batch/scan/jsonValue';
import type { JsonObject } from '../../batch/scan/jsonValue';
import { openAppendLog } from '../../storage/appendLog';
import type { AppendLog } from '../../storage/appendLog';
import { writeAtomic } from '../../storage/atomicFile';
import { Leases, type Lease } from '../../storage/leases';
import { exists, makeFolder, readOrEmpty } from '../../storage/privateFiles';
import { canonicalJson, hashOf } from '../evalPlan';
import { measureUrl } from '../graders/measures';
import type { GradedResponse } from '../graders/score';

/** A request of a run: of a cell, or of what grades it. */
export interface EvalRequest {
  /** `e1.…` of a cell, `j1.…` of a judge, `m1.…` of embeddings or a reranker. */
  readonly id: string;
  /** Decides whether a response is already here. */
  readonly key: string;
  readonly body: { readonly model: string; readonly [name: string]: unknown };
}

/** A response as it is kept. Lines of a run folder, so members are only added. */
export interface SavedResponse extends GradedResponse {
  readonly key: string;
  readonly id: string;
  /** The file of requests that it answers. */
  readonly sentIn: string;
  readonly how: 'batch' | 'now';
  readonly model: string;
  readonly tokens: { readonly input: number; readonly output: number };
  /** The service's own figure, if it reports one. */
  readonly reportedCost?: number;
  /** Set if the request failed: it has no response. */
  readonly failure?: string;
}

/** Requests that were written to be sent together. */
export interface SentFile {
  /** File name in the run folder. */
  readonly name: string;
  readonly path: string;
  readonly how: 'batch' | 'now';
  /** Keys of the requests by their IDs. */
  readonly keys: ReadonlyMap<string, string>;
  /** How far the batch of the file is, as it was when the file was read. Absent if unknown, or if the requests are sent now. */
  readonly submission?: Submission;
}

/** Where a batch is submitted from, and where its job is. `server`: an MCP server with a folder of its own. */
export type Submitter = 'window' | 'commandLine' | 'server';

/**
 * How far the batch of a file of requests is, kept next to that file: the run folder is shared by all who run the eval, while the jobs are
 * not. `unsent`: certainly not submitted. `submitting`: a job may or may not have been made of it.
 */
export type Submission =
  | { readonly state: 'unsent' }
  | {
      readonly state: 'submitting' | 'submitted';
      readonly by: Submitter;
      readonly origin: string;
      /** ID of its job. */
      readonly job?: string;
    };

const sentPattern = /^requests-(\d{4})-(batch|now)\.jsonl$/;
const responsesFile = 'responses.jsonl';

/** Hash of all that decides a response: the same request to the same service is sent once for each repeat. */
export function requestKey(origin: string, body: EvalRequest['body'], repeat: number): string {
  return hashOf(canonicalJson([origin, body, repeat]), 24);
}

/** The files of an eval run. Everything is appended or written at once, so a crash loses no response. */
export class EvalRunFolder {
  private readonly byKey = new Map<string, SavedResponse>();
  /** By name of a file of requests: IDs of those that have a result. */
  private readonly imported = new Map<string, Set<string>>();
  private readonly written = new Set<string>();
  /** By path of an append-only file: the bytes that were read, up to the end of a line. */
  private readonly read = new Map<string, number>();
  /** By name of a file of requests: what tells it from one that is written anew in its place. */
  private readonly marks = new Map<string, string>();
  private unreadable = 0;
  /** Whether the last line of responses is half written, or damaged. */
  private hasHalfLine = false;

  private constructor(
    readonly path: string,
    private readonly origin: string,
    private readonly log: AppendLog | undefined,
    private sent: readonly SentFile[],
    private readonly end: () => Promise<void>,
  ) {}

  /**
   * Creates the folder. `origin` is that of the service: responses of another one are not used. Throws `HeldElsewhere` while another run
   * has the folder, whose requests would otherwise be sent twice.
   */
  static async open(path: string, origin: string): Promise<EvalRunFolder> {
    await makeFolder(path, { isPrivate: false });
    await refuseLinks(path);
    const leases = new Leases(join(path, 'lock'), () => '');
    let lease: Lease | undefined;
    const end = async () => {
      leases.dispose();
      await lease?.release();
    };
    try {
      lease = await leases.take('run');
      const log = await openAppendLog(join(path, responsesFile), { isPrivate: false });
      return await EvalRunFolder.load(path, origin, { log, end });
    } catch (error) {
      await end();
      throw error;
    }
  }

  /**
   * Reads the folder without changing it, also while a run has it: new results are only kept in memory, and nothing can be written. A folder
   * that doesn't exist is empty.
   */
  static async view(path: string, origin: string): Promise<EvalRunFolder> {
    const end = () => Promise.resolve();
    if (!(await exists(path))) return new EvalRunFolder(path, origin, undefined, [], end);
    await refuseLinks(path);
    return EvalRunFolder.load(path, origin, { log: undefined, end });
  }

  /** Whether a run has the folder, in this window or elsewhere. */
  static async isHeld(path: string): Promise<boolean> {
    const leases = new Leases(join(path, 'lock'), () => '');
    try {
      return (await leases.elsewhere()).has('run');
    } finally {
      leases.dispose();
    }
  }

  private static async load(
    path: string,
    origin: string,
    { log, end }: { readonly log: AppendLog | undefined; readonly end: () => Promise<void> },
  ): Promise<EvalRunFolder> {
    const names = (await readdir(path)).filter((name) => sentPattern.test(name)).toSorted();
    const folder = new EvalRunFolder(path, origin, log, [], end);
    const sent: SentFile[] = [];
    for (const name of names) sent.push(await folder.readSent(name));
    folder.sent = sent;
    await folder.readResponses();
    return folder;
  }

  /**
   * Reads what was added since the folder was viewed. Resolves with `false` if something else has changed, such as a deleted file: then the
   * folder must be viewed anew.
   */
  async reload(): Promise<boolean> {
    await refuseLinks(this.path);
    const names = (await readdir(this.path)).filter((name) => sentPattern.test(name)).toSorted();
    if (this.sent.some(({ name }) => !names.includes(name))) return false;
    const sent: SentFile[] = [];
    for (const name of names) {
      const known = this.sent.find((one) => one.name === name);
      if (!known) sent.push(await this.readSent(name));
      else if ((await markOf(known.path)) !== this.marks.get(name)) return false;
      else if (known.how === 'now') sent.push(known);
      else {
        const { submission: _, ...rest } = known;
        const submission = await readSubmission(known.path);
        sent.push({ ...rest, ...(submission && { submission }) });
      }
    }
    this.sent = sent;
    return this.readResponses();
  }

  private async readSent(name: string): Promise<SentFile> {
    // Before it is read: what is written in its place meanwhile has another mark.
    this.marks.set(name, await markOf(join(this.path, name)));
    return readSent(this.path, name, this.origin);
  }

  /** Resolves with `false` if the file is shorter than what was read of it. */
  private async readResponses(): Promise<boolean> {
    const rest = await this.linesAdded(join(this.path, responsesFile), (line) => {
      const saved = savedIn(line);
      if (saved) this.remember(saved);
      else this.unreadable++;
    });
    // It is paid for, even if only its end is missing.
    const last = savedIn(rest ?? '');
    if (last) this.remember(last);
    this.hasHalfLine = rest !== undefined && rest !== '' && !last;
    return rest !== undefined;
  }

  /**
   * Reads the lines that an append-only file has got since it was read. Resolves with what is after the last, which may still be written;
   * `undefined` if the file is shorter now.
   */
  private async linesAdded(path: string, take: (line: string) => void): Promise<string | undefined> {
    const from = this.read.get(path) ?? 0;
    const size = (await stat(path).catch(() => undefined))?.size ?? 0;
    if (size < from) return undefined;
    if (size === from) return '';
    const { end, rest } = await eachLine(path, from, take);
    this.read.set(path, end);
    return rest;
  }

  /** Lines of responses that can't be read: a crash may have left half a line, which is requested again. */
  get unreadableLines(): number {
    return this.unreadable + Number(this.hasHalfLine);
  }

  get sentFiles(): readonly SentFile[] {
    return this.sent;
  }

  /** The response to a request, which may have failed. */
  responseTo(key: string): SavedResponse | undefined {
    return this.byKey.get(key);
  }

  /** Whether the request was written since the folder was opened. */
  hasWritten(key: string): boolean {
    return this.written.has(key);
  }

  /** How many requests of a file have a result. */
  resultsOf({ name, keys }: SentFile): number {
    const imported = this.imported.get(name);
    return imported ? Array.from(keys.keys()).filter((id) => imported.has(id)).length : 0;
  }

  /**
   * Writes requests to one file per model, each request once. `idOf` adapts IDs to what the service accepts. Embeddings and relevance are
   * always requested now: few services have batches of them.
   */
  async write(
    requests: readonly EvalRequest[],
    {
      how: chosen,
      url: chatUrl,
      idOf,
    }: { readonly how: 'batch' | 'now'; readonly url: string; readonly idOf: (id: string) => string },
  ): Promise<readonly SentFile[]> {
    const byModel = new Map<string, EvalRequest[]>();
    const seen = new Set<string>();
    for (const request of requests) {
      if (seen.has(request.key)) continue;
      seen.add(request.key);
      const key = `${measureUrl(request.body) ?? ''} ${request.body.model}`;
      const list = byModel.get(key) ?? [];
      list.push(request);
      byModel.set(key, list);
    }
    const written: SentFile[] = [];
    for (const list of byModel.values()) {
      const ownUrl = measureUrl(list[0]!.body);
      const [how, url] = ownUrl === undefined ? [chosen, chatUrl] : (['now', ownUrl] as const);
      const number = Number(this.sent.at(-1)?.name.slice(9, 13) ?? 0) + 1;
      const name = `requests-${String(number).padStart(4, '0')}-${how}.jsonl`;
      const lines = list.map(({ id, body }) => JSON.stringify({ custom_id: idOf(id), method: 'POST', url, body }));
      // Before the requests, so that a file without it is never taken for one that certainly wasn't submitted.
      if (how === 'batch') await writeSubmission(join(this.path, name), { state: 'unsent' });
      await writeAtomic(join(this.path, name), `${lines.join('\n')}\n`, { isPrivate: false });
      const keys = new Map(list.map(({ id, key }) => [id, key]));
      for (const key of keys.values()) this.written.add(key);
      const submission = how === 'batch' && { submission: { state: 'unsent' } as const };
      written.push({ name, path: join(this.path, name), how, keys, ...submission });
      this.sent = [...this.sent, written.at(-1)!];
    }
    return written;
  }

  /** Takes over results from a folder with result files of a batch or of a run on this machine. Returns how many are new. */
  async takeOver(sent: SentFile, folder: string): Promise<number> {
    const names = (await readdir(folder).catch(() => [])).filter((name) =>
      /^(?:output|errors)(?:-\d+)?\.jsonl$/.test(name),
    );
    let count = 0;
    for (const name of names) {
      const lines: string[] = [];
      await this.resultLines(sent, join(folder, name), (line) => {
        const saved = savedOf(parseObject(line), sent);
        if (!saved || this.imported.get(sent.name)?.has(saved.id)) return;
        this.remember(saved);
        lines.push(JSON.stringify(saved));
      });
      count += lines.length;
      if (lines.length > 0) await this.log?.append(`${lines.join('\n')}\n`);
    }
    return count;
  }

  /** Results of requests that are sent now are appended, so only what was added is read. Those of a batch are replaced once they are complete. */
  private async resultLines({ how }: SentFile, path: string, take: (line: string) => void): Promise<void> {
    if (how === 'now' && (await this.linesAdded(path, take)) !== undefined) return;
    this.read.delete(path);
    take((await eachLine(path, 0, take)).rest);
  }

  /** Writes a file that is computed from the others. */
  async writeFile(name: string, text: string): Promise<void> {
    await writeAtomic(join(this.path, name), text, { isPrivate: false });
  }

  async close(): Promise<void> {
    await this.log?.close();
    await this.end();
  }

  private remember(saved: SavedResponse): void {
    const imported = this.imported.get(saved.sentIn);
    if (imported) imported.add(saved.id);
    else this.imported.set(saved.sentIn, new Set([saved.id]));
    const before = this.byKey.get(saved.key);
    // A failure never replaces a response.
    if (!before || before.failure !== undefined) this.byKey.set(saved.key, saved);
  }
}

/**
 * Reads a file from a position on, a piece of it at a time, because it can be larger than what is kept of it. Resolves with where its last
 * complete line ends, and with what follows. Empty lines are skipped.
 */
async function eachLine(
  path: string,
  from: number,
  take: (line: string) => void,
): Promise<{ readonly end: number; readonly rest: string }> {
  let end = from;
  let held: Buffer[] = [];
  for await (const piece of createReadStream(path, { start: from }) as AsyncIterable<Buffer>) {
    const ended = piece.lastIndexOf('\n') + 1;
    if (ended > 0) {
      const bytes = Buffer.concat([...held, piece.subarray(0, ended)]);
      for (const line of bytes.toString().split('\n')) if (line !== '') take(line);
      end += bytes.length;
      held = [];
    }
    held.push(piece.subarray(ended));
  }
  return { end, rest: Buffer.concat(held).toString() };
}

/** Returns a response as it was kept; `undefined` for a line that is not one, because it is damaged. */
function savedIn(line: string): SavedResponse | undefined {
  const saved = parseObject(line);
  const { key, id, sentIn, text, tokens, calls } = saved ?? {};
  const hasTexts = [key, id, sentIn, text].every((one) => typeof one === 'string');
  const isWhole = hasTexts && objectOf(tokens) !== undefined && Array.isArray(calls);
  return isWhole ? (saved as unknown as SavedResponse) : undefined;
}

/** A link could come with the eval file, and would let a run write anywhere. */
async function refuseLinks(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const link = entries.find((entry) => entry.isSymbolicLink());
  const place = link ? join(link.parentPath, link.name) : (await lstat(folder)).isSymbolicLink() ? folder : undefined;
  if (place !== undefined) throw new Error(l10n.t('{0} is a symbolic link. Delete it, then try again.', place));
}

/** Tells a file from one that is written anew in its place. */
async function markOf(path: string): Promise<string> {
  const { ino = 0, size = 0, mtimeMs = 0 } = (await stat(path).catch(() => undefined)) ?? {};
  return `${ino} ${size} ${mtimeMs}`;
}

async function readSent(folder: string, name: string, origin: string): Promise<SentFile> {
  const path = join(folder, name);
  const keys = new Map<string, string>();
  const take = (line: string) => {
    const { custom_id: written, body } = parseObject(line) ?? {};
    const id = ownId(written);
    if (id === undefined || !objectOf(body)) return;
    const repeat = id.startsWith('e1.') ? Number(id.split('.')[3] ?? 0) : 0;
    keys.set(id, requestKey(origin, body as EvalRequest['body'], repeat));
  };
  take((await eachLine(path, 0, take)).rest);
  const how = name.endsWith('-batch.jsonl') ? 'batch' : 'now';
  const submission = how === 'batch' ? await readSubmission(path) : undefined;
  return { name, path, how, keys, ...(submission && { submission }) };
}

/** Returns the requests in a file for their price: without keys. `from`: position in bytes. */
export async function readRequests(path: string, from = 0): Promise<readonly EvalRequest[]> {
  const text = (await readFile(path)).subarray(from).toString('utf8');
  return text.split('\n').flatMap((line) => {
    const { custom_id: id, body } = parseObject(line) ?? {};
    if (typeof id !== 'string' || textOf(objectOf(body)?.['model']) === undefined) return [];
    return [{ id: ownId(id) ?? id, key: '', body: body as EvalRequest['body'] }];
  });
}

const submissionOf = (path: string) => path.replace(/\.jsonl$/, '.json');

/** Keeps how far the batch of a file of requests is. */
export async function writeSubmission(path: string, submission: Submission): Promise<void> {
  await writeAtomic(submissionOf(path), `${JSON.stringify({ version: 1, ...submission })}\n`, { isPrivate: false });
}

/** Deletes a file of requests of which no batch was submitted. */
export async function removeRequests(path: string): Promise<void> {
  await rm(path, { force: true });
  await rm(submissionOf(path), { force: true });
}

/** Returns `undefined` if there is none, or if it can't be read. */
async function readSubmission(path: string): Promise<Submission | undefined> {
  const read = parseJson(await readOrEmpty(submissionOf(path)));
  const { state, by, origin, job } = isObject(read) ? read : {};
  if (state === 'unsent') return { state };
  if ((state !== 'submitting' && state !== 'submitted') || typeof origin !== 'string') return undefined;
  if (by !== 'window' && by !== 'commandLine' && by !== 'server') return undefined;
  return { state, by, origin, ...(typeof job === 'string' && { job }) };
}

/** The ID of a request, also if a service that accepts no dots has it with hyphens. */
function ownId(written: unknown): string | undefined {
  return typeof written === 'string' && /^[ejm]1[.-]/.test(written) ? written.replaceAll('-', '.') : undefined;
}

function savedOf(line: JsonObject | undefined, { name, how, keys }: SentFile): SavedResponse | undefined {
  const result = line && readResult(line);
  const id = ownId(result?.customId);
  const key = id === undefined ? undefined : keys.get(id);
  if (!result || id === undefined || key === undefined) return undefined;
  const { outcome, failure, body, usage, finish, model } = result;
  const choice = body ? readChoices(body)[0] : undefined;
  const cost = reportedCost(objectOf(body?.['usage']));
  const latency = numberOf(objectOf(line?.['response'])?.['latency_ms']);
  const logprob = body && meanLogprob(body);
  const isFailed = outcome === 'failed' || outcome === 'expired' || outcome === 'canceled';
  return {
    key,
    id,
    sentIn: name,
    how,
    model: model ?? '',
    text: choice?.text ?? '',
    calls: choice?.calls ?? [],
    isTruncated: outcome === 'truncated',
    isRefused: outcome === 'refused',
    ...(finish !== undefined && { finish }),
    tokens: { input: usage.input ?? 0, output: usage.output ?? 0 },
    ...(cost !== undefined && { reportedCost: cost }),
    ...(latency !== undefined && { latencyMs: latency }),
    ...(logprob !== undefined && { logprob }),
    ...(isFailed && { failure: textOf(failure?.message)?.slice(0, 500) ?? outcome }),
  };
}

/** Returns the mean of the log probabilities of a response's tokens; `undefined` if it has none. */
function meanLogprob({ choices }: JsonObject): number | undefined {
  const [first] = Array.isArray(choices) ? (choices as readonly unknown[]) : [];
  const { content, token_logprobs: older } = objectOf(objectOf(first)?.['logprobs']) ?? {};
  const list: readonly unknown[] = Array.isArray(content)
    ? content.map((one: unknown) => objectOf(one)?.['logprob'])
    : Array.isArray(older)
      ? older
      : [];
  const known = list.filter((one) => typeof one === 'number');
  return known.length === 0 ? undefined : known.reduce((sum, one) => sum + one, 0) / known.length;
}
