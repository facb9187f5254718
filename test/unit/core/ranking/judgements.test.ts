import { deepEqual, equal } from 'node:assert/strict';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { createJudgementFile } from '../../../../src/core/ranking/judgementFile';
import { readJudgements, toJudgementLine } from '../../../../src/core/ranking/judgements';
import { setUpFolder } from '../../../support/temporaryFolder';

const judgement = (document: string, relevant: boolean | null) => ({ query: 'q', document, relevant, at: 0 });

describe('ratings', () => {
  const folder = setUpFolder();

  it('are stored in a file of readable lines, of which the last for a document counts', async () => {
    const path = folder.in('deep/judgements.jsonl');
    const file = createJudgementFile(path);
    equal((await file.read()).count, 0);
    await file.add(judgement('one\r\ntwo ', true));
    await file.add(judgement('other', true));
    await file.add(judgement('other', false));
    await file.add(judgement('third', true));
    await file.add(judgement('third', null));
    const held = await createJudgementFile(path).read();
    deepEqual(
      ['one\ntwo', 'other', 'third', 'fourth'].map((document) => held.get('q', document)),
      [true, false, undefined, undefined],
    );
    equal(held.get('another query', 'other'), undefined);
    equal(held.get(' q\n', 'other'), false);
    const [line = ''] = (await readFile(path, 'utf8')).trim().split('\n');
    const { document, ...said } = JSON.parse(line) as Record<string, unknown>;
    deepEqual(said, { query: 'q', start: 'one two', relevant: true, at: '1970-01-01T00:00:00.000Z' });
    equal(/^[0-9a-f]{64}$/.test(String(document)), true);
  });

  it('survive a truncated line and a foreign one', async () => {
    const path = folder.in('judgements.jsonl');
    const file = createJudgementFile(path);
    await file.add(judgement('one', true));
    await writeFile(path, (await readFile(path, 'utf8')) + toJudgementLine(judgement('two', true)).slice(0, -20));
    await file.add(judgement('three', false));
    await appendFile(path, 'null\n[]\n{"query":1}\n');
    const held = await file.read();
    deepEqual(
      ['one', 'two', 'three'].map((document) => held.get('q', document)),
      [true, undefined, false],
    );
    equal(readJudgements(await readFile(path, 'utf8')).skipped, 4);
  });

  it('include the beginning of a document, cut between characters', () => {
    const { start } = JSON.parse(toJudgementLine(judgement(`${'a'.repeat(78)}😀 and more`, true))) as { start: string };
    equal(start, `${'a'.repeat(78)}…`);
  });
});
