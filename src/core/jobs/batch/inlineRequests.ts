import * as l10n from '@vscode/l10n';
import { toMessageParams } from '../../api/chat/toMessageRequest';
import { objectOf, parseObject, textOf, toJson } from '../../batch/scan/jsonValue';
import type { JsonObject } from '../../batch/scan/jsonValue';
import { isMakingError } from '../../batch/making/makingError';
import { readLines } from '../../batch/transform/lines';
import { openAtomic } from '../../storage/atomicFile';
import { StepFailure } from '../job';
import type { BatchService } from './batchService';

/** What a batch needs to be created in a call that has all its requests. */
export interface InlineRequests {
  /** The file with the requests as the service takes them, one a line, without a line break at its end. */
  readonly path: string;
  /** Of all requests, where the service takes one batch for each. */
  readonly endpoint?: string;
  readonly model?: string;
}

/**
 * Writes the requests of a batch file to `to` as the service takes them. Chat completions are said as messages where the service has
 * only those. Throws `StepFailure` of kind `input` for the first line that cannot be said, and file system errors.
 */
export async function writeInlineRequests(
  source: string,
  {
    form,
    model,
    to,
    signal,
    onProgress,
  }: {
    readonly form: Exclude<BatchService['batches']['form'], 'file'>;
    /** Replaces the model of each request. */
    readonly model: string | undefined;
    readonly to: string;
    readonly signal?: AbortSignal | undefined;
    readonly onProgress?: ((readBytes: number) => void) | undefined;
  },
): Promise<InlineRequests> {
  const reader = form === 'anthropic' ? new MessageRequests(model) : new CommonRequests(model);
  const file = await openAtomic(to);
  try {
    let isFirst = true;
    for await (const lines of readLines(source, { ...(signal && { signal }), ...(onProgress && { onProgress }) })) {
      for (const { bytes, number } of lines) {
        const text = reader.read(bytes.toString('utf8'), number);
        await file.write(Buffer.from(isFirst ? text : `\n${text}`));
        isFirst = false;
      }
    }
    if (isFirst) throw inputFailure(l10n.t('The file has no requests.'));
    reader.finish();
    await file.place();
    return { path: to, ...reader.shared };
  } catch (error) {
    await file.discard();
    throw isMakingError(error) ? inputFailure(error.message) : error;
  }
}

/** The service accepts no others in a Message Batch. */
const messageId = /^[\w-]{1,64}$/;

/** Says each request as Anthropic takes it. */
class MessageRequests {
  readonly shared = {};

  finish(): void {}

  constructor(private readonly model: string | undefined) {}

  read(text: string, line: number): string {
    const request = requestIn(text, line);
    const id = idOf(request, line);
    if (!messageId.test(id)) {
      throw lineFailure(
        line,
        l10n.t(
          'Anthropic requires a custom_id of up to 64 letters, digits, hyphens, and underscores, not "{0}".',
          cut(id),
        ),
      );
    }
    const isOwnForm = Object.keys(request).length === 2 && objectOf(request['params']) !== undefined;
    if (isOwnForm && this.model === undefined) return text.trim();
    const params = this.paramsOf(request, line);
    return JSON.stringify({
      custom_id: id,
      params: this.model === undefined ? params : { ...params, model: this.model },
    });
  }

  private paramsOf(request: JsonObject, line: number): object {
    const { params, body, url } = request;
    const own = objectOf(params);
    if (own) return own;
    const parsed = objectOf(body);
    if (!parsed) throw lineFailure(line, l10n.t('"params" or "body" is missing.'));
    if (isPath(url, 'messages')) return parsed;
    if (url !== undefined && !isPath(url, 'chat/completions')) {
      throw lineFailure(line, l10n.t("Anthropic doesn't support batches for {0}.", cut(toJson(url))));
    }
    const converted = toMessageParams(this.model === undefined ? parsed : { ...parsed, model: this.model });
    if ('params' in converted) return converted.params;
    const { member } = converted;
    throw lineFailure(
      line,
      member === undefined
        ? l10n.t('Only chat requests can be sent to Anthropic.')
        : l10n.t('Anthropic doesn\'t support "{0}".', cut(member)),
    );
  }
}

/** Says each request as OpenRouter takes it: all of them for one endpoint and one model. */
class CommonRequests {
  private endpoint: string | undefined;
  private first: string | undefined;

  constructor(private readonly model: string | undefined) {}

  get shared() {
    const model = this.model ?? this.first;
    return { ...(this.endpoint !== undefined && { endpoint: this.endpoint }), ...(model !== undefined && { model }) };
  }

  finish(): void {
    if (this.first === undefined) throw inputFailure(l10n.t('No model specified. Select a model for all requests.'));
  }

  read(text: string, line: number): string {
    const request = requestIn(text, line);
    const { body, params, url } = request;
    const parsed = objectOf(body) ?? objectOf(params);
    if (!parsed) throw lineFailure(line, l10n.t('"params" or "body" is missing.'));
    const endpoint = objectOf(body) ? endpointOf(url) : '/v1/messages';
    this.endpoint ??= endpoint;
    if (endpoint !== this.endpoint) {
      throw lineFailure(
        line,
        l10n.t('This request uses "{0}", but earlier ones use "{1}".', cut(endpoint), cut(this.endpoint)),
      );
    }
    // A request without a model gets that of the batch.
    const model = this.model ?? textOf(parsed['model']);
    this.first ??= model;
    if (model !== undefined && model !== this.first) {
      throw lineFailure(
        line,
        l10n.t('This request uses the model "{0}", but earlier ones use "{1}".', cut(model), cut(this.first ?? '')),
      );
    }
    return JSON.stringify({
      custom_id: idOf(request, line),
      body: model === undefined ? parsed : { ...parsed, model },
    });
  }
}

const endpoints = /(?:^|\/)(chat\/completions|responses|messages|embeddings)\/?$/;

/** Lines may have the whole address, or leave out the version. */
function endpointOf(url: unknown): string {
  if (typeof url !== 'string') return '/v1/chat/completions';
  const [, path] = endpoints.exec(url) ?? [];
  return path === undefined ? url : `/v1/${path}`;
}

function isPath(url: unknown, path: string): boolean {
  return typeof url === 'string' && endpointOf(url) === `/v1/${path}`;
}

function requestIn(text: string, line: number): JsonObject {
  const request = parseObject(text);
  if (request) return request;
  throw lineFailure(line, l10n.t("The line isn't a JSON object."));
}

function idOf({ custom_id: id }: JsonObject, line: number): string {
  if (typeof id === 'string' && id !== '') return id;
  throw lineFailure(line, l10n.t('"custom_id" must be a non-empty string.'));
}

const cut = (text: string) => (text.length > 80 ? `${text.slice(0, 80)}…` : text);

function lineFailure(line: number, why: string): StepFailure {
  return inputFailure(l10n.t('Line {0}: {1}', line, why));
}

function inputFailure(message: string): StepFailure {
  return new StepFailure({ kind: 'input', message });
}
