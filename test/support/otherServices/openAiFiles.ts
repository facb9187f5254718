import { nowSeconds, randomId } from './chatForm';
import { formOf, isRecord, jsonOf, type Asked, type Reply, type Route } from './loopbackService';
import { openAiError, refuse } from './openAiErrors';

interface StoredFile {
  readonly content: Buffer;
  readonly shown: {
    readonly id: string;
    readonly object: 'file';
    readonly bytes: number;
    readonly created_at: number;
    readonly expires_at: null;
    readonly filename: string;
    readonly purpose: string;
    readonly status: 'processed';
    readonly status_details: null;
  };
}

interface StoredBatch {
  readonly id: string;
  readonly request: Readonly<Record<string, unknown>>;
  readonly createdAt: number;
  /** The clock's milliseconds at which it is ready. */
  readonly readyAt: number;
  cancelledAt?: number;
  outcome?: Outcome;
}

interface Outcome {
  readonly outputFile: string | null;
  readonly errorFile: string | null;
  readonly completed: number;
  readonly failed: number;
  readonly faults: readonly object[];
}

const purposes = ['assistants', 'batch', 'fine-tune', 'vision', 'user_data', 'evals'];
const endpoints = ['/v1/responses', '/v1/chat/completions', '/v1/embeddings', '/v1/completions', '/v1/moderations'];

/** The duration of a batch. */
const batchMs = 700;

/** Creates files and batches like OpenAI's. `answer` runs the request of a line. */
export function openAiFiles(
  answer: (path: string, body: Readonly<Record<string, unknown>>) => Reply,
): Record<string, Route> {
  const files = new Map<string, StoredFile>();
  const batches = new Map<string, StoredBatch>();

  const keep = (filename: string, purpose: string, content: Buffer): StoredFile => {
    const id = `file-${randomId(11)}`;
    const times = { created_at: nowSeconds(), expires_at: null };
    const rest = { filename, purpose, status: 'processed', status_details: null } as const;
    const file: StoredFile = { content, shown: { id, object: 'file', bytes: content.length, ...times, ...rest } };
    files.set(id, file);
    return file;
  };
  const fileOf = (id: string): StoredFile =>
    files.get(id) ?? refuse(`No such File object: ${id}`, { status: 404, param: 'id' });
  const batchOf = (id: string): StoredBatch =>
    batches.get(id) ?? refuse(`No batch found with id '${id}'.`, { status: 404 });

  /** Returns the current state of a batch, which runs when it is requested. */
  const shown = (batch: StoredBatch) => {
    if (!batch.outcome && !batch.cancelledAt && Date.now() >= batch.readyAt) {
      batch.outcome = run(
        fileOf(String(batch.request['input_file_id'])),
        String(batch.request['endpoint']),
        answer,
        keep,
      );
    }
    return shownBatch(batch);
  };

  return {
    'POST /files': (asked) => upload(asked, keep),
    'GET /files': ({ query }) =>
      pageOf(
        [...files.values()].map((file) => file.shown).filter(({ purpose }) => isOneOf(query.get('purpose'), purpose)),
        query,
      ),
    'GET /files/{id}': ({ id }) => ({ json: fileOf(id).shown }),
    'DELETE /files/{id}': ({ id }) => {
      fileOf(id);
      files.delete(id);
      return { json: { object: 'file', deleted: true, id } };
    },
    'GET /files/{id}/content': ({ id }) => ({
      headers: { 'content-type': 'application/octet-stream' },
      raw: new Uint8Array(fileOf(id).content),
    }),
    'POST /batches': (asked) => {
      const request = jsonOf(asked) ?? refuse('We could not parse the JSON body of your request.');
      checkBatch(request);
      const file = fileOf(String(request['input_file_id']));
      if (file.shown.purpose !== 'batch') {
        refuse(`Invalid file purpose: '${file.shown.purpose}'. Expected 'batch'.`, { param: 'input_file_id' });
      }
      const batch = { id: `batch_${randomId(16)}`, request, createdAt: nowSeconds(), readyAt: Date.now() + batchMs };
      batches.set(batch.id, batch);
      return { json: shown(batch) };
    },
    'GET /batches': ({ query }) => pageOf([...batches.values()].map(shown), query),
    'GET /batches/{id}': ({ id }) => ({ json: shown(batchOf(id)) }),
    'POST /batches/{id}/cancel': ({ id }) => {
      const batch = batchOf(id);
      const { status } = shown(batch);
      if (batch.outcome) return openAiError(`Cannot cancel a batch with status '${status}'.`, { status: 409 });
      batch.cancelledAt ??= nowSeconds();
      return { json: shown(batch) };
    },
  };
}

const isOneOf = (requested: string | null, one: string): boolean => requested === null || requested === one;

async function upload(
  asked: Asked,
  keep: (name: string, purpose: string, content: Buffer) => StoredFile,
): Promise<Reply> {
  const form = await formOf(asked);
  if (!form) return refuse('Invalid content type. Expected multipart/form-data.', { status: 415 });
  const odd = [...form.keys()].find((name) => !/^(file|purpose|expires_after\[.+\])$/.test(name));
  if (odd !== undefined) refuse(`Unknown parameter: '${odd}'.`, { param: odd, code: 'unknown_parameter' });
  const [file, purpose] = [form.get('file'), form.get('purpose')];
  if (!(file instanceof File))
    return refuse("Missing required parameter: 'file'.", { param: 'file', code: 'missing_required_parameter' });
  if (typeof purpose !== 'string') {
    return refuse("Missing required parameter: 'purpose'.", { param: 'purpose', code: 'missing_required_parameter' });
  }
  if (!purposes.includes(purpose)) {
    const list = purposes.map((one) => `'${one}'`).join(', ');
    refuse(`Invalid value: '${purpose}'. Supported values are: ${list}.`, { param: 'purpose', code: 'invalid_value' });
  }
  return { json: keep(file.name, purpose, Buffer.from(await file.arrayBuffer())).shown };
}

function checkBatch(request: Readonly<Record<string, unknown>>): void {
  const names = ['input_file_id', 'endpoint', 'completion_window', 'metadata', 'output_expires_after'];
  const odd = Object.keys(request).find((name) => !names.includes(name));
  if (odd !== undefined) refuse(`Unknown parameter: '${odd}'.`, { param: odd, code: 'unknown_parameter' });
  for (const name of names.slice(0, 3)) {
    if (typeof request[name] === 'string') continue;
    refuse(`Missing required parameter: '${name}'.`, { param: name, code: 'missing_required_parameter' });
  }
  if (!endpoints.includes(String(request['endpoint']))) {
    const list = endpoints.map((one) => `'${one}'`).join(', ');
    refuse(`Invalid value: '${String(request['endpoint'])}'. Supported values are: ${list}.`, {
      param: 'endpoint',
      code: 'invalid_value',
    });
  }
  if (request['completion_window'] !== '24h') {
    refuse(`Invalid value: '${String(request['completion_window'])}'. Value must be '24h'.`, {
      param: 'completion_window',
      code: 'invalid_value',
    });
  }
  const { metadata } = request;
  const pairs = isRecord(metadata) ? Object.entries(metadata) : [];
  if (pairs.length > 16) refuse("Invalid 'metadata': too many properties. Expected at most 16.", { param: 'metadata' });
  for (const [name, value] of pairs) {
    if (name.length <= 64 && typeof value === 'string' && value.length <= 512) continue;
    refuse(`Invalid 'metadata.${name}': expected a string of at most 512 characters.`, { param: `metadata.${name}` });
  }
}

function shownBatch({ id, request, createdAt, readyAt, cancelledAt, outcome }: StoredBatch) {
  const isFailed = outcome !== undefined && outcome.faults.length > 0;
  const status = cancelledAt
    ? 'cancelled'
    : outcome
      ? isFailed
        ? 'failed'
        : 'completed'
      : Date.now() > readyAt - batchMs / 2
        ? 'in_progress'
        : 'validating';
  const total = outcome ? outcome.completed + outcome.failed : 0;
  const end = outcome ? Math.floor(readyAt / 1000) : null;
  return {
    id,
    object: 'batch',
    endpoint: request['endpoint'],
    errors: isFailed ? { object: 'list', data: outcome.faults } : null,
    input_file_id: request['input_file_id'],
    completion_window: '24h',
    status,
    output_file_id: outcome?.outputFile ?? null,
    error_file_id: outcome?.errorFile ?? null,
    created_at: createdAt,
    in_progress_at: status === 'validating' ? null : createdAt,
    expires_at: createdAt + 86_400,
    finalizing_at: isFailed ? null : end,
    completed_at: isFailed ? null : end,
    failed_at: isFailed ? end : null,
    expired_at: null,
    cancelling_at: cancelledAt ?? null,
    cancelled_at: cancelledAt ?? null,
    request_counts: { total, completed: outcome?.completed ?? 0, failed: outcome?.failed ?? 0 },
    metadata: request['metadata'] ?? null,
  };
}

interface Line {
  readonly custom_id?: unknown;
  readonly method?: unknown;
  readonly url?: unknown;
  readonly body?: unknown;
}

function run(
  { content, shown }: StoredFile,
  endpoint: string,
  answer: (path: string, body: Readonly<Record<string, unknown>>) => Reply,
  keep: (name: string, purpose: string, content: Buffer) => StoredFile,
): Outcome {
  const texts = content
    .toString()
    .split('\n')
    .filter((text) => text.trim() !== '');
  const seen = new Set<unknown>();
  const faults = texts.flatMap((text, index) => faultOf(text, endpoint, seen, index + 1));
  if (faults.length > 0) return { outputFile: null, errorFile: null, completed: 0, failed: 0, faults };
  const results = texts.map((text) => {
    const line = JSON.parse(text) as Line & { readonly body: Readonly<Record<string, unknown>> };
    const { status = 200, json } = answer(endpoint, line.body);
    const response = { status_code: status, request_id: randomId(16), body: json };
    return { id: `batch_req_${randomId(16)}`, custom_id: line.custom_id, response, error: null };
  });
  const [good, bad] = [results.filter(isGood), results.filter((one) => !isGood(one))];
  const stored = (lines: readonly object[], name: string) =>
    lines.length === 0
      ? null
      : keep(name, 'batch_output', Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))).shown.id;
  return {
    outputFile: stored(good, `${shown.id}_output.jsonl`),
    errorFile: stored(bad, `${shown.id}_error.jsonl`),
    completed: good.length,
    failed: bad.length,
    faults,
  };
}

const isGood = ({ response }: { readonly response: { readonly status_code: number } }) => response.status_code === 200;

function faultOf(text: string, endpoint: string, seen: Set<unknown>, line: number): readonly object[] {
  const fault = (code: string, message: string, param: string | null = null) => [{ code, message, param, line }];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fault('invalid_json_line', 'This line is not parseable as valid JSON.');
  }
  const { custom_id: id, method, url, body } = (isRecord(value) ? value : {}) as Line;
  if (id === undefined)
    return fault('missing_required_parameter', 'Missing required parameter: custom_id.', 'custom_id');
  if (seen.has(id)) {
    return fault(
      'duplicate_custom_id',
      `The custom_id for this request is a duplicate of another request.`,
      'custom_id',
    );
  }
  seen.add(id);
  if (method !== 'POST') return fault('invalid_method', 'Invalid method. Only POST is supported.', 'method');
  if (url !== endpoint) {
    return fault('mismatched_url', 'The URL provided for this request does not match the batch endpoint.', 'url');
  }
  return isRecord(body) ? [] : fault('missing_required_parameter', 'Missing required parameter: body.', 'body');
}

function pageOf(all: readonly { readonly id: string }[], query: URLSearchParams): Reply {
  const limit = Number(query.get('limit') ?? 20);
  if (!Number.isInteger(limit) || limit < 1 || limit > 10_000) {
    refuse(`Invalid 'limit': integer below minimum value. Expected a value >= 1, but got ${limit} instead.`, {
      param: 'limit',
    });
  }
  const newest = all.toReversed();
  const after = query.get('after');
  const from = after === null ? 0 : newest.findIndex(({ id }) => id === after) + 1;
  if (after !== null && from === 0) refuse(`No object found with id '${after}'.`, { status: 404, param: 'after' });
  const data = newest.slice(from, from + limit);
  const ids = { first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
  return { json: { object: 'list', data, ...ids, has_more: from + limit < newest.length } };
}
