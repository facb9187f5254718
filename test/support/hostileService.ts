import { startOrigin } from './originServer';
import type { OriginServer } from './originServer';

/** The command that a planted link would run. */
export const plantedCommand = 'deskRunner.planted';

/** Part of every planted text, so that its effects are found wherever it is rendered. */
export const mark = 'PLANTED';

/** Returns text that VS Code could render as a link, as an image, or not at all. `where` identifies the rendered text. */
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

/** Returns a planted text as a valid file name. */
export function plantedName(where: string, ending: string): string {
  return `[${mark}-${where}](command:${plantedCommand}) $(squirrel)\u202E${ending}`;
}

const refused = [400, 403, 404, 429, 500] as const;

/** Starts a service that plants such texts in all its responses, and rejects every job with them. */
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
