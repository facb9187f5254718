import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConversationFolder } from '../../../../src/core/conversation/conversationFolder';
import { Leases, HeldElsewhere } from '../../../../src/core/storage/leases';

describe('a conversation and several windows', () => {
  let folder: string;
  const opened: Leases[] = [];
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'leases-'))));
  afterEach(async () => {
    for (const leases of opened.splice(0)) leases.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  const openWindow = (where: string) => {
    const leases = new Leases(folder, () => where);
    opened.push(leases);
    return leases;
  };
  const isHeld = (where: string) => (error: unknown) => error instanceof HeldElsewhere && error.where === where;
  /** Another window's claim, as its process left it. */
  const leave = async (pid: number, host = hostname(), ageMs = 0, generation = 3) => {
    const path = join(folder, `c.${generation}`);
    await writeFile(path, JSON.stringify({ token: 'theirs', pid, host, where: 'theirs' }));
    const at = new Date(Date.now() - ageMs);
    await utimes(path, at, at);
  };
  const deadPid = async () => {
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    return child.pid!;
  };

  it('is open in one of them, and in another after it was closed there', async () => {
    const [one, two] = [openWindow('one'), openWindow('two')];
    const lease = await one.take('c');
    await assert.rejects(two.take('c'), isHeld('one'));
    assert.deepEqual([[...(await one.elsewhere())], [...(await two.elsewhere())]], [[], [['c', 'one']]]);
    await two.take('d');
    await lease.release();
    await two.take('c');
    await assert.rejects(one.take('c'), isHeld('two'));
    assert.deepEqual((await one.elsewhere()).get('c'), 'two');
  });

  it('shows others what its window does with it, until it is released or taken over', async () => {
    const [one, two] = [openWindow('one'), openWindow('two')];
    const lease = await one.take('c');
    assert.deepEqual(await two.notesElsewhere(), []);
    await lease.setNote({ doing: 'this' });
    await lease.setNote({ doing: 'that' });
    assert.deepEqual(await two.notesElsewhere(), [{ id: 'c', where: 'one', note: { doing: 'that' } }]);
    assert.deepEqual(await one.notesElsewhere(), []);
    await assert.rejects(two.take('c'), isHeld('one'));
    const taken = await two.take('c', { force: true });
    await lease.setNote({ doing: 'more' });
    await assert.rejects(lease.check(), isHeld('two'));
    await taken.release();
    await taken.setNote({ doing: 'late' });
    assert.deepEqual([await one.notesElsewhere(), await readdir(folder)], [[], []]);
  });

  it('is assigned to exactly one of simultaneous requests, whatever a dead process left', async () => {
    for (let round = 0; round < 20; round++) {
      await leave(await deadPid());
      const windows = Array.from({ length: 6 }, (_, index) => openWindow(`${index}`));
      const results = await Promise.allSettled(windows.map((leases) => leases.take('c')));
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1, JSON.stringify(results));
      for (const result of results)
        if (result.status === 'fulfilled') await result.value.release();
        else assert.ok(result.reason instanceof HeldElsewhere, String(result.reason));
    }
  }).timeout(20_000);

  it('is free immediately when its process is dead, and after a long time on another machine', async () => {
    await leave(await deadPid());
    await (await openWindow('one').take('c')).release();
    await leave(process.pid, hostname(), 60_000);
    await assert.rejects(openWindow('one').take('c'), isHeld('theirs'));
    await leave(await deadPid(), 'another machine', 60_000);
    await assert.rejects(openWindow('one').take('c'), isHeld('theirs'));
    await leave(await deadPid(), 'another machine', 200_000);
    const lease = await openWindow('one').take('c');
    assert.deepEqual(await readdir(folder), ['c.4']);
    await lease.release();
    await leave(await deadPid());
    await leave(process.pid, hostname(), 0, 10);
    await assert.rejects(openWindow('one').take('c'), isHeld('theirs'));
  });

  it('is free soon if a process died before it identified itself', async () => {
    const path = join(folder, 'c.3');
    const leftAgo = async (ageMs: number) => {
      await writeFile(path, '');
      const at = new Date(Date.now() - ageMs);
      await utimes(path, at, at);
    };
    await leftAgo(4500);
    await openWindow('one').take('c');
    assert.deepEqual(await readdir(folder), ['c.4']);
  });

  it('can be taken over, which the other window detects before it writes a question', async () => {
    const history = join(folder, 'history');
    const [one, two] = ['one', 'two'].map((where) => createConversationFolder(history, Date.now, openWindow(where)));
    const question = (id: string) => ({ kind: 'question', id, parent: null, at: 1, text: id }) as const;
    const first = await one!.open('c');
    await first?.record([question('a')], { durable: true });
    await assert.rejects(two!.open('c'), isHeld('one'));
    const second = await two!.open('c', { force: true });
    assert.deepEqual(
      second?.transcript.turns().map(({ id }) => id),
      ['a'],
    );
    await assert.rejects(async () => first?.record([question('b')], { durable: true }), isHeld('two'));
    await second?.record([question('c')], { durable: true });
    await first?.close();
    await assert.rejects(one!.open('c'), isHeld('two'));
    await second?.close();
    const third = await one!.open('c');
    assert.deepEqual(
      third?.transcript.siblings('a').map(({ id }) => id),
      ['a', 'c'],
    );
    await third?.close();
  });
});
