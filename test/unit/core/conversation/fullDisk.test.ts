import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createConversationFolder } from '../../../../src/core/conversation/conversationFolder';
import type { Conversation } from '../../../../src/core/conversation/conversationFolder';
import { readRecords } from '../../../../src/core/conversation/record';
import type { ConversationRecord } from '../../../../src/core/conversation/record';
import { canFill, fillUnder, mountSmallDisk } from '../../../support/fullDisk';
import type { SmallDisk } from '../../../support/fullDisk';
import { setUpFolder } from '../../../support/temporaryFolder';

const question = (id: string): ConversationRecord => ({ kind: 'question', id, parent: null, at: 1, text: id });
const answer: ConversationRecord = { kind: 'answer', id: 'a', question: 'q', at: 2, model: 'm' };
const piece = (from: number, text: string): ConversationRecord => ({
  kind: 'piece',
  answer: 'a',
  index: 0,
  from,
  text,
});
const kinds = (records: readonly ConversationRecord[]) => records.map(({ kind }) => kind).join(' ');

describe('a conversation on a disk that fills up', () => {
  const folder = setUpFolder();
  const recordsIn = async (path: string) => readRecords(await readFile(join(path, 'one.jsonl'), 'utf8'));
  const open = async (path: string): Promise<Conversation> => {
    const conversation = await createConversationFolder(path, () => 1).open('one');
    assert.ok(conversation);
    return conversation;
  };
  const openFilled = async () => {
    const conversation = await open(folder.path());
    await conversation.record([question('q'), answer], { durable: true });
    return { conversation, disk: fillUnder(folder.in('one.jsonl')) };
  };

  beforeEach(function () {
    if (!canFill) this.skip();
  });

  it('keeps unsaved answers in memory, reports them, and writes them when there is space', async () => {
    const { conversation, disk } = await openFilled();
    const reported: (string | undefined)[] = [];
    conversation.onDidChangeUnsaved(() => reported.push(conversation.unsaved && String(conversation.unsaved.error)));
    await conversation.record([piece(0, 'Paid ')]);
    await conversation.record([piece(5, 'for')]);
    assert.equal(conversation.transcript.answer('a')?.blocks[0]?.text, 'Paid for');
    assert.deepEqual([...(conversation.unsaved?.answers ?? [])], ['a']);
    assert.equal(reported.length, 1);
    assert.match(reported[0] ?? '', /ENOSPC/);
    await assert.rejects(conversation.save(), { code: 'ENOSPC' });
    assert.equal(conversation.unsaved?.tries, 1);
    await disk.makeRoom();
    await conversation.save();
    assert.equal(conversation.unsaved, undefined);
    assert.deepEqual(reported.slice(-1), [undefined]);
    assert.equal(kinds(await recordsIn(folder.path())), 'conversation question answer piece piece');
    await conversation.close();
  });

  it('refuses a question, and keeps the conversation before it', async () => {
    const { conversation, disk } = await openFilled();
    await conversation.record([piece(0, 'Paid for')]);
    await assert.rejects(conversation.record([question('q2')], { durable: true }), { code: 'ENOSPC' });
    assert.equal(conversation.transcript.turn('q2'), undefined);
    await disk.makeRoom();
    await conversation.record([question('q3')], { durable: true });
    assert.equal(conversation.unsaved, undefined);
    assert.equal(kinds(await recordsIn(folder.path())), 'conversation question answer piece question');
    await conversation.close();
  });

  it('retries once when it is closed', async () => {
    const { conversation, disk } = await openFilled();
    await conversation.record([piece(0, 'Paid for')]);
    await disk.makeRoom();
    await conversation.close();
    assert.equal(kinds(await recordsIn(folder.path())), 'conversation question answer piece');
  });
});

describe('a conversation on a small disk', () => {
  let disk: SmallDisk | undefined;
  before(async function () {
    disk = await mountSmallDisk();
    if (!disk) this.skip();
  });
  after(() => disk?.remove());

  it('has every line once after a partial write, and none of a refused question', async () => {
    assert.ok(disk);
    const path = disk.folder;
    const conversation = await createConversationFolder(path, () => 1).open('one');
    assert.ok(conversation);
    await conversation.record([question('q'), answer], { durable: true });
    const whole = Array.from({ length: 60 }, (_, index) => piece(index * 1000, String(index % 10).repeat(1000)));
    await disk.fill(12_000);
    await conversation.record(whole);
    assert.match(String(conversation.unsaved?.error), /ENOSPC/);
    assert.ok((await readFile(join(path, 'one.jsonl'))).length > 8000, 'the disk took part of it');
    await disk.makeRoom();
    await conversation.save();
    await disk.fill(12_000);
    const before = await readFile(join(path, 'one.jsonl'), 'utf8');
    const long: ConversationRecord = { kind: 'question', id: 'q2', parent: 'q', at: 3, text: 'x'.repeat(50_000) };
    await assert.rejects(conversation.record([question('q1'), long], { durable: true }), { code: 'ENOSPC' });
    assert.equal(await readFile(join(path, 'one.jsonl'), 'utf8'), before);
    await disk.makeRoom();
    await conversation.close();
    const records = readRecords(before);
    assert.deepEqual(records.slice(3), whole);
  });
});
