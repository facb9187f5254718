import assert from 'node:assert/strict';
import { appendFileSync, statfsSync, writeFileSync } from 'node:fs';
import { ResultsTable } from '../../src/core/batch/results/resultsTable';
import { bundleProgram, runProgram } from '../support/programs';
import { writeRun } from '../support/resultLines';
import { setUpFolder } from '../support/temporaryFolder';

const mostMb = 200;

describe('Results of a large run', () => {
  const folder = setUpFolder();

  it('are joined with 50,000 requests at 1 GB, in little memory', async function () {
    const { bavail, bsize } = statfsSync(folder.path());
    if (bavail * bsize < 3e9) this.skip();
    const { bytes, peakMb } = await join({ count: 50_000, bytes: 29_000 });
    assert.ok(bytes > 1e9, `the file has ${bytes} bytes`);
    assert.ok(peakMb < mostMb, `${peakMb} MB at most`);
  });

  it('are joined if there are many more than a service accepts', async () => {
    await join({ count: 1_000_000, bytes: 500 });
  });

  async function join({ count, bytes: each }: { readonly count: number; readonly bytes: number }) {
    const [input, output] = [folder.in('input.jsonl'), folder.in('output.jsonl')];
    const bytes = writeRun(input, output, { count, bytes: each });
    const client = await bundleProgram('test/support/joinClient.ts');
    const joined = JSON.parse(await runProgram(process.execPath, [client, input, output])) as {
      readonly first: { readonly customId: string; readonly answer: string };
      readonly peakMb: number;
    };
    const { first, peakMb, ...counts } = joined;
    assert.equal(first.customId, `request-${count - 1}`);
    assert.match(first.answer, new RegExp(`^Answer ${count - 1}\\.`));
    const { answered, expired, missing, extra, groups } = counts as Record<string, unknown>;
    assert.deepEqual([answered, expired, missing, extra, groups], [count * 0.9, count * 0.1, 0, 0, 0]);
    return { bytes, peakMb };
  }

  it('keep the other results if one exceeds the length limit', async () => {
    const output = folder.in('output.jsonl');
    const line = (id: string) => `${JSON.stringify({ custom_id: id, response: { body: { choices: [] } } })}\n`;
    writeFileSync(output, line('a'));
    const piece = 'x'.repeat(1 << 20);
    for (let megabytes = 0; megabytes < 130; megabytes++) appendFileSync(output, piece);
    appendFileSync(output, `\n${line('b')}`);
    const quiet = { signal: new AbortController().signal, onProgress: () => {} };
    const table = await ResultsTable.open({ outputs: [output], errors: [] }, quiet);
    assert.equal(table.summary.empty, 2);
    assert.deepEqual(table.summary.files[0]?.badLines, [{ line: 2, kind: 'tooLong' }]);
    assert.deepEqual(table.answerFor({ customId: 'b' })?.place, { path: output, line: 3 });
    table.close();
  });
});
