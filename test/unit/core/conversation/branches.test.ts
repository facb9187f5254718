import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readRecords, toLines } from '../../../../src/core/conversation/record';
import type { ConversationRecord } from '../../../../src/core/conversation/record';
import { compactTurns } from '../../../../src/core/conversation/requestMessages';
import { createTranscript } from '../../../../src/core/conversation/transcript';
import type { Transcript } from '../../../../src/core/conversation/transcript';

const ask = (id: string, parent: string | null, after?: string): ConversationRecord => ({
  kind: 'question',
  id,
  parent,
  ...(after === undefined ? {} : { after }),
  at: 1,
  text: id,
});
const tries = (id: string, question: string): readonly ConversationRecord[] => [
  { kind: 'answer', id, question, at: 2, model: 'm' },
  { kind: 'piece', answer: id, index: 0, from: 0, text: `says ${id}` },
];
const shown = (question: string, answer?: string): ConversationRecord => ({
  kind: 'shown',
  question,
  ...(answer === undefined ? {} : { try: answer }),
});
const path = (transcript: Transcript) =>
  transcript.turns().map(({ id, shown: answer }) => (answer ? `${id}:${answer.id}` : id));
const ids = (transcript: Transcript, of: string) => transcript.siblings(of).map(({ id }) => id);

describe('the branches of a conversation', () => {
  const base = [ask('q1', null), ...tries('a1', 'q1'), ask('q2', 'q1', 'a1'), ...tries('a2', 'q2')];

  it('have an edited question next to the original, and switch with the turns after each', () => {
    const edited = createTranscript([...base, ask('q1b', null), ...tries('b1', 'q1b')]);
    assert.deepEqual(path(edited), ['q1b:b1']);
    assert.deepEqual(ids(edited, 'q1'), ['q1', 'q1b']);
    edited.apply(shown('q1'));
    assert.deepEqual(path(edited), ['q1:a1', 'q2:a2']);
    edited.apply(shown('q1b'));
    assert.deepEqual(path(edited), ['q1b:b1']);
  });

  it('show turns after an attempt only with that attempt, and send what is shown', () => {
    const again = createTranscript([...base, ...tries('a1b', 'q1')]);
    assert.deepEqual(path(again), ['q1:a1b']);
    again.apply(ask('q3', 'q1', 'a1b'));
    assert.deepEqual(path(again), ['q1:a1b', 'q3']);
    assert.deepEqual(
      compactTurns(again.turns(), undefined).messages.map(({ content }) => content),
      ['q1', 'says a1b', 'q3'],
    );
    assert.deepEqual(ids(again, 'q3'), ['q3']);
    again.apply(shown('q1', 'a1'));
    assert.deepEqual(path(again), ['q1:a1', 'q2:a2']);
    again.apply(shown('q3'));
    assert.deepEqual(path(again), ['q1:a1b', 'q3']);
  });

  it('assign history without an attempt to the one shown', () => {
    const old = createTranscript([ask('q1', null), ...tries('a', 'q1'), ...tries('b', 'q1'), ask('q2', 'q1')]);
    assert.deepEqual(path(old), ['q1:b', 'q2']);
    old.apply(shown('q1', 'a'));
    assert.deepEqual(path(old), ['q1:a']);
    old.apply(shown('q1', 'b'));
    assert.deepEqual(path(old), ['q1:b', 'q2']);
  });

  it("don't change on a request for a missing branch", () => {
    const transcript = createTranscript([...base, shown('nobody'), shown('q1', 'a2'), shown('q2', 'nobody')]);
    assert.deepEqual(path(transcript), ['q1:a1', 'q2:a2']);
    assert.deepEqual(transcript.siblings('nobody'), []);
  });

  it('keep every record reachable after questions, edits, retries, switches, and truncation', () => {
    fc.assert(
      fc.property(fc.array(deed, { maxLength: 14 }), fc.nat(), (deeds, tear) => {
        const records = play(deeds);
        assertAllInReach(createTranscript(records), records);
        const bytes = Buffer.from(toLines(records));
        const torn = bytes.subarray(0, tear % (bytes.length + 1)).toString();
        assertAllInReach(createTranscript(readRecords(torn)), readRecords(torn));
        const holed = records.filter((_, index) => index !== tear % Math.max(1, records.length));
        assertAllInReach(createTranscript(holed), holed);
      }),
      { numRuns: 300 },
    );
  });

  it('are the same after a reload', () => {
    fc.assert(
      fc.property(fc.array(deed, { maxLength: 30 }), (deeds) => {
        const records = play(deeds);
        const live = createTranscript();
        for (const record of records) live.apply(record);
        assert.deepEqual(path(createTranscript(readRecords(toLines(records)))), path(live));
      }),
    );
  });
});

const deed = fc.record({
  what: fc.constantFrom('ask', 'edit', 'again', 'walk', 'walkTry'),
  at: fc.nat({ max: 50 }),
  to: fc.nat({ max: 5 }),
});
type Deed = typeof deed extends fc.Arbitrary<infer D> ? D : never;

/** What the product writes down when these things are done one after the other. */
function play(deeds: readonly Deed[]): readonly ConversationRecord[] {
  const records: ConversationRecord[] = [];
  const transcript = createTranscript();
  const write = (...added: readonly ConversationRecord[]) => {
    records.push(...added);
    for (const record of added) transcript.apply(record);
  };
  deeds.forEach(({ what, at, to }, index) => {
    const turns = transcript.turns();
    const turn = turns[at % Math.max(1, turns.length)];
    const question = (before: (typeof turns)[number] | undefined) =>
      write(ask(`q${index}`, before?.id ?? null, before?.shown?.id), ...tries(`a${index}`, `q${index}`));
    if (what === 'ask' || !turn) question(turns.at(-1));
    else if (what === 'edit') question(turns[turns.indexOf(turn) - 1]);
    else if (what === 'again') write(...tries(`a${index}`, turn.id));
    else if (what === 'walk') {
      const beside = transcript.siblings(turn.id);
      write(shown(beside[to % beside.length]!.id));
    } else write(shown(turn.id, turn.answers[to % turn.answers.length]!.id));
  });
  return records;
}

/** By steps of the walkers alone, from what is shown, every question and every try can be seen. */
function assertAllInReach(transcript: Transcript, records: readonly ConversationRecord[]): void {
  const seen = new Set<string>();
  const visit = (depth: number): void => {
    const turn = transcript.turns()[depth];
    if (!turn) return;
    for (const sibling of transcript.siblings(turn.id)) {
      transcript.apply(shown(sibling.id));
      assert.equal(transcript.turns()[depth]?.id, sibling.id);
      seen.add(sibling.id);
      for (const { id } of sibling.answers) {
        transcript.apply(shown(sibling.id, id));
        assert.equal(transcript.turns()[depth]?.shown?.id, id);
        seen.add(id);
        visit(depth + 1);
      }
      if (sibling.answers.length === 0) visit(depth + 1);
    }
  };
  visit(0);
  for (const record of records) {
    if (record.kind === 'question') assert.ok(seen.has(record.id), `${record.id} is out of reach`);
    if (record.kind === 'answer' && transcript.answer(record.id))
      assert.ok(seen.has(record.id), `${record.id} is out of reach`);
  }
}
