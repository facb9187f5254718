import { deepEqual, equal } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { WorkBoard } from '../../../../src/core/jobs/workBoard';
import { setUpFolder } from '../../../support/temporaryFolder';

describe('work in progress of several windows', () => {
  const folder = setUpFolder();
  const opened: WorkBoard[] = [];
  const openWindow = (where: string) => {
    const board = new WorkBoard(folder.in('work'), () => where);
    opened.push(board);
    return board;
  };
  afterEach(async () => {
    for (const board of opened.splice(0)) await board.dispose();
  });
  const seen = async (board: WorkBoard) => (await board.elsewhere()).map(({ where, label }) => `${where}: ${label}`);
  const chat = { kind: 'chat', label: 'Answering', startedAt: 2 };

  it('is visible to the others with its progress', async () => {
    const [one, two, three] = [openWindow('one'), openWindow('two'), openWindow('three')];
    await one.publish([chat, { ...chat, label: 'Ranking', startedAt: 1 }]);
    const expected = [{ model: 'm', requests: 1, inputTokens: 9 }];
    await two.publish([{ ...chat, kind: 'batchFile', startedAt: 3, progress: { done: 1, total: 4 }, expected }]);
    deepEqual((await one.elsewhere())[0]?.expected, expected);
    deepEqual(await seen(one), ['two: Answering']);
    deepEqual(await seen(three), ['one: Ranking', 'one: Answering', 'two: Answering']);
    await two.publish([{ ...chat, kind: 'batchFile', startedAt: 3, progress: { done: 2, total: 4, isPaused: true } }]);
    deepEqual((await three.elsewhere()).at(-1)?.progress, { done: 2, total: 4, isPaused: true });
    await one.publish([]);
    deepEqual(await seen(three), ['two: Answering']);
    await two.dispose();
    deepEqual([await seen(three), await readdir(folder.in('work'))], [[], []]);
  });

  it('can be stopped by the others, each item once', async () => {
    const [one, two] = [openWindow('one'), openWindow('two')];
    await one.publish([chat, { ...chat, stopId: '7' }, { ...chat, stopId: '9' }]);
    const [first, , last] = await two.elsewhere();
    await two.askToStop(last!);
    await two.askToStop(first!);
    deepEqual([await two.stopRequests(), await one.stopRequests(), await one.stopRequests()], [[], ['9'], []]);
    await one.publish([{ ...chat, stopId: '9' }]);
    deepEqual((await two.elsewhere())[0]?.id, last?.id);
    await two.askToStop(last!);
    await one.dispose();
    deepEqual(await readdir(folder.in('work')), []);
  });

  it('ends with a killed process', async () => {
    const board = openWindow('one');
    await board.publish([chat]);
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    const claim = { token: 'theirs', pid: child.pid, host: hostname(), where: 'killed', note: { work: [chat] } };
    await writeFile(folder.in('work/killed.1'), JSON.stringify(claim));
    deepEqual(await seen(openWindow('two')), ['one: Answering']);
  });

  it('omits invalid parts of a note, and keeps the rest', async () => {
    const claim = (note: unknown) =>
      JSON.stringify({ token: 't', pid: process.pid, host: hostname(), where: 'x', note });
    const board = openWindow('two');
    await board.publish([]);
    const notes = [
      null,
      'text',
      { work: 'none' },
      { work: [null, { kind: 'chat' }, { ...chat, progress: { done: -1, total: 2 } }] },
      {
        work: [
          { ...chat, label: 'x'.repeat(3000) },
          { ...chat, label: 'Kept', later: true },
        ],
        later: 1,
      },
    ];
    await openWindow('one').publish([chat]);
    for (const [index, note] of notes.entries()) await writeFile(folder.in(`work/n${index}.1`), claim(note));
    await writeFile(folder.in('work/torn.1'), claim({ work: [chat] }).slice(0, 60));
    deepEqual((await seen(board)).toSorted(), ['one: Answering', 'x: Kept']);
    equal((await readdir(folder.in('work'))).length, 7);
  });
});
