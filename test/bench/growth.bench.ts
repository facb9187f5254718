import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createClient } from '../../src/core/api/client';
import { createAssetIndex } from '../../src/core/assets/assetIndex';
import { checkFile } from '../../src/core/batch/disk/checkFile';
import { createBatchIndex, type BatchIndex } from '../../src/core/batch/index/batchIndex';
import { ResultsTable } from '../../src/core/batch/results/resultsTable';
import { dropDuplicates, shuffleFile } from '../../src/core/batch/transform/transforms';
import { gatherModels } from '../../src/core/catalogue/gatherModels';
import { groupModels } from '../../src/core/catalogue/groupModels';
import { createConversationFolder } from '../../src/core/conversation/conversationFolder';
import { createConversationIndex } from '../../src/core/conversation/conversationIndex';
import { toLines } from '../../src/core/conversation/record';
import { compactForNext } from '../../src/core/conversation/requestMessages';
import type { Job } from '../../src/core/jobs/job';
import { createJobStore } from '../../src/core/jobs/jobStore';
import { splitText } from '../../src/core/ranking/splitText';
import { createTextRanking } from '../../src/core/search/textRanking';
import { estimateTokens } from '../../src/core/tokens/estimate';
import { toLedgerLine } from '../../src/core/usage/usage';
import { dayFileAt } from '../../src/core/usage/usageLedger';
import { createMarkdownRenderer } from '../../webview/markdown/renderer';
import type { BenchLine } from '../host/benchLine';
import { batchLine, writeBatchFile } from '../support/batchLines';
import { longAnswer, longTalk } from '../support/longTalk';
import { imageAsset } from '../support/madeAssets';
import { writeRun } from '../support/resultLines';
import { toRecords } from './longChatHost.bench';
import { cutAnywhere, messageStream } from './streamBytes';
import { chatQuestion, optionsFor } from './streams.bench';

/** One kind of work at three sizes, each ten times the previous one. */
interface Growing {
  readonly name: string;
  /** The smallest size. */
  readonly from: number;
  /** What is counted, in the plural. */
  readonly of: string;
  /** Prepares the input in a separate empty folder, and resolves to the work, which can be repeated. */
  readonly prepare: (size: number, folder: string) => Promise<() => unknown>;
}

/**
 * The maximum exponent between the two larger sizes. n log n has at most 1.1 there. The rest allows for caches, which hold less of larger
 * inputs, and for garbage collection. Quadratic work has 2.
 */
const mostExponent = 1.2;
const rounds = { least: 3, most: 10 };
/** The time spent on rounds of short work, which reduces the influence of chance on the minimum. */
const spentMs = 300;
/** Shorter work is repeated several times per round. */
const leastMs = 15;

const quiet = { signal: new AbortController().signal, onProgress: () => {} };

/** Measures the CPU time of each kind of work at 1, 10, and 100 times the size, and the exponent of its growth. */
export async function run(): Promise<readonly BenchLine[]> {
  const root = await mkdtemp(path.join(os.tmpdir(), 'growth-'));
  try {
    const lines: BenchLine[] = [];
    for (const growing of kinds) lines.push(await measure(growing, root));
    return lines;
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function measure({ name, from, of, prepare }: Growing, root: string): Promise<BenchLine> {
  const growth: number[] = [];
  for (const size of [from, from * 10, from * 100]) {
    const folder = path.join(root, 'work');
    await mkdir(folder);
    growth.push(await costOf(await prepare(size, folder)));
    await rm(folder, { recursive: true, force: true });
  }
  const [, middle = 0, most = 0] = growth;
  const sizes = `${from.toLocaleString('en')} to ${(from * 100).toLocaleString('en')} ${of}`;
  return {
    name: `growth: ${name}, ${sizes}`,
    ours: Math.log10(most / middle),
    unit: 'exponent',
    growth,
    atMost: mostExponent,
  };
}

/** Returns the minimum CPU milliseconds of some rounds, after a warm-up round that determines how often a round repeats the work. */
async function costOf(work: () => unknown): Promise<number> {
  const times = async (count: number): Promise<number> => {
    globalThis.gc?.();
    const before = process.cpuUsage();
    for (let done = 0; done < count; done += 1) await work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 / count;
  };
  const first = await times(1);
  const count = Math.min(200, Math.max(1, Math.ceil(leastMs / first)));
  const costs: number[] = [];
  const isEnough = () => costs.length >= rounds.least && costs.reduce((sum, cost) => sum + cost * count, 0) > spentMs;
  while (costs.length < rounds.most && !isEnough()) costs.push(await times(count));
  return Math.min(...costs);
}

/** Adds the lines in the chunks that VS Code uses. */
function indexOf(lines: readonly string[]): BatchIndex {
  const index = createBatchIndex();
  for (let at = 0; at < lines.length; at += 200) index.replace(at, 0, lines.slice(at, at + 200));
  return index;
}

const batchLines = (count: number) => Array.from({ length: count }, (_, number) => batchLine(number, 420));

async function writeBatch(folder: string, lines: number): Promise<string> {
  const file = path.join(folder, 'batch.jsonl');
  writeBatchFile(file, lines, (number) => batchLine(number, 280));
  return file;
}

async function openResults(count: number, folder: string): Promise<() => Promise<ResultsTable>> {
  const [input, output] = [path.join(folder, 'input.jsonl'), path.join(folder, 'output.jsonl')];
  writeRun(input, output, { count, bytes: 600 });
  return () => ResultsTable.open({ input: { path: input }, outputs: [output], errors: [] }, quiet);
}

async function openTalk(turns: number, folder: string) {
  await writeFile(path.join(folder, 'long.jsonl'), toLines(longTalk(turns).flatMap(toRecords)));
  return async () => (await createConversationFolder(folder, Date.now).open('long'))!;
}

/** Writes this many conversations of three turns each. */
async function writeTalks(count: number, folder: string): Promise<void> {
  const text = toLines(longTalk(3).flatMap(toRecords));
  for (let number = 0; number < count; number += 1) await writeFile(path.join(folder, `talk-${number}.jsonl`), text);
}

async function readStream(pieces: readonly Uint8Array[]): Promise<void> {
  for await (const _event of createClient(optionsFor(pieces)).messages.stream(chatQuestion));
}

function prose(characters: number): string {
  let text = '';
  for (let index = 0; text.length < characters; index += 1) text += `${longAnswer(index)}\n\n`;
  return text.slice(0, characters);
}

const batchWork: readonly Growing[] = [
  {
    name: 'check of a batch file on disk',
    from: 1000,
    of: 'lines',
    prepare: async (size, folder) => {
      const file = await writeBatch(folder, size);
      return () => checkFile(file, { onProblem: () => {} });
    },
  },
  {
    name: 'first reading of a batch file in the editor',
    from: 500,
    of: 'lines',
    prepare: async (size) => {
      const lines = batchLines(size);
      return () => indexOf(lines);
    },
  },
  {
    name: 'a key in it',
    from: 500,
    of: 'lines',
    prepare: async (size) => {
      const index = indexOf(batchLines(size));
      let key = 0;
      return () => {
        const start = { line: (key * 7919) % size, character: 180 };
        const change = key % 2 === 0 ? { end: start, text: 'x' } : { end: { ...start, character: 181 }, text: '' };
        key += 1;
        index.change({ start, ...change });
        for (const _ of index.problems({ hasBom: false, hasCrlf: false }));
      };
    },
  },
  {
    name: 'duplicates dropped from a batch file',
    from: 1000,
    of: 'lines',
    prepare: async (size, folder) => {
      const [file, target] = [await writeBatch(folder, size), path.join(folder, 'target.jsonl')];
      return () => dropDuplicates(file, 'customId', { target, replace: true });
    },
  },
  {
    name: 'a batch file shuffled',
    from: 1000,
    of: 'lines',
    prepare: async (size, folder) => {
      const [file, target] = [await writeBatch(folder, size), path.join(folder, 'target.jsonl')];
      return () => shuffleFile(file, 7, { target, replace: true });
    },
  },
  {
    name: 'results joined to their requests',
    from: 500,
    of: 'lines',
    prepare: async (size, folder) => {
      const open = await openResults(size, folder);
      return async () => (await open()).close();
    },
  },
  {
    name: 'results sorted by id',
    from: 500,
    of: 'lines',
    prepare: async (size, folder) => {
      const table = await (await openResults(size, folder))();
      let descending = false;
      return () => {
        descending = !descending;
        return table.arrange({ state: 'all', query: '', sort: 'customId', descending }, quiet);
      };
    },
  },
  {
    name: 'results searched',
    from: 500,
    of: 'lines',
    prepare: async (size, folder) => {
      const table = await (await openResults(size, folder))();
      let query = 0;
      return () => {
        query += 1;
        return table.arrange({ state: 'all', query: `Answer ${query}`, sort: 'line', descending: false }, quiet);
      };
    },
  },
];

const chatWork: readonly Growing[] = [
  {
    name: 'a stream read to its whole message',
    from: 1000,
    of: 'events',
    prepare: async (size) => {
      const pieces = cutAnywhere(messageStream(size), 1400);
      return () => readStream(pieces);
    },
  },
  {
    name: 'one event of a stream, in pieces of up to 64 bytes',
    from: 10_000,
    of: 'characters',
    prepare: async (size) => {
      const delta = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'x'.repeat(size) } };
      const stream = String(messageStream(1)).replace(
        /(?<=event: content_block_delta\ndata: ).*/,
        JSON.stringify(delta),
      );
      const pieces = cutAnywhere(Buffer.from(stream), 64);
      return () => readStream(pieces);
    },
  },
  {
    name: 'a conversation opened',
    from: 10,
    of: 'turns',
    prepare: async (size, folder) => {
      const open = await openTalk(size, folder);
      return async () => (await open()).close();
    },
  },
  {
    name: 'what the next request sends of it',
    from: 10,
    of: 'turns',
    prepare: async (size, folder) => {
      const { transcript } = await (await openTalk(size, folder))();
      return () => compactForNext(transcript.sentTurns(), 10, { answering: false });
    },
  },
  {
    name: 'a list of conversations, none of them known',
    from: 20,
    of: 'conversations',
    prepare: async (size, folder) => {
      await writeTalks(size, folder);
      return async () => {
        await rm(path.join(folder, 'index.json'), { force: true });
        return createConversationIndex(folder).list();
      };
    },
  },
  {
    name: 'the same, one of them changed',
    from: 20,
    of: 'conversations',
    prepare: async (size, folder) => {
      await writeTalks(size, folder);
      const index = createConversationIndex(folder);
      await index.list();
      let seconds = 1_700_000_000;
      return async () => {
        seconds += 1;
        await utimes(path.join(folder, 'talk-7.jsonl'), seconds, seconds);
        return index.list();
      };
    },
  },
  {
    name: 'a search in all of them',
    from: 20,
    of: 'conversations',
    prepare: async (size, folder) => {
      await writeTalks(size, folder);
      const index = createConversationIndex(folder);
      return () => index.search('allocates nothing', quiet.signal);
    },
  },
  {
    name: 'an answer rendered',
    from: 10_000,
    of: 'characters',
    prepare: async (size) => {
      const [renderer, text] = [createMarkdownRenderer(), prose(size)];
      return () => renderer.render(text, {});
    },
  },
];

const otherWork: readonly Growing[] = [
  {
    name: 'a list of models, gathered and grouped',
    from: 100,
    of: 'models',
    prepare: async (size) => {
      const models = Array.from({ length: size }, (_, number) => ({ id: `vendor-${number % 40}/model-${number}` }));
      const list = async ({ subType }: { readonly subType?: string }) =>
        subType === undefined ? models : models.filter((_, number) => number % 7 === subType.length % 7);
      return async () => groupModels((await gatherModels(list, { hasFilters: true })).models);
    },
  },
  {
    name: 'a gallery, none of it known',
    from: 20,
    of: 'images',
    prepare: async (size, folder) => {
      await writeAssets(size, folder);
      return () => createAssetIndex().list([folder]);
    },
  },
  {
    name: 'jobs read from their records',
    from: 20,
    of: 'jobs',
    prepare: async (size, folder) => {
      const job = { version: 1, kind: 'batch', profileId: 'p', createdAt: 1, stage: 'ended', name: 'n' };
      for (let number = 0; number < size; number += 1)
        await writeFile(path.join(folder, `job-${number}.json`), JSON.stringify({ ...job, id: `job-${number}` }));
      return () => createJobStore(folder, (raw) => raw as unknown as Job).list();
    },
  },
  {
    name: 'usage of a day, read from its ledger',
    from: 1000,
    of: 'calls',
    prepare: async (size, folder) => {
      const entry = { at: Date.UTC(2026, 10, 1), model: 'm', inputTokens: 900, outputTokens: 400 };
      const text = toLedgerLine(entry).repeat(size);
      let file = 0;
      return async () => {
        file += 1;
        const day = path.join(folder, `${file}.jsonl`);
        await writeFile(day, text);
        return dayFileAt(day).readOn();
      };
    },
  },
  {
    name: 'texts scored by the words of a question',
    from: 200,
    of: 'texts',
    prepare: async (size) => {
      const texts = Array.from({ length: size }, (_, number) => longAnswer(number % 500));
      return () => {
        const ranking = createTextRanking<number>('Which way allocates nothing and keeps the order of lines?');
        for (const [at, text] of texts.entries()) ranking.add(at, text, `folder/file-${at}.md`);
        return ranking.best(200);
      };
    },
  },
  {
    name: 'a text taken apart into documents',
    from: 10_000,
    of: 'characters',
    prepare: async (size) => {
      const text = prose(size);
      return () => splitText(text, 'paragraphs');
    },
  },
  {
    name: 'tokens of a text estimated',
    from: 10_000,
    of: 'characters',
    prepare: async (size) => {
      const text = prose(size);
      return () => estimateTokens(text);
    },
  },
];

async function writeAssets(count: number, folder: string): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const { path: file, recipe } = imageAsset({ folder, seed: number });
    await writeFile(file, 'picture');
    await writeFile(`${file}.recipe.json`, JSON.stringify(recipe));
  }
}

const kinds: readonly Growing[] = [...batchWork, ...chatWork, ...otherWork];
