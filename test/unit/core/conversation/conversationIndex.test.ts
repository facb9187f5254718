import assert from 'node:assert/strict';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { autoTitle } from '../../../../src/core/conversation/autoTitle';
import { createConversationTrash } from '../../../../src/core/conversation/conversationTrash';
import { createConversationIndex } from '../../../../src/core/conversation/conversationIndex';
import { toLines } from '../../../../src/core/conversation/record';
import type { ConversationRecord } from '../../../../src/core/conversation/record';

const header = (id: string): ConversationRecord => ({ kind: 'conversation', version: 1, id, createdAt: 1 });
const talk = (id: string, question: string, at: number, ...pieces: readonly string[]) => {
  let from = 0;
  const answer: ConversationRecord[] = pieces.map((text) => {
    const record = { kind: 'piece', answer: `a-${id}`, index: 0, from, text } as const;
    from += text.length;
    return record;
  });
  return [
    header(id),
    { kind: 'question', id: `q-${id}`, parent: null, at, text: question },
    { kind: 'answer', id: `a-${id}`, question: `q-${id}`, at, model: 'm' },
    ...answer,
  ] satisfies readonly ConversationRecord[];
};

describe('the title of a conversation', () => {
  it('is the first nonempty line of the question, without markup or invisible characters', () => {
    assert.equal(autoTitle('\n\n```ts\n## Why is\u202e it   slow?\nmore'), 'Why is it slow?');
    assert.equal(autoTitle('- > item one'), 'item one');
    assert.equal(autoTitle('???'), '???');
    assert.equal(autoTitle('  \n '), '');
  });

  it('is cut at a word, or anywhere in a script without spaces, never within a character', () => {
    const cut = autoTitle('Explain, in a few words, what a rate limit in tokens per minute means for me');
    assert.equal(cut, 'Explain, in a few words, what a rate limit in tokens per…');
    assert.equal(Array.from(autoTitle('订'.repeat(100))).length, 60);
    assert.equal(autoTitle('👋'.repeat(100)), `${'👋'.repeat(59)}…`);
  });
});

describe('the index of conversations', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'index-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const write = (id: string, records: readonly ConversationRecord[]) =>
    writeFile(join(folder, `${id}.jsonl`), toLines(records));
  const append = (id: string, ...records: readonly ConversationRecord[]) =>
    appendFile(join(folder, `${id}.jsonl`), toLines(records));
  const listed = async () => (await createConversationIndex(folder).list()).map(({ id, title }) => `${id} ${title}`);

  it('lists pinned conversations first, then the newest, and omits empty ones and those of a later version', async () => {
    await write('old', talk('old', 'Old one', 10));
    await write('new', talk('new', 'New one', 30));
    await write('kept', [...talk('kept', 'Kept one', 5), { kind: 'pinned', pinned: true }]);
    await write('empty', [header('empty'), { kind: 'model', model: 'm' }]);
    await write('later', [
      { ...header('later'), version: 9 } as ConversationRecord,
      ...talk('x', 'Later', 99).slice(1),
    ]);
    assert.deepEqual(await listed(), ['kept Kept one', 'new New one', 'old Old one']);
    await append('old', { kind: 'title', title: 'Named' }, { kind: 'pinned', pinned: true });
    await append('kept', { kind: 'pinned', pinned: false });
    assert.deepEqual(await listed(), ['old Named', 'new New one', 'kept Kept one']);
    await append('old', { kind: 'title', title: '' });
    assert.equal((await listed())[0], 'old Old one');
  });

  it('returns the same with its cache, without it, and with a damaged or outdated one', async () => {
    for (let n = 0; n < 40; n++) await write(`c${n}`, talk(`c${n}`, `Question ${n}`, n));
    const fresh = await listed();
    assert.equal(fresh.length, 40);
    assert.deepEqual(await listed(), fresh);
    const cache = join(folder, 'index.json');
    const whole = await readFile(cache, 'utf8');
    for (const damaged of [
      '',
      whole.slice(0, 100),
      '[]',
      '{"version":2,"files":{}}',
      whole.replaceAll('"size":', '"size":9'),
    ]) {
      await writeFile(cache, damaged);
      assert.deepEqual(await listed(), fresh);
    }
    await write('c3', talk('c3', 'Question 3', 500));
    assert.equal((await listed())[0], 'c3 Question 3');
    await rm(join(folder, 'c3.jsonl'));
    assert.equal((await listed()).length, 39);
  });

  it('finds every word in titles and texts, across streamed chunks', async () => {
    await write('a', talk('a', 'Limits', 1, 'They count tok', 'ens per min', 'ute 👋.'));
    await write('b', talk('b', 'Tokens per minute', 2));
    await write('c', talk('c', 'Else', 3));
    const { signal } = new AbortController();
    const found = await createConversationIndex(folder).search('TOKENS  minute', signal);
    assert.deepEqual(
      found.map(({ id, found: text }) => [id, text]),
      [
        ['b', undefined],
        ['a', 'They count tokens per minute 👋.'],
      ],
    );
    await assert.rejects(createConversationIndex(folder).search('x', AbortSignal.abort()), { name: 'AbortError' });
  });

  it('restores deleted conversations, and removes them permanently after their time', async () => {
    let clock = 1000;
    const bin = createConversationTrash(folder, 60, () => clock);
    await write('a', talk('a', 'First', 1));
    await writeFile(join(folder, 'a.draft'), 'half');
    await writeFile(join(folder, 'a.attached'), '{}');
    await write('b', talk('b', 'Second', 2));
    await bin.put('a');
    clock += 10;
    await bin.put('b');
    assert.deepEqual(await listed(), []);
    assert.deepEqual(await bin.last(), { id: 'b', title: 'Second' });
    assert.equal((await readdir(folder)).includes('a.attached'), false);
    assert.equal(await bin.restore('a'), true);
    assert.deepEqual(await listed(), ['a First']);
    assert.equal(await readFile(join(folder, 'a.draft'), 'utf8'), 'half');
    assert.equal(await readFile(join(folder, 'a.attached'), 'utf8'), '{}');
    assert.equal(await bin.restore('nobody'), false);
    clock += 61;
    assert.equal(await bin.restore('b'), false);
    assert.equal(await bin.last(), undefined);
    await bin.clear();
    assert.deepEqual(await readdir(join(folder, 'deleted')), []);
  });

  it('is empty without a folder', async () => {
    await rm(folder, { recursive: true });
    assert.deepEqual(await listed(), []);
    await mkdir(folder);
  });
});
