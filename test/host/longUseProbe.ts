import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { queryObjects } from 'node:v8';
import * as vscode from 'vscode';
import { ChatRuntime } from '../../src/features/chat/chatRuntime';
import type { Services } from '../../src/services/services';
import { collectGarbage } from '../support/collectGarbage';
import { batchLine, writeBatchFile } from '../support/batchLines';
import { deskServices, signInAnew } from '../support/deskServices';
import { makeImage } from '../support/mediaController';
import { createPageEnd } from '../support/pageEnd';
import { until } from '../support/until';
import { cpuOf } from './activationProbe.ts';
import { resultVariable } from './mocha.ts';

/** The host's additional memory after garbage collection, in megabytes. */
interface Held {
  readonly questionsMb: number;
  readonly batchesMb: number;
  readonly imagesMb: number;
}

export interface LongUse extends Held {
  /** Tabs with pages that were opened and closed, and pages that still exist. */
  readonly pages: number;
  readonly pagesLeft: number;
  /** CPU time of our code with a displayed balance that doesn't change. */
  readonly idleMsPerHour: number;
  /** CPU time of our code to read the balance once and close the unused connection. */
  readonly readingMs: number;
}

interface Work {
  readonly questions: number;
  readonly batches: number;
  readonly images: number;
}

/** Work done before the measurement, which loads lazy code and the open conversation. */
const before: Work = { questions: 20, batches: 2, images: 5 };
const work: Work = { questions: 200, batches: 20, images: 50 };
const questionsEach = 10;
const imagesAtOnce = 10;
const idleSeconds = 60;
/** Unused connections are closed after this time. */
const connectionSeconds = 30;
/** After 5, 15, and 35 minutes. The interval increases while the balance stays the same. */
const readingsPerHour = 3;

async function ask(services: Services, count: number): Promise<void> {
  const runtime = new ChatRuntime(services);
  const end = createPageEnd<'chat'>();
  runtime.show(end.view);
  const { page } = end;
  const { model } = await page.call('chat/ready', {});
  for (let question = 0; question < count; question += 1) {
    if (question % questionsEach === 0) await runtime.locations.current.startNew();
    const { turn } = await page.call('chat/ask', {
      text: `Question ${question}: what is a rate limit?`,
      model: model ?? '',
    });
    await page.call('chat/follow', { turnId: turn.id, have: [] }, { onChunk: () => {} });
  }
  await runtime.locations.current.startNew();
  await runtime.dispose();
}

async function openBatches(folder: string, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const file = path.join(folder, `batch-${number}.jsonl`);
    writeBatchFile(file, 2000, (line) => batchLine(line, 300));
    // Opens the file like the Explorer. VS Code keeps documents that a program opens for another three minutes.
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(file));
    await wait(100);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  }
}

async function makeImages(services: Services, count: number): Promise<void> {
  for (let made = 0; made < count; made += imagesAtOnce) {
    const seeds = Array.from({ length: Math.min(imagesAtOnce, count - made) }, (_, index) => made + index);
    await Promise.all(seeds.map((seed) => makeImage(services, `A harbour, seen ${seed} times`, seed)));
  }
}

/** Opens pages in tabs and closes them. */
async function openPages(folder: string): Promise<{ readonly pages: number; readonly pagesLeft: number }> {
  const file = path.join(folder, 'pages.jsonl');
  writeBatchFile(file, 50, (line) => batchLine(line, 300));
  const own = vscode.window.createWebviewPanel('probe', '', vscode.ViewColumn.One);
  const count = () => queryObjects(own.constructor, { format: 'count' });
  own.dispose();
  await heldMb();
  const begun = count();
  const commands = [
    ['inferenceDesk.chat.openInEditor'],
    ['inferenceDesk.images.open'],
    ['inferenceDesk.videos.open'],
    ['inferenceDesk.gallery.open'],
    ['inferenceDesk.complete.settings'],
    ['inferenceDesk.batchFile.preview', vscode.Uri.file(file)],
    ['inferenceDesk.batches.submit', vscode.Uri.file(file)],
  ] as const;
  for (const [command, ...of] of commands) {
    // Some commands end only when their page is closed.
    void vscode.commands.executeCommand(command, ...of);
    await until(() => vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(isPage)) || undefined, command);
    await wait(500);
    if (count() === begun) throw new Error(`${command}: an open page is not counted.`);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  }
  await heldMb();
  return { pages: commands.length, pagesLeft: count() - begun };
}

const isPage = ({ input }: vscode.Tab): boolean => input instanceof vscode.TabInputWebview;

/** Returns the megabytes of live objects and their buffers. */
async function heldMb(): Promise<number> {
  for (let times = 0; times < 3; times += 1) {
    // VS Code notifies the host of closed documents with a delay.
    await wait(700);
    collectGarbage();
  }
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
}

/** Runs in an extension host instead of a suite. `<result>.asked` contains the URL and key of a service. */
export async function run(): Promise<void> {
  const file = process.env[resultVariable];
  if (file === undefined) throw new Error('Nobody asked.');
  const service = JSON.parse(readFileSync(`${file}.asked`, 'utf8')) as {
    readonly baseUrl: string;
    readonly apiKey: string;
  };
  const folder = await mkdtemp(path.join(os.tmpdir(), 'long-use-'));
  const services = await deskServices();
  await signInAnew(services, 'bench', service);
  await services.models.refresh();
  const use = async ({ questions, batches, images }: Work): Promise<Held> => {
    const begun = await heldMb();
    await ask(services, questions);
    const asked = await heldMb();
    await openBatches(folder, batches);
    const opened = await heldMb();
    await makeImages(services, images);
    return { questionsMb: asked - begun, batchesMb: opened - asked, imagesMb: (await heldMb()) - opened };
  };
  await use(before);
  const held = await use(work);
  const pages = await openPages(folder);
  await services.settings.set('statusBar.show', true);
  await services.account.refresh();
  await wait(connectionSeconds * 1000);
  const product = path.join(services.context.extensionUri.fsPath, 'dist');
  const isOurs = (url: string) => url.includes(`${product}/`) && !url.includes(`${product}/test/`);
  const restMs = await cpuOf(isOurs, idleSeconds);
  const [readingMs] = await Promise.all([
    cpuOf(isOurs, connectionSeconds),
    wait(100).then(() => services.account.refresh()),
  ]);
  const idleMsPerHour = restMs * (3600 / idleSeconds) + readingMs * readingsPerHour;
  const result: LongUse = { ...held, ...pages, idleMsPerHour, readingMs };
  await rm(folder, { recursive: true, force: true });
  writeFileSync(file, JSON.stringify(result));
}
