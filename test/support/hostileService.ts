import { startOrigin } from './originServer';
import type { OriginServer } from './originServer';

/** What a planted link would run. */
export const plantedCommand = 'deskRunner.planted';

/** In every planted text, so that what came of it is found wherever it is drawn. */
export const mark = 'PLANTED';

/** All that an editor may draw as a link, as a picture or not at all; `where` tells which one was drawn. */
export function planted(where: string): string {
  const name = `${mark}-${where}`;
  return [
    `[${name}](command:${plantedCommand}?%22${where}%22)`,
    `[${name}](https://planted.example/${name})`,
    `[${name}](file:///etc/${name})`,
    `<https://planted.example/${name}> <file:///etc/${name}> https://planted.example/${name} www.planted.example`,
    `![${name}](https://planted.example/${name}.png) <img src=x> $(squirrel) \u202E${name}\u202C\u200B`,
  ].join(' ');
}

/** As a name that a file system takes. */
export function plantedName(where: string, ending: string): string {
  return `[${mark}-${where}](command:${plantedCommand}) $(squirrel)\u202E${ending}`;
}

const refused = [400, 403, 404, 429, 500] as const;

/** A service that plants such texts wherever its answers have any, and refuses everything that is ordered of it with such words. */
export function startHostileService(): Promise<OriginServer> {
  let calls = 0;
  return startOrigin(async (request, response) => {
    for await (const _ of request);
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://here');
    const found = request.method === 'GET' ? lists[pathname.replace('/v1', '')]?.(searchParams) : undefined;
    const status = found === undefined ? refused[calls++ % refused.length]! : 200;
    const error = { code: 20_012, message: planted('refusal'), data: planted('refusal-data') };
    response.writeHead(status, {
      'content-type': 'application/json',
      'x-siliconcloud-trace-id': `[${mark}-trace](command:${plantedCommand})`,
    });
    response.end(JSON.stringify(found ?? error));
  });
}

const at = 1_790_000_000;

const lists: Readonly<Record<string, (query: URLSearchParams) => unknown>> = {
  '/user/info': () => ({
    code: 20_000,
    message: planted('ok'),
    status: true,
    data: {
      id: planted('user'),
      name: planted('user-name'),
      email: planted('email'),
      balance: `0.5 ${planted('balance')}`,
      chargeBalance: planted('charge'),
      totalBalance: `1 ${planted('total')}`,
      status: planted('status'),
      introduction: planted('introduction'),
      role: planted('role'),
    },
  }),
  '/models': (query) => ({
    object: 'list',
    data: ['one', 'two'].map((name) => ({
      id: `${name}/${planted(`model-${query.get('sub_type') ?? query.get('type') ?? 'any'}`)}`,
      object: 'model',
      created: at,
      owned_by: planted('owner'),
    })),
  }),
  '/files': () => ({
    code: 20_000,
    status: true,
    data: {
      object: 'list',
      data: [
        {
          id: planted('file-id'),
          object: 'file',
          bytes: 10,
          created_at: at,
          filename: planted('file-name'),
          line_count: 2,
          purpose: 'batch',
        },
      ],
    },
  }),
  '/batches': () => ({
    object: 'list',
    data: ['completed', 'failed', 'in_progress', planted('batch-status')].map((status, index) => ({
      id: `batch_${index}${planted('batch-id')}`,
      object: 'batch',
      endpoint: '/v1/chat/completions',
      errors: [planted('batch-error')],
      input_file_id: planted('input-id'),
      completion_window: '24h',
      status,
      output_file_id: planted('output-id'),
      error_file_id: planted('error-id'),
      created_at: at,
      expires_at: at + 86_400,
      request_counts: { total: 2, completed: 1, failed: 1 },
      metadata: { name: planted('batch-name'), batch_description: planted('batch-description') },
      file_name: planted('batch-file'),
    })),
    first_id: 'a',
    last_id: 'b',
    has_more: false,
  }),
  '/audio/voice/list': () => ({
    results: [
      {
        model: planted('voice-model'),
        customName: planted('voice-name'),
        text: planted('voice-text'),
        uri: `speech:${planted('voice-uri')}:a:b`,
      },
    ],
  }),
};
