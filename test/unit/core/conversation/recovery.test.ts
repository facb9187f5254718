import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createConversationFolder } from '../../../../src/core/conversation/conversationFolder';
import { readRecords, toLines } from '../../../../src/core/conversation/record';
import type { ConversationRecord } from '../../../../src/core/conversation/record';
import { createTranscript } from '../../../../src/core/conversation/transcript';
import type { Transcript } from '../../../../src/core/conversation/transcript';
import { setUpFolder } from '../../../support/temporaryFolder';
import { sampleRecords } from './recordSamples';
import { some } from '../../../support/runs';

const bytes = Buffer.from(toLines(sampleRecords));
const cutAt = (length: number): Buffer => bytes.subarray(0, length);

/** Everything a person had read or typed, on all branches. */
function wordsOf(transcript: Transcript): string {
  const ids = sampleRecords.flatMap((record) => (record.kind === 'question' ? [record.id] : []));
  return ids
    .flatMap((id) => transcript.turn(id) ?? [])
    .map(({ question, answers }) => question + answers.flatMap(({ blocks }) => blocks.map(({ text }) => text)).join(''))
    .join('');
}

describe('a history with every kind of record, cut at every byte', () => {
  const folder = setUpFolder();

  it('restores all complete records unchanged', () => {
    for (let length = 0; length <= bytes.length; length++) {
      const records = readRecords(cutAt(length).toString('utf8'));
      const whole = cutAt(length).toString('utf8').split('\n').length - 1;
      assert.ok(records.length >= whole, `cut at ${length} lost a record that was whole`);
      assert.deepEqual(records, sampleRecords.slice(0, records.length));
    }
  });

  it('never has less text than a shorter file', () => {
    let shown = '';
    for (let length = 0; length <= bytes.length; length++) {
      const words = wordsOf(createTranscript(readRecords(cutAt(length).toString('utf8'))));
      assert.ok(words.length >= shown.length, `cut at ${length} lost what a shorter file had`);
      shown = words;
    }
    for (const said of ['naïve', '{"a": "你好 👋"', 'hm…', 'Zürich', 'edited', 'Half'])
      assert.ok(shown.includes(said), said);
  });

  it('continues after the cut, and reads the records before and after it', async () => {
    const next: ConversationRecord = { kind: 'question', id: 'next', parent: null, at: 99, text: 'And on?' };
    const file = folder.in('one.jsonl');
    // Every byte around the end of a record and within what is more than one byte long.
    const isTelling = (length: number) =>
      bytes[length]! > 0x7f || bytes.subarray(Math.max(0, length - 3), length + 3).includes(0x0a);
    for (const length of some([...bytes.keys(), bytes.length], 29, isTelling)) {
      await writeFile(file, cutAt(length));
      const conversation = await createConversationFolder(folder.path(), () => 1).open('one');
      await conversation?.record([next]);
      await conversation?.close();
      const before = readRecords(cutAt(length).toString('utf8'));
      const after = readRecords(await readFile(file, 'utf8'));
      assert.deepEqual(after.slice(0, before.length), before);
      assert.deepEqual(after.at(-1), next);
      await rm(file);
    }
  });

  it('loses only a line truncated by a crash before others', () => {
    const lines = toLines(sampleRecords).split('\n').slice(0, -1);
    for (const [index, line] of lines.entries()) {
      const others = sampleRecords.filter((_, at) => at !== index);
      for (let length = 0; length < line.length; length++)
        assert.deepEqual(readRecords(lines.with(index, line.slice(0, length)).join('\n')), others);
    }
  });
});
