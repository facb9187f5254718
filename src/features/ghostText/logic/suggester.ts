import { join } from 'node:path';
import { offerMemoryMs } from '../../../core/api/offers';
import type { OfferStore } from '../../../core/api/offers';
import type { CompletionRequest } from '../../../core/api/completions/completions.schema';
import { ApiError, isApiError } from '../../../core/api/errors';
import type { GateWait } from '../../../core/api/transport/gate';
import type { CursorContext } from '../../../core/ghostText/cursorContext';
import { toRequest, withoutSuffix } from '../../../core/ghostText/request';
import { isEnough } from '../../../core/ghostText/trim';
import { createNetworkMemory } from '../../../services/account/networkMemory';
import type { Profile } from '../../../services/account/account';
import type { Services } from '../../../services/services';
import type { GhostSubject } from '../chosenModel';

/** A suggestion that takes longer arrives when the user is already elsewhere. */
const longestMs = 10_000;

interface Running {
  readonly model: string;
  readonly ending: AbortController;
  waited?: GateWait;
}

/** Requests suggestions from the service, one at a time. */
export class Suggester {
  private readonly memory;
  private readonly refusals = new Map<string, Promise<OfferStore>>();
  private running: Running | undefined;

  /** `onChange` is called when displayed state has changed. */
  constructor(
    private readonly services: Services,
    private readonly onChange: () => void,
    private readonly limitMs = longestMs,
  ) {
    this.memory = createNetworkMemory(join(services.context.globalStorageUri.fsPath, 'ghostText'));
  }

  get isBusy(): boolean {
    return this.running !== undefined;
  }

  /** When the model refused the text after the cursor, in Unix milliseconds; `undefined` if it accepts it or was never asked. */
  async refusedAt({ profile, model }: GhostSubject): Promise<number | undefined> {
    const at = (await this.refusalsOf(profile)).missingSince(model);
    return at !== undefined && Date.now() - at < offerMemoryMs ? at : undefined;
  }

  /** Clears the refusal, so that the text after the cursor is sent again. */
  async forgetRefusal({ profile, model }: GhostSubject): Promise<void> {
    (await this.refusalsOf(profile)).setOffered(model);
    this.onChange();
  }

  /** Resolves to the raw answer. A newer call aborts an older one, which then rejects. */
  async ask(subject: GhostSubject, place: CursorContext, signal: AbortSignal): Promise<string> {
    this.running?.ending.abort();
    const running: Running = { model: subject.model, ending: new AbortController() };
    this.running = running;
    this.onChange();
    const timer = setTimeout(() => running.ending.abort('slow'), this.limitMs);
    const waiting = this.services.connections.onDidWait((wait) => leaveQueue(running, wait));
    try {
      return await this.fillInOrContinue(subject, place, AbortSignal.any([signal, running.ending.signal]));
    } catch (error) {
      throw reasonOf(running) ?? error;
    } finally {
      clearTimeout(timer);
      waiting.dispose();
      if (this.running === running) this.running = undefined;
      this.onChange();
    }
  }

  /** Sends the text after the cursor too, unless the model is known to refuse it; then, or as soon as it does, only continues. */
  private async fillInOrContinue(subject: GhostSubject, place: CursorContext, signal: AbortSignal): Promise<string> {
    const { settings, log } = this.services;
    const whole = toRequest(place, subject.model, settings.get('ghostText.maxTokens'));
    const request = (await this.refusedAt(subject)) === undefined ? whole : withoutSuffix(whole);
    try {
      return await this.stream(subject, place, { request, signal });
    } catch (error) {
      if (request.suffix === undefined || !isApiError(error) || error.kind !== 'badRequest') throw error;
      const refused = namesSuffix(error);
      if (refused) await this.remember(subject);
      const answer = await this.stream(subject, place, { request: withoutSuffix(request), signal });
      if (!refused) await this.remember(subject);
      log.info(
        `${subject.model} rejected text after the cursor (${error.message}), so inline suggestions continue without it.`,
      );
      return answer;
    }
  }

  private async stream(
    { profile }: GhostSubject,
    place: CursorContext,
    { request, signal }: { readonly request: CompletionRequest; readonly signal: AbortSignal },
  ): Promise<string> {
    const { completions } = await this.services.connections.client(profile.id, { purpose: 'ghostText' });
    signal.throwIfAborted();
    let answer = '';
    for await (const event of completions.stream(request, signal)) {
      if (event.type !== 'text') continue;
      answer += event.text;
      if (isEnough(answer, place)) break;
    }
    return answer;
  }

  private async remember({ profile, model }: GhostSubject): Promise<void> {
    (await this.refusalsOf(profile)).setMissing(model, Date.now());
    this.onChange();
  }

  /** Refusals are stored like missing endpoints, with the model as the key: both are tried again after a day. */
  private refusalsOf({ id, baseUrl }: Profile): Promise<OfferStore> {
    const key = `${id} ${baseUrl}`;
    const known = this.refusals.get(key) ?? this.memory.offers(id, baseUrl);
    this.refusals.set(key, known);
    return known;
  }
}

/** Aborts instead of waiting at a rate limit: a suggestion after the wait would come too late. */
function leaveQueue(running: Running, wait: GateWait): void {
  if (wait.endpoint !== 'POST /completions' || wait.model !== running.model) return;
  running.waited = wait;
  running.ending.abort();
}

/** Returns why the request was aborted, unless the user did it. */
function reasonOf({ ending, waited, model }: Running): ApiError | undefined {
  const endpoint = 'POST /completions';
  if (waited) {
    const { reason, limit, until } = waited;
    const retryAfterMs = Math.max(0, until - Date.now());
    return new ApiError({ kind: reason, message: `It waits: ${reason}.`, limit, retryAfterMs, endpoint, model });
  }
  if (ending.signal.reason !== 'slow') return undefined;
  return new ApiError({
    kind: 'timeout',
    message: 'No suggestion in time.',
    phase: 'total',
    sent: true,
    endpoint,
    model,
  });
}

function namesSuffix({ message, details }: ApiError): boolean {
  return details.parameter === 'suffix' || /\bsuffix\b/i.test(message);
}
