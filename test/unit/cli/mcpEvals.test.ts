import { equal, match, ok } from 'node:assert/strict';
import { copyFile, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startFilledDemo } from '../../support/filledDemo';
import type { FilledDemo } from '../../support/filledDemo';
import { bundleMcp, openMcp } from '../../support/mcpServer';
import type { McpOptions, McpServer } from '../../support/mcpServer';
import { setUpFolder } from '../../support/temporaryFolder';
import { until } from '../../support/until';

const file = 'promptfooconfig.yaml';

describe('Evals of the MCP server', function () {
  this.timeout(180_000);
  let program = '';
  let demo: FilledDemo;
  let server: McpServer | undefined;
  before(async () => (program = await bundleMcp()));
  afterEach(async () => {
    await server?.close();
    server = undefined;
    await demo.close();
  });
  // Removed when nobody writes there any more: hooks run in their order.
  const folder = setUpFolder();
  const work = (name: string) => folder.in(path.join('work', name));
  beforeEach(async () => {
    demo = await startFilledDemo({ pace: 'instant' });
    await mkdir(work('.'), { recursive: true });
    for (const name of [file, 'tickets.csv']) await copyFile(path.join('media/samples', name), work(name));
  });
  const open = async (options?: McpOptions) => (server = await openMcp(program, folder.path(), demo, options));
  const sent = async (endpoint: string) =>
    (await demo.requests()).filter((request) => `${request.method} ${request.path}` === endpoint).length;

  it("are submitted as batches after the price was reported, and find the sample's regression", async () => {
    const { call } = await open({
      environment: { INFERENCE_DESK_PRICES: '{"*": {"input": 100, "output": 200}}' },
    });
    const before = await call('evalResults', { file });
    match(
      before.text,
      /has not been run yet\.\n\n60 rows, 2 variants, 120 requests\. Price: about .+ as a batch, or .+ if you run them now\./,
    );
    equal((await sent('POST /v1/batches')) + (await sent('POST /v1/chat/completions')), 0);
    const ran = await call('runEval', { file });
    ok(!ran.isError, ran.text);
    const found = await until(
      async () => {
        const { text } = await call('evalResults', { file });
        return /Responses: 120 of 120/.test(text) ? text : undefined;
      },
      'the results',
      120_000,
    );
    match(found, /three labels compared with four labels: WORSE\. Difference: -25 points \(95%: .+\), p < 0\.001\./);
    match(found, /Regressions of three labels: 15, 5 shown\./);
    equal(await sent('POST /v1/batches'), 1);
    equal(await sent('POST /v1/chat/completions'), 0);
    match((await call('runEval', { file })).text, /WORSE/);
    equal(await sent('POST /v1/batches'), 1);
    const [submission = ''] = (await readdir(work('promptfooconfig.eval'))).filter((name) =>
      name.endsWith('-batch.json'),
    );
    match(await readFile(work(`promptfooconfig.eval/${submission}`), 'utf8'), /"state":"submitted","by":"server"/);
  });

  it('run the first rows of a smoke test now, and later only the others', async () => {
    const { call } = await open();
    const smoke = await call('runEval', { file, how: 'smokeTest' });
    match(smoke.text, /Responses: 6 of 6.*\nThe run has 3 of 60 rows\.\nNot sent yet: 114 requests/);
    equal(await sent('POST /v1/chat/completions'), 6);
    match((await call('runEval', { file, how: 'now' })).text, /Responses: 120 of 120/);
    equal(await sent('POST /v1/chat/completions'), 120);
  });

  it("explain why one can't run, and read no files elsewhere", async () => {
    const { call } = await open();
    await writeFile(work('broken.yaml'), 'prompts: [file://gone.txt]\nproviders: [openai:m]\ntests: [{}]');
    await writeFile(work('keys.yaml'), 'prompts: [file://.env]\nproviders: [openai:m]\ntests: [{}]');
    await writeFile(work('.env'), 'SECRET=1');
    await writeFile(folder.in('outside.yaml'), 'prompts: [a]\nproviders: [openai:m]\ntests: [{}]');
    for (const [name, why] of [
      ['broken.yaml', /The eval has 1 error, so it was not run\. Fix them: .*gone\.txt/],
      ['keys.yaml', /so it was not run/],
      ['none.yaml', /none\.yaml does not exist/],
      ['../outside.yaml', /is outside of the allowed folders/],
    ] as const) {
      for (const tool of ['runEval', 'evalResults']) {
        const { text, isError } = await call(tool, { file: name });
        ok(isError, `${tool} ${name}: ${text}`);
        match(text, why);
      }
    }
    await mkdir(folder.in('elsewhere'));
    await symlink(folder.in('elsewhere'), work('promptfooconfig.eval'));
    const { text, isError } = await call('runEval', { file, how: 'now' });
    ok(isError);
    match(text, /is a symbolic link/);
    equal((await readdir(folder.in('elsewhere'))).length, 0);
    equal(await sent('POST /v1/chat/completions'), 0);
  });
});
