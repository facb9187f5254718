import { eachEvent } from '../../../../src/core/api/eachEvent';
import type { StreamObserver } from '../../../../src/core/api/eachEvent';
import { ApiError } from '../../../../src/core/api/errors';
import type { MessageEvent } from '../../../../src/core/api/messages/messageEvents';
import type { CallWatch } from '../../../../src/core/api/transport/transport';
import type { MessageRequest } from '../../../../src/core/api/messages/messages.schema';

/** A stream the test feeds by hand. */
export function createHandFedService() {
  const requests: MessageRequest[] = [];
  type Push = (event: MessageEvent | Error | undefined) => void;
  let push: Push = () => {};
  const pushes = new Map<string, Push>();
  let started: () => void = () => {};
  const service = {
    requests,
    aborted: 0,
    /** Resolves when the next request arrived. */
    asked: Promise.resolve(),
    awaitNext() {
      service.asked = new Promise((resolve) => (started = resolve));
    },
    say(...events: readonly (MessageEvent | Error | undefined)[]) {
      for (const event of events) push(event);
    },
    /** To the newest request with this model, where several models are asked at once. */
    sayTo(model: string, ...events: readonly (MessageEvent | Error | undefined)[]) {
      for (const event of events) pushes.get(model)?.(event);
    },
    /** What the last request told of itself. */
    watch: undefined as CallWatch | undefined,
    stream(
      { watch, ...request }: MessageRequest & { readonly watch?: CallWatch | undefined },
      signal?: AbortSignal,
      observer?: StreamObserver<MessageEvent>,
    ): AsyncIterable<MessageEvent> {
      const open = async function* () {
        service.watch = watch;
        const queue: (MessageEvent | Error | undefined)[] = [];
        let wake = () => {};
        const own: Push = (event) => {
          queue.push(event);
          wake();
        };
        push = own;
        pushes.set(request.model, own);
        signal?.addEventListener('abort', () => own(new ApiError({ kind: 'aborted', message: 'aborted' })));
        requests.push(request);
        started();
        try {
          for (;;) {
            if (queue.length === 0) await new Promise<void>((resolve) => (wake = resolve));
            const event = queue.shift();
            if (event === undefined) return;
            if (event instanceof Error) throw event;
            yield [event];
          }
        } finally {
          if (signal?.aborted) service.aborted++;
        }
      };
      return eachEvent(open, (event: MessageEvent, into: MessageEvent[]) => into.push(event), observer);
    },
    create: () => Promise.reject(new Error('Not fed by hand.')),
    written: (body: MessageRequest) => ({ path: '/messages' as const, body }),
  };
  service.awaitNext();
  return service;
}
