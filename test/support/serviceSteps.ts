import { readAll, startOrigin, type OriginServer } from './originServer';

type Answer = readonly [status: number, body: unknown];

/** Responses by method and path. Several are returned in order, and the last one is repeated. Those of contents are by file ID. */
export type ServiceSteps = Readonly<Record<string, Answer | readonly Answer[] | Readonly<Record<string, string>>>>;

/** Starts a service that stores any uploaded file as `file-1`, and supports only the calls of the steps. */
export async function startSteps(steps: ServiceSteps): Promise<OriginServer> {
  const provided = new Map<string, number>();
  const all = { 'POST /v1/files': [200, { id: 'file-1' }] as Answer, ...steps };
  return startOrigin(async (request, response) => {
    await readAll(request);
    const [, kind = '', id = '', content = ''] =
      /^\/v1\/(batches|files)(?:\/([^/]+))?(\/content|\/results)?/.exec(request.url ?? '') ?? [];
    const call = `${request.method} /v1/${kind}${id && '/{id}'}${content}`;
    const [code, body] = answerTo(all[call as keyof typeof all] as ServiceSteps[string], call, id);
    response.writeHead(code, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });

  function answerTo(step: ServiceSteps[string] | undefined, call: string, id: string): Answer {
    if (step === undefined) return [404, { detail: 'Not Found' }];
    if (!Array.isArray(step)) return [200, (step as Readonly<Record<string, string>>)[id] ?? ''];
    const turns = (Array.isArray(step[0]) ? step : [step]) as readonly Answer[];
    const turn = provided.get(call) ?? 0;
    provided.set(call, turn + 1);
    return turns[Math.min(turn, turns.length - 1)]!;
  }
}
