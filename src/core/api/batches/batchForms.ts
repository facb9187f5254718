import type { AtomicFile } from '../../storage/atomicFile';
import { inSnakeCase } from '../envelope';
import { isObject } from '../isObject';
import { toNumber, toText } from '../tolerant';
import { tooLarge } from '../transport/download';

type Fields = Readonly<Record<string, unknown>>;

/** The names that services give to members of a batch, in the order in which they are looked for. All names are in snake case. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  // Fireworks and Google name a job by its path, and Amazon by its ARN.
  id: ['batch_id', 'job_id', 'task_id', 'job_arn', 'name'],
  status: ['state', 'processing_status', 'job_state', 'job_status', 'run_status', 'phase'],
  errors: wordsIn(
    'error error_message failure_reason failure_message error_info error_msg fail_reason validation_errors',
    'status_details status_reason status_message cancel_by_xai_message partial_failures',
  ),
  // Azure has URLs of the storage of an account that has its own.
  input_file_id: ['input_file', 'input_files', 'input_blob'],
  output_file_id: wordsIn(
    'output_file output_files output_file_ids result_file_id result_file output_blob responses_file',
    'output_url output_urls output_file_url result_url results_file_url',
  ),
  error_file_id: ['error_file', 'error_files', 'error_file_ids', 'error_blob', 'error_file_url', 'error_url'],
  created_at: ['create_time', 'submitted_at', 'submit_time'],
  in_progress_at: ['started_at', 'start_time'],
  expires_at: ['expire_time'],
  completed_at: ['ended_at', 'end_time'],
  cancelled_at: ['cancel_time'],
};

function wordsIn(...lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split(' '));
}

/** The members in which services put a batch, such as Together, which sends `{job, warning}`. */
const wrapperNames = ['data', 'job', 'batch', 'result', 'response'];

const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && /^\s*(?:null|none)?\s*$/i.test(value)) ||
  (Array.isArray(value) && value.length === 0);

/**
 * Gives the members of a batch in the form of any service the names of the reference. A batch is alone, in a list, or in an object, and
 * Google's is an operation.
 */
export function asReference(provided: unknown): unknown {
  const found = batchIn(provided);
  if (!isObject(found)) return found;
  const json = withStatus(withoutOperation(found));
  const renamed: Record<string, unknown> = {};
  for (const [name, others] of Object.entries(otherNames)) {
    const value = [name, ...others].map((one) => json[one]).find((one) => !isNothing(one));
    renamed[name] = name === 'errors' ? value : fileIn(value);
  }
  // A message of a failed batch can only be the reason.
  const isReason = statusOf(toText(renamed['status'])) === 'failed' && isNothing(renamed['errors']);
  return {
    ...json,
    ...Object.fromEntries(Object.entries(renamed).filter(([, value]) => value !== undefined)),
    ...(isNothing(json['errors']) && {
      errors: isReason ? (json['message'] ?? json['detail'] ?? json['reason']) : renamed['errors'],
    }),
    ...nameIn(json),
    request_counts: countsIn(json),
  };
}

/** Properties of a batch that contain objects. Their content isn't part of the batch, whatever a user's metadata contains. */
const ownNames = new Set(['metadata', 'errors', 'error', 'request_counts', 'usage']);

/** Returns the object that is a batch, within whatever a service puts around it. */
function batchIn(provided: unknown): unknown {
  const json: unknown = Array.isArray(provided) && provided.length === 1 ? provided[0] : provided;
  if (!isObject(json)) return json;
  const own = inSnakeCase(json);
  if (isBatch(own) && (isOperation(own) || batchNames.some((name) => has(own, name)))) return own;
  const names = isBatch(own) ? wrapperNames : [...new Set([...wrapperNames, ...Object.keys(own)])];
  const inner = names
    .filter((name) => !ownNames.has(name))
    .map((name) => own[name])
    .map((value) => (Array.isArray(value) && value.length === 1 ? (value as readonly unknown[])[0] : value))
    .filter(isObject)
    .map(inSnakeCase);
  const wrapped = inner.find(isBatch) ?? (isId(own['id']) ? undefined : inner[0]);
  return wrapped ?? own;
}

/** Members that only batches have: an envelope has an ID and a status too, those of the answer. */
const batchNames = [
  'endpoint',
  'request_counts',
  ...Object.keys(otherNames).filter((name) => !['id', 'status', 'errors'].includes(name)),
];

const has = (json: Fields, name: string): boolean =>
  [name, ...(otherNames[name] ?? [])].some((one) => isId(json[one]) || isObject(json[one]));

/** The status of an envelope can also be a boolean. */
function isBatch(json: Fields): boolean {
  return isOperation(json) || (has(json, 'id') && has(json, 'status'));
}

const isId = (value: unknown): boolean => (typeof value === 'string' && value !== '') || typeof value === 'number';

/** Whether an object is one of Google's operations, which have the batch in their metadata, its state too. */
function isOperation(json: Fields): boolean {
  const { name, done, metadata } = json;
  if (has(json, 'status')) return false;
  const { batch_stats: stats, state } = inSnakeCase(metadata);
  return isId(name) && (typeof done === 'boolean' || isObject(stats) || /^(BATCH|JOB)_STATE_/.test(String(state)));
}

/** https://ai.google.dev/api/batch-api: the state is in the metadata, and the output in them or in the response. */
function withoutOperation(json: Fields): Fields {
  if (!isOperation(json)) {
    const holders = [json['dest'], json['output'], json['response']];
    return Object.assign({ ...json }, ...holders.map(outputIn)) as Fields;
  }
  const { metadata, done, error, response, ...others } = json;
  const facts = inSnakeCase(metadata);
  const ended = isNothing(error) ? 'succeeded' : 'failed';
  const state = facts['state'] ?? (done === true ? ended : 'running');
  return { ...facts, ...others, error, state, ...outputIn(facts['output']), ...outputIn(response) };
}

/** Returns the file of the responses, or that the batch has them in itself. */
function outputIn(holder: unknown): Fields {
  const { responses_file: file, file_name: sdk } = inSnakeCase(holder);
  const named = [file, sdk].find((one) => !isNothing(one));
  if (named !== undefined) return { output_file_id: named };
  return inlineIn(holder).length > 0 ? { has_own_results: true } : {};
}

/** Google has its list of responses in an object of the same name. */
function inlineIn(holder: unknown): readonly unknown[] {
  const { inlined_responses: responses, inlined_embed_content_responses: vectors = responses } = inSnakeCase(holder);
  const lists = [vectors, ...(isObject(vectors) ? Object.values(vectors) : [])];
  return lists.find((one): one is readonly unknown[] => Array.isArray(one)) ?? [];
}

/** Returns the results in a batch, or in a page of them as at xAI, and the parameter for the next page if there is one. */
export function resultsIn(json: unknown): {
  readonly results: readonly unknown[];
  readonly next: PageToken | undefined;
} {
  const own = inSnakeCase(json);
  const { metadata, response, dest, output, results, data } = own;
  const holders = [response, inSnakeCase(metadata)['output'], dest, output];
  const inline = holders.map(inlineIn).find(({ length }) => length > 0);
  const page = [results, data].find((one): one is readonly unknown[] => Array.isArray(one));
  const next = pageTokens.flatMap(([name, parameter]) => {
    const token = toText(own[name]);
    return token === undefined || token === '' ? [] : [{ [parameter]: token }];
  });
  return { results: inline ?? page ?? [], next: next[0] };
}

/** The names of the token of the next page, and the parameters with which it is sent. */
const pageTokens = [
  ['pagination_token', 'pagination_token'],
  ['next_page_token', 'pagination_token'],
  ['next_cursor', 'cursor'],
] as const;

/** At 100 results a page, these are a million. */
const mostPages = 10_000;

type PageToken = Readonly<Record<string, string>>;

/** Yields the results of a batch at a service that has them at their own path. `read` requests a page. */
export async function* resultPages(
  read: (query: Readonly<Record<string, string | number>>) => Promise<unknown>,
): AsyncGenerator<readonly unknown[]> {
  let token: PageToken | undefined;
  for (let count = 0; count < mostPages; count++) {
    const { results, next } = resultsIn(await read({ limit: 100, ...token }));
    yield results;
    // A server that ignores the token sends the same page forever.
    if (next === undefined || results.length === 0 || JSON.stringify(next) === JSON.stringify(token)) return;
    token = next;
  }
}

/** Writes the results of pages, one per line. Throws kind `badResponse` once the file has more than `maxBytes`. */
export async function addPages(
  pages: AsyncIterable<readonly unknown[]>,
  maxBytes: number,
  to: AtomicFile,
): Promise<void> {
  for await (const results of pages) {
    for (const one of results) await to.line(Buffer.from(JSON.stringify(one)));
    if (to.bytes > maxBytes) throw tooLarge(maxBytes);
  }
}

/** Reads states that are an object: a word with a message, or the counts of requests, as at xAI. */
function withStatus(json: Fields): Fields {
  const { status, ...rest } = json;
  const counts = inSnakeCase(json['state']);
  if (toNumber(counts['num_requests']) !== undefined) return { ...json, ...stateByCounts(counts, json) };
  const stated = inSnakeCase(isObject(status) ? status : json['state']);
  const word = ['state', 'phase', 'status', 'name'].map((name) => stated[name]).find((one) => isId(one));
  if (word !== undefined) return { ...json, status: word, message: stated['message'] ?? json['message'] };
  if (!isObject(status)) return json;
  // Fireworks has the state in a separate property, and in `status` the error, or that there is none.
  return isNothing(status['message']) ? rest : { ...rest, error: rest['error'] ?? status };
}

/** https://docs.x.ai/docs/guides/batch-api: the results have a separate path. */
function stateByCounts(counts: Fields, { cancel_time: canceledAt }: Fields): Fields {
  const of = (...names: readonly string[]) =>
    firstNumber(
      counts,
      names.map((name) => `num_${name}`),
    ) ?? 0;
  const ended = of('success', 'succeeded') + of('error', 'errored', 'failed') + of('cancelled', 'canceled');
  // Canceled requests aren't always counted.
  const isAll = ended >= of('requests') || (!isNothing(canceledAt) && !isNothing(counts['num_pending']));
  const isOver = of('pending') + of('processing') === 0 && isAll;
  const isCanceled = !isNothing(canceledAt) || (of('cancelled', 'canceled') > 0 && isOver);
  const status = isCanceled
    ? isOver
      ? 'cancelled'
      : 'cancelling'
    : of('requests') === 0
      ? 'in_queue'
      : isOver
        ? 'completed'
        : 'in_progress';
  const hasResults = isOver && of('success', 'succeeded') + of('error', 'errored', 'failed') > 0;
  return { status, request_counts: counts, ...(hasResults && { has_own_results: true }) };
}

/** A file can be described in place of its ID, and be the only one of a list. */
function fileIn(value: unknown): unknown {
  const one: unknown = Array.isArray(value) ? value[0] : value;
  if (!isObject(one)) return one;
  const { id, file_id: fileId, name, url } = inSnakeCase(one);
  return [id, fileId, name, url].find((text) => isId(text));
}

/** Returns the user's name of a batch, as metadata that contain it. */
function nameIn(json: Fields): Fields {
  const { metadata, display_name: display, job_name: job, batch_id: id, name } = json;
  const own = [display, job, id === undefined ? undefined : name].find((one) => typeof one === 'string' && one !== '');
  return isObject(metadata) || own === undefined ? {} : { metadata: { name: own } };
}

const totals = wordsIn(
  'total total_requests total_input_requests num_requests request_count total_count num_records total_record_count',
);
const successes = wordsIn(
  'completed succeeded success succeeded_requests successfully_processed_requests completed_requests num_success',
  'successful_request_count successful_count num_successful_records success_record_count',
);
const failures = wordsIn(
  'failed errored error failed_requests failed_request_count failed_count num_error num_failed_records error_record_count',
);

function firstNumber(json: Fields, names: readonly string[]): number | undefined {
  return names.map((name) => toNumber(json[name])).find((one) => one !== undefined);
}

/** Some services have the counts next to the other properties, under other names. */
function countsIn(json: Fields): unknown {
  const holders = ['request_counts', 'job_progress', 'batch_stats', 'completion_stats'];
  const own = holders.map((name) => json[name]).find(isObject);
  const counts = own ? inSnakeCase(own) : json;
  const [stated, completed, failed] = [totals, successes, failures].map((names) => firstNumber(counts, names));
  if (own === undefined && stated === undefined) return undefined;
  const rest = toNumber(counts['incomplete_count']);
  return {
    total: stated ?? (rest === undefined ? undefined : rest + (completed ?? 0) + (failed ?? 0)),
    completed,
    failed,
  };
}

/** Other services' words for a status, in lower case and without a prefix such as `JOB_STATE_`. */
const otherStatuses: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    in_queue: wordsIn(
      'pending queued queueing enqueued created creating submitted waiting not_started notrunning unstarted scheduled accepted',
      'preparing preparing_input initializing initialising starting',
    ),
    validating: ['checking', 'validation', 'in_validation'],
    in_progress: wordsIn('running processing inprogress started active progress executing updating'),
    finalizing: ['finalising', 'writing_results'],
    completed: wordsIn(
      'complete succeeded success successful done finished ended processed',
      'partial partially_succeeded partially_completed partial_success completed_with_errors completed_with_failures',
    ),
    failed: wordsIn('failure error errored rejected invalid validation_failed validation_error'),
    expired: ['timeout', 'timed_out', 'timeout_exceeded'],
    cancelling: wordsIn('canceling cancellation_requested cancel_requested aborting stopping terminating'),
    cancelled: wordsIn('canceled aborted stopped terminated early_stopped killed'),
  }).flatMap(([status, words]) => [status, ...words].map((word) => [word, status])),
);

/** Returns the reference's word for a service's status in any case, and an unknown status unchanged. */
export function statusOf(status: string | undefined): string {
  const word = (status ?? '')
    .trim()
    .replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`)
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
  const bare = word.replace(/^(job_state|batch_state|job_status|batch_status|state|status)_/, '');
  return otherStatuses[bare] ?? (status?.trim() || 'unknown');
}
