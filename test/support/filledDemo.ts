import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDemo } from '../../src/demo/server';
import type { SeenRequest } from '../../src/demo/controlState';
import type { Demo, DemoOptions } from '../../src/demo/server';

export interface FilledDemo extends Demo {
  /** Calls the service or, below `/_control/` at its root, its controls. Resolves to the JSON response. */
  call(method: 'GET' | 'POST', path: string, body?: object | FormData): Promise<unknown>;
  /** Resolves to the received requests, oldest first. */
  requests(): Promise<readonly SeenRequest[]>;
  /** Uploads a batch file with this many requests and creates a batch from it. Resolves to the batch's ID. */
  makeBatch(name: string, lines: number): Promise<string>;
  addVoice(name: string): Promise<string>;
}

/** Starts the test's own demo service, with an empty folder that is removed by `close`, which can be called twice. */
export async function startFilledDemo(options: Omit<DemoOptions, 'dataDir'> = {}): Promise<FilledDemo> {
  const dataDir = await mkdtemp(join(tmpdir(), 'demo-'));
  const demo = await startDemo({ ...options, dataDir });
  let closing: Promise<void> | undefined;
  const origin = new URL(demo.baseUrl).origin;

  const call: FilledDemo['call'] = async (method, path, body) => {
    const isForm = body instanceof FormData;
    const response = await fetch(path.startsWith('/_control/') ? origin + path : demo.baseUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${demo.apiKey}`,
        ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };

  return {
    ...demo,
    call,
    async requests() {
      return ((await call('GET', '/_control/requests')) as { readonly requests: readonly SeenRequest[] }).requests;
    },
    async makeBatch(name, lines) {
      const form = new FormData();
      form.set('purpose', 'batch');
      const requests = Array.from({ length: lines }, (_, index) => ({
        custom_id: `line-${index + 1}`,
        method: 'POST',
        url: '/v1/chat/completions',
        body: { model: 'deepseek-ai/DeepSeek-V3', messages: [{ role: 'user', content: `Question ${index + 1}` }] },
      }));
      const text = requests.map((request) => JSON.stringify(request)).join('\n');
      form.set('file', new Blob([text]), `${name}.jsonl`);
      const uploaded = (await call('POST', '/files', form)) as { readonly data: { readonly id: string } };
      const batch = (await call('POST', '/batches', {
        input_file_id: uploaded.data.id,
        endpoint: '/v1/chat/completions',
        completion_window: '24h',
        metadata: { name, batch_description: `The batch ${name}` },
      })) as { readonly id: string };
      return batch.id;
    },
    async addVoice(name) {
      const form = new FormData();
      form.set('model', 'FunAudioLLM/CosyVoice2-0.5B');
      form.set('customName', name);
      form.set('text', 'The quick brown fox jumps over the lazy dog.');
      form.set('audio', 'data:audio/mpeg;base64,//uQxAAAAAAAAAAAAAAAAAAAAAAASW5mbwAAAA8AAAABAAACcQCA');
      return ((await call('POST', '/uploads/audio/voice', form)) as { readonly uri: string }).uri;
    },
    close() {
      closing ??= demo.close().then(() => rm(dataDir, { recursive: true, force: true }));
      return closing;
    },
  };
}
