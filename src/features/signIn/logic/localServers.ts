import { isApiError } from '../../../core/api/errors';
import { programOf } from '../../../core/api/models/models';
import type { ModelInfo } from '../../../core/api/models/models.schema';
import { type KnownService, knownServices } from '../../../core/profiles/knownServices';
import type { Connections } from '../../../services/account/account';

interface NamedServer {
  readonly baseUrl: string;
  /** The program, if its response or its port identifies it. */
  readonly name: string;
}

/** A server that responded on this machine. */
export interface LocalServer extends NamedServer {
  /** Their IDs; `undefined` if the server requires a key. */
  readonly models: readonly string[] | undefined;
}

/** A running server responds within milliseconds, unless it is loading a model. */
const limitMs = 2000;

/** The servers that people run on their own machine, at their usual ports. */
export const localServices: readonly KnownService[] = knownServices.filter(({ baseUrl }) =>
  baseUrl.startsWith('http:'),
);

/**
 * Requests the model list at each of the URLs, which costs nothing, and calls `onFound` for each server that responds. Sends no key. Resolves
 * once all have responded or had their time; never rejects.
 */
export async function findLocalServers(
  connections: Connections,
  services: readonly NamedServer[],
  { signal, onFound }: { readonly signal: AbortSignal; readonly onFound: (server: LocalServer) => void },
): Promise<void> {
  const look = async ({ name, baseUrl }: NamedServer) => {
    const client = await connections.trial({ baseUrl, apiKey: '', keyHeader: undefined });
    try {
      const models = await client.models.list({}, AbortSignal.any([signal, AbortSignal.timeout(limitMs)]));
      if (models.length > 0) onFound({ baseUrl, name: nameOf(models) ?? name, models: models.map(({ id }) => id) });
    } catch (error) {
      if (isApiError(error) && error.kind === 'auth' && !signal.aborted) onFound({ baseUrl, name, models: undefined });
    } finally {
      await client.close();
    }
  };
  await Promise.allSettled(services.map(look));
}

/** The program that listens at a port may not be the usual one. */
function nameOf(models: readonly ModelInfo[]): string | undefined {
  const program = programOf(models);
  return knownServices.find(({ id }) => id === program)?.name;
}
