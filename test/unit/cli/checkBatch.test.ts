import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { runCheck } from '../../../src/cli/runCheck';
import { batchServices } from '../../../src/core/batch/services/batchServices';
import { setUpFolder } from '../../support/temporaryFolder';

const folder = 'test/cases/batch/check';

async function check(...args: readonly string[]) {
  let out = '';
  let err = '';
  const code = await runCheck(args, { out: (text) => void (out += text), err: (text) => void (err += text) });
  return { code, out, err };
}

describe('the check of batch files on the command line', () => {
  const temporary = setUpFolder();

  it('uses the rules of the named service, and reports it', async () => {
    for (const name of ['chat', 'chat-shapes', 'reasoning', 'responses', 'embeddings', 'completions', 'moderations']) {
      const { code, out, err } = await check(`${folder}/openai-${name}.jsonl`, '--service', 'openai');
      deepEqual([code, out], [0, ''], name);
      match(err, /^Rules: OpenAI\.\nRequests: \d+, errors: 0,/);
    }
    for (const { name, id } of batchServices) {
      match((await check(`${folder}/zhipu.jsonl`, '--service', id)).err, new RegExp(`^Rules: ${name}\\.`));
    }
  });

  it('uses the rules of the service at a base URL', async () => {
    const file = `${folder}/azure-url.jsonl`;
    const azure = await check(file, '--service', 'https://contoso.openai.azure.com/openai/v1');
    deepEqual([azure.code, azure.out], [0, '']);
    const unknown = await check(file, '--service=https://gateway.example/v1');
    equal(unknown.code, 0);
    match(unknown.out, /: warning url\.unknown /);
    match(unknown.err, /^No rules for https:\/\/gateway\.example\/v1/);
    equal((await check(file, '--service=https://gateway.example/v1', '--strict')).code, 1);
  });

  it('uses the rules of SiliconFlow without a service, and says how to check for another one', async () => {
    const { code, out, err } = await check(`${folder}/embeddings.jsonl`);
    equal(code, 1);
    match(out, /: error url\.unknown /);
    match(err, /^Rules: SiliconFlow\. For another service, add --service\./);
  });

  it('rejects a service that is neither known nor a URL', async () => {
    for (const service of ['nobody', '', 'gateway.example']) {
      const { code, out, err } = await check(`${folder}/zhipu.jsonl`, `--service=${service}`);
      deepEqual([code, out], [2, ''], service);
      ok(err.includes("isn't a known service or a URL"), err);
    }
  });

  it('reads the purposes and inputs of models from a model list', async () => {
    const models = temporary.in('models.json');
    const data = [
      { id: 'm', sub_type: 'chat' },
      { id: 'text-embedding-3-small', sub_type: 'embedding' },
      { id: 'small', context_length: 12_000 },
    ];
    writeFileSync(models, JSON.stringify({ data }));
    const codesIn = async (file: string) => {
      const { out } = await check(`${folder}/${file}`, '--service', 'openai', '--models', models);
      return [...out.matchAll(/:(\d+):\d+: \w+ (\S+)/g)].map(([, line, code]) => `${line} ${code}`);
    };
    deepEqual(await codesIn('openai-embeddings.jsonl'), []);
    deepEqual(await codesIn('urls-mixed.jsonl'), ['2 url.mixed', '3 url.mixed', '3 model.not-chat']);
    deepEqual(await codesIn('model-limits.jsonl'), ['3 message.beyond-context']);
  });
});
