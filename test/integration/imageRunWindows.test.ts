import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { Leases } from '../../src/core/storage/leases';
import type { ImageRun } from '../../src/core/imageRuns/imageRun';
import { ImageRuns } from '../../src/features/images/runs/imageRuns';
import type { Media, MediaJob } from '../../src/services/media/media';
import type { Services } from '../../src/services/services';
import { isUserError } from '../../src/platform/errors/userError';
import { deskServices } from '../support/deskServices';
import { until } from '../support/until';

const request = (prompt: string) => ({ model: 'm', prompt });
const address = 'https://a.example/v1';
const refusal = { kind: 'refused', error: { kind: 'auth', message: 'No', status: 401 }, message: 'No', at: 0 };

describe('image jobs of several windows', () => {
  let folder: string;
  let windows: ImageRuns[];
  let jobs: MediaJob[];
  let isRefusing: boolean;
  /** What the service answered cannot be written. */
  let isUnkept: boolean;
  let profile: { readonly name: string; readonly baseUrl: string } | undefined;
  let submitted: string[];
  let answering: Promise<void> | undefined;
  let changed: vscode.EventEmitter<void>;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'run-windows-'));
    [windows, jobs, submitted, isRefusing, isUnkept, answering] = [[], [], [], false, false, undefined];
    profile = { name: 'P', baseUrl: address };
    changed = new vscode.EventEmitter();
  });
  afterEach(async () => {
    for (const one of windows) one.dispose();
    changed.dispose();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  });

  const submit: Media['submit'] = async (task, { group } = {}) => {
    submitted.push(task.kind === 'image' ? task.request.prompt : '');
    await answering;
    const job = {
      id: randomUUID(),
      profileId: 'p',
      baseUrl: address,
      createdAt: Date.now(),
      folder: '/f',
      task,
      group,
      stage: isRefusing ? 'refused' : isUnkept ? 'submitting' : 'fetching',
      ...(isRefusing && { lastError: refusal }),
    } as unknown as MediaJob;
    if (!isRefusing) jobs = [job, ...jobs];
    if (isUnkept) throw new Error('The disk is full');
    return job;
  };
  /** With jobs, profiles and a folder of the test. */
  const openWindow = async () => {
    const services = await deskServices();
    const media = Object.assign(async () => ({ submit, forget: async () => {} }), { onDidChange: changed.event });
    Object.defineProperty(media, 'jobs', { get: () => jobs });
    const context = { storageUri: vscode.Uri.file(folder) } as unknown as vscode.ExtensionContext;
    const settings = { ...services.settings, get: () => 0, onDidChange: changed.event } as never;
    const profiles = { get: () => profile } as never;
    const runs = new ImageRuns({
      ...services,
      context,
      media: media as unknown as Services['media'],
      settings,
      profiles,
    });
    windows.push(runs);
    await runs.ready();
    return runs;
  };
  const runFile = (id: string) => path.join(folder, 'images', 'runs', `${id}.json`);
  const onDisk = async (id: string) => JSON.parse(await readFile(runFile(id), 'utf8')) as ImageRun;
  const statesOf = ({ items }: ImageRun) => items.map(({ state }) => state).join();
  const find = (runs: ImageRuns, id: string) => runs.all.find((run) => run.id === id)!;
  const untilOnDisk = (id: string, states: string) =>
    until(async () => (statesOf(await onDisk(id)) === states ? true : undefined), `${states} on disk`);
  /** Of three, all refused for the key: none was sent, and a person may go on in either window. */
  const stoppedInBoth = async () => {
    isRefusing = true;
    const one = await openWindow();
    const { id } = await one.start({ profileId: 'p', baseUrl: address }, ['a', 'b', 'c'].map(request));
    await untilOnDisk(id, 'notSent,notSent,notSent');
    isRefusing = false;
    submitted = [];
    return { one, other: await openWindow(), id };
  };

  it("doesn't resend requests that another window has sent", async () => {
    const { one, other, id } = await stoppedInBoth();
    equal(statesOf(find(other, id)), 'notSent,notSent,notSent');
    await one.goOn(id);
    await untilOnDisk(id, 'ordered,ordered,ordered');
    await other.goOn(id);
    equal(statesOf(find(other, id)), 'ordered,ordered,ordered');
    deepEqual(submitted.toSorted(), ['a', 'b', 'c']);
  });

  it('sends the remaining requests on request while earlier ones have no response yet', async () => {
    const runs = await openWindow();
    let answer = () => {};
    answering = new Promise((resolve) => (answer = resolve));
    const prompts = Array.from({ length: 6 }, (_, index) => `prompt ${index}`);
    const { id } = await runs.start({ profileId: 'p', baseUrl: address }, prompts.map(request));
    await until(() => submitted.length > 0 || undefined, 'the first order');
    runs.stop(id);
    ok(find(runs, id).items.some(({ state }) => state === 'notSent'));
    await runs.goOn(id);
    answer();
    await untilOnDisk(id, prompts.map(() => 'ordered').join());
    deepEqual(submitted.toSorted(), prompts.toSorted());
  });

  it('preserves records of another window when files arrive', async () => {
    const { one, other, id } = await stoppedInBoth();
    // A run of which this window knows one order, and the other window all.
    const [first] = find(one, id).items;
    const known = await submit({ kind: 'image', request: first!.request }, { group: id });
    submitted = [];
    const items = find(one, id).items.map((item, at) =>
      at === 0 ? { ...item, state: 'ordered', jobId: known.id } : item,
    );
    await writeFile(runFile(id), JSON.stringify({ ...(await onDisk(id)), items }));
    const third = await openWindow();
    await one.goOn(id);
    await untilOnDisk(id, 'ordered,ordered,ordered');
    jobs = jobs.map((job) =>
      job.id === known.id ? { ...job, stage: 'ended', results: [{ url: '', path: '/f/a.png' }] } : job,
    );
    await until(() => {
      // Of several windows one at a time looks.
      changed.fire();
      return find(third, id).items[0]?.files ? true : undefined;
    }, 'the files in the third window');
    equal(statesOf(await onDisk(id)), 'ordered,ordered,ordered');
    equal(statesOf(find(third, id)), 'ordered,ordered,ordered');
    deepEqual((await onDisk(id)).items[0]?.files, ['/f/a.png']);
    other.dispose();
    deepEqual(submitted.toSorted(), ['b', 'c']);
  });

  it('sends no requests to a service other than the selected one', async () => {
    const { one, id } = await stoppedInBoth();
    for (const other of [{ name: 'P', baseUrl: 'https://b.example/v1' }, undefined]) {
      profile = other;
      await one.goOn(id);
      const why = other ? /base URL of .* has changed/ : /removed/;
      await until(() => {
        const run = find(one, id);
        return (statesOf(run) === 'notSent,notSent,notSent' && why.test(run.halt?.problem?.title ?? '')) || undefined;
      }, String(why));
    }
    deepEqual(submitted, []);
    profile = { name: 'P', baseUrl: address };
    await one.goOn(id);
    await untilOnDisk(id, 'ordered,ordered,ordered');
  });

  it("doesn't treat requests as unsent if their job is in progress", async () => {
    const { one, id } = await stoppedInBoth();
    isUnkept = true;
    await one.goOn(id);
    await untilOnDisk(id, 'ordered,ordered,ordered');
    deepEqual(
      find(one, id).items.map(({ jobId }) => jobs.find((job) => job.id === jobId)?.task.request.prompt),
      ['a', 'b', 'c'],
    );
  });

  it('takes over the latest record of a closed window', async () => {
    const run: ImageRun = {
      version: 1,
      id: 'left',
      createdAt: 1,
      profileId: 'p',
      items: ['a', 'b', 'c'].map((prompt) => ({ request: request(prompt), state: 'waiting' })),
    };
    await mkdir(path.dirname(runFile('left')), { recursive: true });
    await writeFile(runFile('left'), JSON.stringify(run));
    const leases = new Leases(path.join(folder, 'images', 'open'), () => 'another');
    const lease = await leases.take('left');
    const runs = await openWindow();
    ok(runs.isElsewhere('left'));
    await rejects(runs.goOn('left'), isUserError);
    // It sends the first, and is gone before it writes that it sent the second.
    const job = await submit({ kind: 'image', request: request('a') }, { group: 'left' });
    await submit({ kind: 'image', request: request('b') }, { group: 'left' });
    const [, ...rest] = run.items;
    const first = { request: request('a'), state: 'ordered', jobId: job.id };
    await writeFile(runFile('left'), JSON.stringify({ ...run, items: [first, ...rest] }));
    await lease.release();
    leases.dispose();
    changed.fire();
    await until(() => (runs.isElsewhere('left') ? undefined : true), 'the run to be nobody’s');
    equal(statesOf(find(runs, 'left')), 'ordered,ordered,notSent');
    await runs.goOn('left');
    await untilOnDisk('left', 'ordered,ordered,ordered');
    deepEqual(submitted, ['a', 'b', 'c']);
  });
});
