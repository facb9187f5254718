import assert from 'node:assert/strict';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConversationFolder, createHistoryFile } from '../../../../src/core/conversation/conversationFolder';
import { isConversationId } from '../../../../src/schema/conversationId';
import { readRecords, toLines, type ConversationRecord } from '../../../../src/core/conversation/record';
import { compactForNext, compactTurns, textOf } from '../../../../src/core/conversation/requestMessages';
import { createTranscript } from '../../../../src/core/conversation/transcript';

const ask = (id: string, text: string, parent: string | null = null): ConversationRecord => ({
  kind: 'question',
  id,
  parent,
  at: 10,
  text,
});
const start = (id: string, question: string, model = 'm'): ConversationRecord => ({
  kind: 'answer',
  id,
  question,
  at: 11,
  model,
});
const block = (answer: string, index: number, type: 'text' | 'thinking' | 'tool_use' = 'text'): ConversationRecord => ({
  kind: 'block',
  answer,
  index,
  type,
});
const piece = (answer: string, index: number, from: number, text: string): ConversationRecord => ({
  kind: 'piece',
  answer,
  index,
  from,
  text,
});
const end = (answer: string, state: 'done' | 'stopped' | 'failed' = 'done'): ConversationRecord => ({
  kind: 'end',
  answer,
  at: 20,
  end: { state },
});

const history: readonly ConversationRecord[] = [
  { kind: 'conversation', version: 1, id: 'c', createdAt: 1 },
  ask('q1', 'What is “naïve” – 你好 👋?'),
  start('a1', 'q1', 'model-one'),
  block('a1', 0, 'thinking'),
  piece('a1', 0, 0, 'hm…'),
  block('a1', 1),
  piece('a1', 1, 0, 'Gr\u00fc'),
  piece('a1', 1, 3, 'ezi 👋 你好'),
  { kind: 'whole', answer: 'a1', index: 0, block: { type: 'thinking', thinking: 'hm…', signature: 'sig' } },
  end('a1'),
  ask('q2', 'And then?', 'q1'),
  start('a2', 'q2', 'model-two'),
  block('a2', 0),
  piece('a2', 0, 0, 'Then'),
];

describe('a conversation file', () => {
  it('is restored from its records in order, with each block complete', () => {
    const transcript = createTranscript(history);
    const [first, second] = transcript.turns();
    assert.equal(first?.question, 'What is “naïve” – 你好 👋?');
    assert.deepEqual(first?.answers[0], {
      id: 'a1',
      model: 'model-one',
      startedAt: 11,
      blocks: [
        { type: 'thinking', text: 'hm…', whole: { type: 'thinking', thinking: 'hm…', signature: 'sig' } },
        { type: 'text', text: 'Grüezi 👋 你好' },
      ],
      end: { state: 'done' },
    });
    assert.equal(second?.answers[0]?.end, undefined);
    assert.equal(transcript.model, 'model-two');
    assert.equal(transcript.createdAt, 1);
  });

  it('counts a duplicate chunk once', () => {
    const records = [
      ask('q', '?'),
      start('a', 'q'),
      piece('a', 0, 0, 'one '),
      piece('a', 0, 0, 'one '),
      piece('a', 0, 4, 'two'),
    ];
    assert.equal(createTranscript(records).answer('a')?.blocks[0]?.text, 'one two');
  });

  it('keeps every attempt at an answer', () => {
    const transcript = createTranscript([
      ask('q', '?'),
      start('a', 'q'),
      end('a', 'failed'),
      start('b', 'q'),
      end('b'),
    ]);
    assert.deepEqual(
      transcript.turn('q')?.answers.map(({ id, end: ended }) => [id, ended?.state]),
      [
        ['a', 'failed'],
        ['b', 'done'],
      ],
    );
  });

  it('shows the branch of the newest question, and keeps the other', () => {
    const transcript = createTranscript([ask('q1', 'one'), ask('q2', 'two', 'q1'), ask('q3', 'two, edited', 'q1')]);
    assert.deepEqual(
      transcript.turns().map(({ id }) => id),
      ['q1', 'q3'],
    );
    assert.equal(transcript.turn('q2')?.question, 'two');
  });

  it('survives inconsistent records', () => {
    const transcript = createTranscript([
      end('nobody'),
      start('a', 'no such question'),
      ask('q', '?', 'q'),
      start('a', 'q'),
      piece('a', -1, 0, 'x'),
      piece('a', 1e9, 0, 'x'),
      piece('a', 1, 0, 'kept'),
    ]);
    assert.equal(transcript.turns().length, 1);
    assert.deepEqual(
      transcript.answer('a')?.blocks.map(({ text }) => text),
      ['', 'kept'],
    );
  });
});

describe('a fresh start', () => {
  const branches = [ask('q1', 'one'), ask('q2', 'two', 'q1'), ask('q3', 'three', 'q2')];
  const from = (turn: string | null): ConversationRecord => ({ kind: 'start', at: 12, turn });
  const sent = (...records: readonly ConversationRecord[]) =>
    createTranscript([...branches, ...records])
      .sentTurns()
      .map(({ id }) => id);

  it('omits earlier turns only from requests', () => {
    assert.deepEqual(sent(), ['q1', 'q2', 'q3']);
    assert.deepEqual(sent(from('q2')), ['q2', 'q3']);
    assert.equal(createTranscript([...branches, from('q2')]).turns().length, 3);
  });

  it('applies as set last, and not on a branch without that turn', () => {
    assert.deepEqual(sent(from('q2'), from('q3')), ['q3']);
    assert.deepEqual(sent(from('q2'), from(null)), ['q1', 'q2', 'q3']);
    assert.deepEqual(sent(from('q3'), ask('q4', 'three, edited', 'q2')), ['q1', 'q2', 'q4']);
    assert.deepEqual(sent(from('nowhere')), ['q1', 'q2', 'q3']);
  });

  it('is a line of the history like any other', () => {
    assert.deepEqual(readRecords(toLines([from('q2'), from(null)])), [from('q2'), from(null)]);
    assert.deepEqual(readRecords('{"kind":"start","at":1,"turn":7}\n'), []);
  });
});

describe('records on disk', () => {
  it('are loaded as they were written', () => {
    assert.deepEqual(readRecords(toLines(history)), history);
  });

  it('skip unknown kinds, fields, and lines', () => {
    const known = JSON.stringify(ask('q', '?'));
    const text = `{"kind":"hologram","id":"x"}\n{"kind":"question","id":5}\nnot json\n[]\n\n{"kind":"__proto__"}\n${known}\n`;
    assert.deepEqual(readRecords(text), [ask('q', '?')]);
  });
});

describe('the messages of a request', () => {
  const turnsOf = (...records: readonly ConversationRecord[]) => createTranscript(records).turns();
  const messagesOf = (turns: Parameters<typeof compactTurns>[0]) => compactTurns(turns, undefined).messages;

  it('end with the question, and contain the text of earlier answers', () => {
    assert.deepEqual(messagesOf(turnsOf(...history)), [
      { role: 'user', content: 'What is “naïve” – 你好 👋?' },
      { role: 'assistant', content: 'Grüezi 👋 你好' },
      { role: 'user', content: 'And then?' },
    ]);
  });

  it('omit earlier questions whose answer has no content, however it ended', () => {
    const thinking = [{ kind: 'block', answer: 'a5', index: 0, type: 'thinking' }, piece('a5', 0, 0, 'Hm')] as const;
    const turns = turnsOf(
      ask('q1', 'one'),
      start('a1', 'q1'),
      block('a1', 0),
      end('a1', 'failed'),
      ask('q2', 'two', 'q1'),
      start('a2', 'q2'),
      piece('a2', 0, 0, 'par'),
      end('a2', 'failed'),
      ask('q3', 'three', 'q2'),
      ask('q4', 'four', 'q3'),
      start('a4', 'q4'),
      { kind: 'prefill', answer: 'a4', text: 'Dear' },
      piece('a4', 0, 0, 'Dear'),
      end('a4', 'stopped'),
      ask('q5', 'five', 'q4'),
      start('a5', 'q5'),
      ...thinking,
      end('a5', 'stopped'),
      ask('q6', 'six', 'q5'),
    );
    assert.deepEqual(
      messagesOf(turns).map(({ content }) => content),
      ['two', 'par', 'six'],
    );
    // The last question is the one that is asked, also when its answer failed before.
    assert.deepEqual(messagesOf(turns.slice(0, 1)), [{ role: 'user', content: 'one' }]);
  });

  it('contain a partial answer as received, and the last of several attempts', () => {
    const turns = turnsOf(
      ask('q1', 'one'),
      start('a1', 'q1'),
      piece('a1', 0, 0, 'old'),
      end('a1', 'stopped'),
      start('a2', 'q1'),
      piece('a2', 0, 0, 'par'),
      end('a2', 'stopped'),
      ask('q2', 'two', 'q1'),
    );
    assert.deepEqual(
      messagesOf(turns).map(({ content }) => content),
      ['one', 'par', 'two'],
    );
  });
});

describe('the next request', () => {
  /** So many turns; those in `silent` got no answer. */
  const talk = (count: number, ...silent: readonly number[]) =>
    createTranscript(
      Array.from({ length: count }, (_, index) => [
        ask(`q${index}`, `question ${index}`, index === 0 ? null : `q${index - 1}`),
        start(`a${index}`, `q${index}`),
        ...(silent.includes(index) ? [end(`a${index}`, 'failed')] : [piece(`a${index}`, 0, 0, `answer ${index}`)]),
      ]).flat(),
    ).turns();
  const next = (turns: ReturnType<typeof talk>, limit: number | undefined, answering = false) => {
    const { messages, compacted, transcript } = compactForNext(turns, limit, { answering });
    return { count: messages.length, compacted, transcript };
  };

  it('includes the upcoming question, and the streaming answer', () => {
    assert.deepEqual(next(talk(3), 10), { count: 7, compacted: 0, transcript: '' });
    assert.equal(next(talk(3, 2), 10).count, 5);
    assert.equal(next(talk(3, 2), 10, true).count, 7);
    assert.equal(next(talk(50), undefined).count, 101);
    assert.equal(next([], 10).count, 1);
  });

  it('reports the compacted turns, which the request itself then compacts', () => {
    const turns = talk(9, 2);
    const before = next(turns, 10);
    assert.deepEqual([before.count, before.compacted], [9, 5]);
    const asked = compactTurns([...turns, ...createTranscript([ask('next', 'next')]).turns()], 10);
    assert.equal(asked.compacted, 5);
    assert.equal(asked.transcript, before.transcript);
    assert.equal(asked.messages.length, before.count);
    assert.match(before.transcript, /> question 4/);
    assert.doesNotMatch(before.transcript, /question 5/);
  });
});

describe('a folder of conversations', () => {
  let folder: string;
  const conversations = () => createConversationFolder(folder, () => 42);
  const openOne = async (id = 'one') => {
    const conversation = await conversations().open(id);
    assert.ok(conversation);
    return conversation;
  };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'conversations-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('has no file for an empty conversation', async () => {
    const conversation = await openOne();
    await conversation.close();
    assert.deepEqual(await readdir(folder), []);
  });

  it('starts a file with its version, and loads all of its content', async () => {
    const conversation = await openOne();
    await conversation.record([ask('q', '?')], { durable: true });
    await conversation.record([start('a', 'q'), piece('a', 0, 0, 'text')]);
    await conversation.close();
    const lines = (await readFile(join(folder, 'one.jsonl'), 'utf8')).split('\n');
    assert.deepEqual(JSON.parse(lines[0]!), { kind: 'conversation', version: 1, id: 'one', createdAt: 42 });
    const again = await openOne();
    assert.deepEqual(again.transcript.turns(), conversation.transcript.turns());
    assert.equal(again.transcript.createdAt, 42);
  });

  it('stores what is displayed without being closed', async () => {
    const conversation = await openOne();
    await conversation.record([ask('q', '?'), start('a', 'q')]);
    for (let count = 0; count < 50; count++) {
      await conversation.record([piece('a', 0, count, 'x')]);
      const onDisk = createTranscript(readRecords(await readFile(join(folder, 'one.jsonl'), 'utf8')));
      assert.deepEqual(onDisk.turns(), conversation.transcript.turns());
    }
    await conversation.close();
  });

  it('appends after a line truncated by a crash', async () => {
    await writeFile(join(folder, 'one.jsonl'), `${toLines([history[0]!, ask('q', '?')])}{"kind":"answer","id":"a`);
    const conversation = await openOne();
    await conversation.record([start('b', 'q'), piece('b', 0, 0, 'whole')]);
    await conversation.close();
    assert.deepEqual((await openOne()).transcript.turn('q')?.answers.map(textOf), ['whole']);
  });

  it('retries a failed write with the next, but drops one that had to be durable', async () => {
    await writeFile(join(folder, 'blocked'), '');
    const file = createHistoryFile(join(folder, 'blocked', 'one.jsonl'));
    await assert.rejects(file.append([ask('q1', 'must be written or refused')], { durable: true }));
    await assert.rejects(file.append([ask('q2', 'kept')]));
    await rm(join(folder, 'blocked'));
    await file.append([ask('q3', 'next')]);
    await file.close();
    const written = readRecords(await readFile(join(folder, 'blocked', 'one.jsonl'), 'utf8'));
    assert.deepEqual(written, [ask('q2', 'kept'), ask('q3', 'next')]);
  });

  it("doesn't change the display when a durable record can't be written", async () => {
    const conversation = await openOne();
    await mkdir(join(folder, 'one.jsonl'));
    await assert.rejects(conversation.record([ask('q1', 'refused')], { durable: true }));
    assert.deepEqual(conversation.transcript.turns(), []);
    await conversation.record([ask('q2', 'kept')]);
    assert.equal(conversation.transcript.turns().length, 1);
    assert.ok(conversation.unsaved);
    await conversation.close();
  });

  it("doesn't open a file of a later version, or a name that isn't an ID", async () => {
    await writeFile(join(folder, 'late.jsonl'), '{"kind":"conversation","version":2,"id":"late","createdAt":1}\n');
    assert.equal(await conversations().open('late'), undefined);
    assert.equal(await conversations().open('../late'), undefined);
    assert.ok(!isConversationId('a/b') && !isConversationId('') && isConversationId('0b-1_c'));
  });

  it('stores a draft separately, and removes it when it is empty', async () => {
    const conversation = await openOne();
    await Promise.all(['a', 'ab', 'abc'].map((text) => conversation.writeDraft(text)));
    assert.equal(await (await openOne()).readDraft(), 'abc');
    assert.deepEqual(await readdir(folder), ['one.draft']);
    await conversation.writeDraft('');
    assert.equal(await conversation.readDraft(), '');
    assert.deepEqual(await readdir(folder), []);
    await conversation.close();
  });

  it('stores attachments next to the draft, complete and in order, and removes the file when there are none', async () => {
    const conversation = await openOne();
    const attach = (label: string) =>
      ({ kind: 'terminal', label, language: '', text: `grüß ${label}`, tokens: 2 }) as const;
    await Promise.all([
      conversation.attached.set([attach('a')]),
      conversation.attached.set([attach('a'), attach('b')]),
    ]);
    assert.deepEqual((await openOne()).attached.list, [attach('a'), attach('b')]);
    assert.deepEqual(await readdir(folder), ['one.attached']);
    void conversation.attached.set([attach('c')]);
    await conversation.close();
    assert.deepEqual((await openOne()).attached.list, [attach('c')]);
    await conversation.attached.set([]);
    assert.deepEqual([conversation.attached.list, await readdir(folder)], [[], []]);
  });

  it('opens without unreadable attachments', async () => {
    for (const text of ['', '{"version":1,"attach', 'null', '[]', '{"attachments":[{"kind":"file"}, 7]}']) {
      await writeFile(join(folder, 'one.attached'), text);
      assert.deepEqual((await openOne()).attached.list, [], text);
    }
  });

  it('moves unreadable attachments aside before it overwrites them', async () => {
    const text = '{"version":1,"attach';
    await writeFile(join(folder, 'one.attached'), text);
    const conversation = await openOne();
    await conversation.attached.set([{ kind: 'terminal', label: 'a', language: '', text: 'b', tokens: 1 }]);
    const aside = (await readdir(folder)).find((name) => name.startsWith('one.attached.unreadable-'));
    assert.equal(await readFile(join(folder, aside ?? ''), 'utf8'), text);
    await conversation.close();
  });

  it('returns the conversation written last', async () => {
    assert.equal(await conversations().newestId(), undefined);
    for (const [id, at] of [
      ['old', 100],
      ['new', 300],
      ['older', 50],
    ] as const) {
      await appendFile(join(folder, `${id}.jsonl`), toLines([ask('q', '?')]));
      await utimes(join(folder, `${id}.jsonl`), at, at);
    }
    await writeFile(join(folder, 'new.draft'), 'x');
    assert.equal(await conversations().newestId(), 'new');
  });
});
