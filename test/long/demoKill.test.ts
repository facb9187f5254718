import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

interface Address {
  readonly baseUrl: string;
  readonly apiKey: string;
}

interface Running extends Address {
  readonly child: ChildProcess;
}

const rounds = 25;

describe('a demo service that is killed repeatedly', () => {
  let dataDir = '';

  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'demo-kill-'));
  });
  after(() => rm(dataDir, { recursive: true, force: true }));

  async function start(): Promise<Running> {
    const child = spawn(process.execPath, ['dist/demo.js', '--port', '0', '--data', dataDir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    return { child, ...(JSON.parse(line) as Address) };
  }

  async function upload({ baseUrl, apiKey }: Address, name: string): Promise<string> {
    const form = new FormData();
    form.set('purpose', 'batch');
    const body = { model: 'deepseek-ai/DeepSeek-V3', messages: [{ role: 'user', content: name }] };
    const line = JSON.stringify({ custom_id: 'one', method: 'POST', url: '/v1/chat/completions', body });
    form.set('file', new Blob([line]), `${name}.jsonl`);
    const response = await fetch(`${baseUrl}/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}` },
      body: form,
    });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    const { data } = (await response.json()) as { readonly data: { readonly id: string } };
    return data.id;
  }

  async function fileIds({ baseUrl, apiKey }: Address): Promise<readonly string[]> {
    const response = await fetch(`${baseUrl}/files?purpose=batch&limit=100000`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    const { data } = (await response.json()) as {
      readonly data: { readonly data: readonly { readonly id: string }[] };
    };
    return data.data.map(({ id }) => id);
  }

  it(`has every acknowledged file after ${rounds} kills during uploads`, async () => {
    const taken: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const demo = await start();
      const exited = once(demo.child, 'exit');
      // The kill falls into whatever the service does with the uploads that are on their way.
      const uploads = Array.from({ length: 12 }, async (_, index) => {
        const id = await upload(demo, `round-${round}-${index}`).catch(() => undefined);
        if (id !== undefined) taken.push(id);
        if (index === round % 12) demo.child.kill('SIGKILL');
      });
      await Promise.all(uploads);
      await exited;
    }
    const last = await start();
    const saved = new Set(await fileIds(last).finally(() => last.child.kill('SIGKILL')));
    assert.ok(taken.length > rounds);
    assert.deepEqual(
      taken.filter((id) => !saved.has(id)),
      [],
    );
  });
});
