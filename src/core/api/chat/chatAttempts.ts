import type { ClientOptions } from '../clientOptions';
import { ApiError, isApiError } from '../errors';
import type { MessageRequest } from '../messages/messages.schema';
import { adaptedWay, type Adaptation } from './adaptedWay';
import { chatPaths, chatWayOf, serviceOf } from './chatWays';
import type { ChatWay, Dialect } from './chatWays';

/** How one request for a chat is sent. */
export interface Attempt {
  readonly dialect: Dialect;
  readonly way: ChatWay;
}

/** Returns the first attempt of a call, then the next one after each error before an answer. Throws the error if no attempt is left. */
export type NextAttempt = (error?: unknown) => Attempt;

/**
 * Chooses the endpoint for each chat and how the service and model want it, and remembers what their responses show. If the service is
 * unknown, a model whose first chat fails is requested once at the other endpoint, because gateways reject one in many ways.
 */
export class ChatAttempts {
  /** For URLs without a version, whose missing endpoints are not stored. */
  private readonly lacking = new Set<Dialect>();

  constructor(private readonly options: ClientOptions) {}

  /** Starts a call. */
  of(request: MessageRequest): NextAttempt {
    const { model } = request;
    const left = this.dialects(request).filter((dialect) => dialect !== undefined);
    const hasChoice = left.length > 1;
    /** The error of the first endpoint, while the other one is only tried. */
    let first: unknown;
    let last: Attempt | undefined;
    /** Only once per call, because an option of the model can differ from what is learned forever. */
    let mayFollow = true;
    return (error) => {
      if (!last) return (last = { dialect: left.shift()!, way: this.wayOf(model) });
      if (!isApiError(error)) throw first ?? error;
      if (error.details.generated !== undefined) throw error;
      if (isAboutEndpoint(error)) {
        if (error.kind === 'notFound') this.lacking.add(last.dialect);
        const dialect = left.shift();
        if (dialect) return (last = { dialect, way: this.wayOf(model) });
        if (hasChoice && first === undefined && error.kind === 'notOffered') throw neither(error);
      }
      const now = this.wayOf(model);
      if (mayFollow && error.details.maybeBilled !== true && JSON.stringify(now) !== JSON.stringify(last.way)) {
        // Another call has learned it in the meantime.
        mayFollow = false;
        return (last = { ...last, way: now });
      }
      const adapted = this.adapt(request, last, error);
      if (adapted) return (last = adapted);
      const dialect = this.isFirstEver(request) && mayBeAboutEndpoint(error) ? left.shift() : undefined;
      if (!dialect) throw first ?? error;
      first = error;
      return (last = { dialect, way: this.wayOf(model) });
    };
  }

  /** Call this when an attempt is answered. */
  succeeded(request: MessageRequest, { dialect }: Attempt): void {
    if (serviceOf(this.options) !== undefined) return;
    this.options.learned?.learn(request.model, { [purposeOf(request)]: dialect });
  }

  private wayOf(model: string): ChatWay {
    const { streams } = this.options.modelOptions?.(model) ?? {};
    return {
      ...chatWayOf(serviceOf(this.options)),
      ...this.options.learned?.of(model).way,
      ...(streams !== undefined && { streams }),
    };
  }

  private adapt(request: MessageRequest, last: Attempt, error: ApiError): Attempt | undefined {
    const { learned, onAdapt } = this.options;
    const { model } = request;
    const adaptation = adaptedWay(last, request, error);
    if (!adaptation) return undefined;
    learned?.learn(model, { way: adaptation.way });
    onAdapt?.({ model, change: adaptation.change });
    return { ...last, way: { ...last.way, ...adaptation.way } };
  }

  private dialects(request: MessageRequest): readonly [Dialect, Dialect?] {
    const { endpoint } = this.options.modelOptions?.(request.model) ?? {};
    if (endpoint) return [endpoint];
    const known = this.options.learned?.of(request.model);
    const purpose = purposeOf(request);
    // The endpoint of other chats is the likelier one, and the other is still tried.
    const similar = purpose === 'chatWithToolsAndImages' ? (known?.chatWithImages ?? known?.chatWithTools) : undefined;
    const learned = known?.[purpose] ?? similar ?? known?.chat;
    const { first = 'chatCompletions' } = learned ? { first: learned } : this.wayOf(request.model);
    const other = first === 'messages' ? 'chatCompletions' : 'messages';
    return this.isMissing(first) && !this.isMissing(other) ? [other, first] : [first, other];
  }

  private isFirstEver(request: MessageRequest): boolean {
    return (
      serviceOf(this.options) === undefined && this.options.learned?.of(request.model)[purposeOf(request)] === undefined
    );
  }

  private isMissing(dialect: Dialect): boolean {
    const { offers, clock = Date.now } = this.options;
    return this.lacking.has(dialect) || offers.isMissing(`POST ${chatPaths[dialect]}`, clock());
  }
}

/** The change of a request after the service rejected it. */
export interface Adapted {
  readonly model: string;
  readonly change: Adaptation['change'];
}

function purposeOf({
  tools,
  messages,
}: MessageRequest): 'chat' | 'chatWithTools' | 'chatWithImages' | 'chatWithToolsAndImages' {
  const hasTools = tools && tools.length > 0;
  const hasImages = messages.some(
    ({ content }) => typeof content !== 'string' && content.some(({ type }) => type === 'image'),
  );
  if (hasTools) return hasImages ? 'chatWithToolsAndImages' : 'chatWithTools';
  return hasImages ? 'chatWithImages' : 'chat';
}

/** A URL without a version might be wrong, or that of a service without versions. */
function isAboutEndpoint({ kind, details }: ApiError): boolean {
  return kind === 'notOffered' || (kind === 'notFound' && details.hint === 'missingVersion');
}

const endpointStatuses: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 422]);

/** Whether a rejection might mean that the endpoint exists in name only. */
function mayBeAboutEndpoint({ kind, details: { status = 0, hint } }: ApiError): boolean {
  if (kind === 'balance' || kind === 'rateLimit') return false;
  return endpointStatuses.has(status) || status >= 500 || hint === 'webPage';
}

function neither({ kind, details }: ApiError): ApiError {
  const endpoint = Object.values(chatPaths)
    .map((path) => `POST ${path}`)
    .join(', ');
  return new ApiError({ ...details, kind, endpoint, message: `The service does not support ${endpoint}.` });
}
