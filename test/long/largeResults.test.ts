import assert from 'node:assert/strict';
import { appendFileSync, statfsSync, writeFileSync } from 'node:fs';
import { ResultsTable } from '../../src/core/batch/results/resultsTable';
import { bundleProgram, runProgram } from '../support/programs';
import { writeRun } from '../support/resultLines';
import { setUpFolder } from '../support/temporaryFolder';

const count = 1_000_000;
const mostMb = 200;

describe('A million results', () => {
  const folder = setUpFolder();

  it('of 1 GB are joined to their requests, in memory that stays small', async function () {
    const { bavail, bsize } = statfsSync(folder.path());
    if (bavail * bsize < 3e9) this.skip();
    const [input, output] = [folder.in('input.jsonl'), folder.in('output.jsonl')];
    const bytes = writeRun(input, output, { count, bytes: 1300 });
    assert.ok(bytes > 1e9, `the file has ${bytes} bytes`);

    const client = await bundleProgram('test/support/joinClient.ts');
    const joined = JSON.parse(await runProgram(process.execPath, [client, input, output])) as {
      readonly first: { readonly customId: string; readonly answer: string };
      readonly peakMb: number;
    };

    const { first, peakMb, ...counts } = joined;
    assert.equal(first.customId, 'request-999999');
    assert.match(first.answer, /^Answer 999999\./);
    const { answered, failed, missing, extra, groups } = counts as Record<string, unknown>;
    assert.deepEqual([answered, failed, missing, extra, groups], [900_000, 100_000, 0, 0, 1]);
    assert.ok(peakMb < mostMb, `${peakMb} MB at most`);
  });

  it('keep the others where one is longer than is read into memory', async () => {
    const output = folder.in('output.jsonl');
    const line = (id: string) => `${JSON.stringify({ custom_id: id, response: { body: { choices: [] } } })}\n`;
    writeFileSync(output, line('a'));
    const piece = 'x'.repeat(1 << 20);
    for (let megabytes = 0; megabytes < 130; megabytes++) appendFileSync(output, piece);
    appendFileSync(output, `\n${line('b')}`);
    const quiet = { signal: new AbortController().signal, onProgress: () => {} };
    const table = await ResultsTable.open({ outputs: [output], errors: [] }, quiet);
    assert.equal(table.summary.answered, 2);
    assert.deepEqual(table.summary.files[0]?.badLines, [{ line: 2, kind: 'tooLong' }]);
    assert.deepEqual(table.answerFor({ customId: 'b' })?.place, { path: output, line: 3 });
    table.close();
  });
});
