import assert from 'node:assert/strict';
import { toConversationJson, toMarkdown } from '../../../../src/core/conversation/export/conversationText';
import { readRecords, toLines } from '../../../../src/core/conversation/record';
import type { ConversationRecord } from '../../../../src/core/conversation/record';
import { compactTurns } from '../../../../src/core/conversation/requestMessages';
import { createTranscript } from '../../../../src/core/conversation/transcript';

const answer = (id: string, model: string, question = 'q1'): readonly ConversationRecord[] => [
  { kind: 'answer', id, question, at: 2, model },
  { kind: 'piece', answer: id, index: 0, from: 0, text: `${model} says 你好` },
];
const compare = (tries: readonly string[], question = 'q1'): ConversationRecord => ({
  kind: 'compare',
  question,
  tries,
  leftOut: { b: ['top_k'] },
});
const picked = (tryId: string | null): ConversationRecord => ({ kind: 'picked', question: 'q1', try: tryId });
const asked: readonly ConversationRecord[] = [
  { kind: 'question', id: 'q1', parent: null, at: 1, text: 'Which is faster?' },
  ...answer('a', 'm/one'),
  ...answer('b', 'm/two'),
  ...answer('c', 'm/three'),
  compare(['a', 'b', 'c']),
];
const turnOf = (...records: readonly ConversationRecord[]) => createTranscript(records).turns()[0]!;

describe('a comparison', () => {
  it("starts in the requested order, with the parameters that each model doesn't get", () => {
    assert.deepEqual(turnOf(...asked).comparison, { tries: ['a', 'b', 'c'], leftOut: { b: ['top_k'] }, isOpen: true });
  });

  it('collapses into the selected answer, which the next request includes, and reopens', () => {
    const pick: readonly ConversationRecord[] = [{ kind: 'shown', question: 'q1', try: 'b' }, picked('b')];
    const turn = turnOf(...asked, ...pick);
    assert.deepEqual([turn.comparison?.isOpen, turn.comparison?.picked, turn.shown?.id], [false, 'b', 'b']);
    const next: ConversationRecord = { kind: 'question', id: 'q2', parent: 'q1', after: 'b', at: 3, text: 'Why?' };
    const transcript = createTranscript([...asked, ...pick, next]);
    assert.deepEqual(
      compactTurns(transcript.turns(), undefined).messages.map(({ content }) => content),
      ['Which is faster?', 'm/two says 你好', 'Why?'],
    );
    transcript.apply(picked(null));
    const again = transcript.turns()[0]?.comparison;
    assert.deepEqual([again?.isOpen, again?.picked], [true, 'b']);
  });

  it("replaces a column's attempt with a new one", () => {
    const turn = turnOf(...asked, ...answer('b2', 'm/two'), compare(['a', 'b2', 'c']));
    assert.deepEqual(turn.comparison?.tries, ['a', 'b2', 'c']);
    assert.equal(turn.answers.length, 4);
  });

  it('is loaded without unknown values: foreign attempts, invalid selections, damaged names', () => {
    assert.deepEqual(turnOf(...asked, picked('nobody')).comparison?.isOpen, true);
    assert.deepEqual(turnOf(...asked, compare(['a', 'nobody'])).comparison?.tries, ['a', 'b', 'c']);
    assert.equal(turnOf(...asked.slice(0, 3), compare(['a', 'b'])).comparison, undefined);
    assert.equal(turnOf(...asked.slice(0, -1), picked('a')).comparison, undefined);
    assert.deepEqual(readRecords('{"kind":"compare","question":"q1","tries":[1]}\n'), []);
    const damaged = { ...compare(['a', 'b']), leftOut: { a: 'top_k' } } as unknown as ConversationRecord;
    assert.deepEqual(turnOf(...asked, damaged).comparison?.leftOut, {});
  });

  it('loses no answer wherever the file is truncated', () => {
    const records = [...asked, ...answer('b2', 'm/two'), compare(['a', 'b2', 'c']), picked('b2'), picked(null)];
    const bytes = Buffer.from(toLines(records));
    let seen = 0;
    for (let length = 0; length <= bytes.length; length++) {
      const read = readRecords(bytes.subarray(0, length).toString('utf8'));
      assert.deepEqual(read, records.slice(0, read.length));
      const turn = createTranscript(read).turns()[0];
      const tries = turn?.answers ?? [];
      assert.ok(tries.length >= seen, `cut at ${length} lost an answer`);
      seen = tries.length;
      assert.ok(turn?.comparison?.tries.every((id) => tries.some((one) => one.id === id)) ?? true);
    }
    assert.equal(seen, 4);
  });

  it('is exported completely before a selection, then with the selected answer', () => {
    const models = (...records: readonly ConversationRecord[]) =>
      toMarkdown(createTranscript(records).turns()).match(/## m\/\w+/g);
    assert.deepEqual(models(...asked), ['## m/one', '## m/two', '## m/three']);
    assert.deepEqual(models(...asked, { kind: 'shown', question: 'q1', try: 'b' }, picked('b')), ['## m/two']);
  });

  it('is included in program exports, with the compared answers and the selection', () => {
    const exported = (...records: readonly ConversationRecord[]) => {
      const { turns } = JSON.parse(
        toConversationJson({ id: 'c', turns: createTranscript(records).turns(), request: undefined }),
      ) as { readonly turns: readonly { compared?: unknown; picked?: unknown; answers: readonly unknown[] }[] };
      return [turns[0]?.compared, turns[0]?.picked, turns[0]?.answers.length];
    };
    assert.deepEqual(exported(...asked), [['a', 'b', 'c'], undefined, 3]);
    assert.deepEqual(exported(...asked, picked('c')), [['a', 'b', 'c'], 'c', 3]);
  });

  it('remembers its models, and whether the next question is sent to them', () => {
    const chosen = { kind: 'comparing', models: ['m/one', 'm/two'], on: true } as const;
    const transcript = createTranscript(readRecords(toLines([...asked, chosen])));
    assert.deepEqual(transcript.comparedModels, { models: ['m/one', 'm/two'], on: true });
    transcript.apply({ ...chosen, on: false });
    assert.equal(transcript.comparedModels.on, false);
  });
});
