import { createClient } from '../../core/api/client';
import type { Client } from '../../core/api/client';
import { createOfferStore } from '../../core/api/offers';
import { createEditorStack } from '../../core/api/transport/editorTransport';
import { createPickingStack } from '../../core/api/transport/pickTransport';
import type { StackName } from '../../core/api/transport/pickTransport';
import { createUndiciStack } from '../../core/api/transport/undiciTransport';
import { callLine } from '../../core/diagnosis/callLine';
import { StepFailure } from '../../core/jobs/job';
import { isSameService } from '../../core/jobs/sameService';
import { isLoopback } from '../../core/profiles/baseUrl';
import type { DayTokens } from '../../core/usage/dayTokens';
import { meteredClient } from '../../core/usage/meteredClient';
import type { McpEnvironment } from './environment';

export interface Connection {
  /** Metered. */
  readonly client: Client;
  /** For the job engines. Throws `StepFailure` if the job was created at another service. */
  readonly connect: (job: { readonly baseUrl: string }) => Promise<Client>;
}

const proxyVariables = ['https_proxy', 'http_proxy', 'all_proxy'];

export interface ConnectionOptions extends Pick<McpEnvironment, 'baseUrl' | 'apiKey'> {
  /** Counts and limits what the calls use. */
  readonly tokens: DayTokens;
  /** Receives one line per call, once it has ended. */
  readonly onCall?: ((line: string) => void) | undefined;
}

export function openConnection({ baseUrl, apiKey, tokens, onCall }: ConnectionOptions): Connection {
  const worked = new Map<string, StackName>();
  const isLocal = isLoopback(new URL(baseUrl).hostname);
  const unmetered = createClient({
    baseUrl,
    apiKey: async () => apiKey,
    offers: createOfferStore(),
    onExchange: (exchange) => onCall?.(callLine(exchange)),
    stack: createPickingStack({
      preference: () => 'auto',
      // Node's own stack supports proxies if NODE_USE_ENV_PROXY is set.
      proxyConfigured: () => !isLocal && proxyVariables.some(isSet),
      undici: async () => createUndiciStack(),
      editor: async () => createEditorStack(),
      remembered: worked,
    }),
  });
  const client = meteredClient(unmetered, tokens);
  return {
    client,
    async connect(job) {
      if (isSameService(job.baseUrl, baseUrl)) return client;
      throw new StepFailure({ kind: 'addressChanged', message: job.baseUrl });
    },
  };
}

function isSet(name: string): boolean {
  const value = process.env[name] ?? process.env[name.toUpperCase()] ?? '';
  return value.trim() !== '';
}
