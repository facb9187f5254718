import { errorKinds } from '../errorKinds';
import { isApiError } from '../errors';
import type { HttpRequest, HttpResponse, HttpStack } from './transport';

export type StackName = HttpStack['name'];

export interface PickingStackOptions {
  /** The user's setting, read at each request. */
  readonly preference: () => 'auto' | StackName;
  /** Whether the editor or the environment configures a proxy, checked at each request. */
  readonly proxyConfigured: () => boolean;
  /** Loads a stack. Each loader is called at most once, and `close` closes its stack. */
  readonly undici: () => Promise<HttpStack>;
  readonly editor: () => Promise<HttpStack>;
  /** The stack that worked for an origin after the first choice had failed. */
  readonly remembered: {
    get(origin: string): StackName | undefined;
    set(origin: string, name: StackName): void;
  };
}

/**
 * With preference `auto`, uses the stack remembered for the origin, or else the VS Code stack if a proxy is configured, or undici. On a
 * failure before any byte of the request was sent, tries the other one once. With any other preference, uses only that stack.
 */
export function createPickingStack(options: PickingStackOptions): HttpStack {
  const { preference, proxyConfigured, remembered } = options;
  const loaded = new Map<StackName, Promise<HttpStack>>();
  const load = (name: StackName): Promise<HttpStack> => {
    const stack = loaded.get(name) ?? options[name]();
    loaded.set(name, stack);
    return stack;
  };
  const sendBy = async (name: StackName, request: HttpRequest): Promise<HttpResponse> => ({
    ...(await (await load(name)).send(request)),
    via: name,
  });
  const firstChoice = (origin: string): StackName =>
    remembered.get(origin) ?? (proxyConfigured() ? 'editor' : 'undici');

  const sendByAuto = async (request: HttpRequest): Promise<HttpResponse> => {
    const { origin } = request.url;
    const first = firstChoice(origin);
    try {
      return await sendBy(first, request);
    } catch (error) {
      if (!isMendable(error)) throw error;
      const second: StackName = first === 'undici' ? 'editor' : 'undici';
      const response = await sendBy(second, request).catch((secondError: unknown) => {
        throw moreTelling(error, secondError);
      });
      remembered.set(origin, second);
      return response;
    }
  };
  return {
    /** The stack in use before anything was sent. */
    get name() {
      const preferred = preference();
      return preferred === 'auto' ? (proxyConfigured() ? 'editor' : 'undici') : preferred;
    },
    send: async (request) => {
      const preferred = preference();
      return preferred === 'auto' ? sendByAuto(request) : sendBy(preferred, request);
    },
    close: async () => {
      await Promise.allSettled(Array.from(loaded.values(), async (stack) => (await stack).close()));
    },
  };
}

function isMendable(error: unknown): boolean {
  return isApiError(error) && error.details.sent === false && errorKinds[error.kind].connection === true;
}

/**
 * Returns the failure the user can act on. A failure after bytes were sent wins; else a certificate or proxy error is more specific
 * than a name that was not found, and the first failure wins over the second.
 */
function moreTelling(first: unknown, second: unknown): unknown {
  if (!isMendable(second)) return second;
  const isSpecific = (error: unknown) => isApiError(error) && (error.kind === 'certificate' || error.kind === 'proxy');
  return isSpecific(second) && !isSpecific(first) ? second : first;
}
