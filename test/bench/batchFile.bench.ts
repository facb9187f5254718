import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm, statfs } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type * as JsonService from 'vscode-json-languageservice';
import * as z from 'zod';
import { checkFile } from '../../src/core/batch/disk/checkFile';
import type { BenchLine } from '../host/benchLine';
import { batchLine, writeBatchFile } from '../support/batchLines';
import { bundleProgram, runProgram } from '../support/programs';

const shapes = [
  { name: '300,000 lines of 630 B', lines: 300_000, lineBytes: 630, goal: 0.25 },
  { name: '10,000 lines of 20 kB', lines: 10_000, lineBytes: 20_000, goal: 0.25 },
];
const rounds = 5;
const editorLines = 5000;
const editorLineBytes = 630;
const countGoal = 8;
const gigabyte = 1e9;
const freeBytes = 3e9;

/**
 * Checks a batch file on disk with all rules and duplicates. Compares CPU with a naive check and with counting line feeds, and measures
 * memory.
 */
export async function run(): Promise<readonly BenchLine[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'inference-desk-batch-'));
  try {
    const lines: BenchLine[] = [];
    for (const shape of shapes) lines.push(...(await compare(folder, shape)));
    lines.push(await besideEditor(folder));
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize >= freeBytes) lines.push(await memory(folder));
    else console.log(`The memory of a 1 GB check is not measured: less than 3 GB are free in ${folder}.`);
    return lines;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function compare(folder: string, { name, lines, lineBytes, goal }: (typeof shapes)[number]) {
  const file = path.join(folder, 'batch.jsonl');
  writeBatchFile(file, lines, (number) => batchLine(number, lineBytes));
  const ways = { ours, naive, count };
  const best = { ours: Infinity, naive: Infinity, count: Infinity };
  // They take turns, so that none of them has a quieter machine. The first round warms up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const way of ['ours', 'naive', 'count'] as const) {
      const cost = await cpuOf(() => ways[way](file), lines);
      if (round > 0) best[way] = Math.min(best[way], cost);
    }
  }
  const unit = 'ms CPU';
  const besideNaive: BenchLine = {
    name: `check on disk, ${name}`,
    ours: best.ours,
    peer: best.naive,
    peerName: 'readline + JSON.parse + zod + Set',
    unit,
    ratioAtMost: goal,
    ...(lineBytes !== 20_000 && { title: `Check a batch file of ${lines.toLocaleString('en')} requests` }),
  };
  const besideCount: BenchLine = {
    name: `the same beside a count of its lines, ${name}`,
    ours: best.ours,
    peer: best.count,
    peerName: 'line feeds in pieces of 1 MiB',
    unit,
    ...(lineBytes === 20_000 && { ratioAtMost: countGoal }),
  };
  return [besideNaive, besideCount];
}

/** Checks the same lines, each as a separate document, with the language service behind VS Code's JSON features. */
async function besideEditor(folder: string): Promise<BenchLine> {
  const file = path.join(folder, 'batch.jsonl');
  writeBatchFile(file, editorLines, (number) => batchLine(number, editorLineBytes));
  const best = { ours: Infinity, languageService: Infinity };
  for (let round = 0; round <= rounds; round += 1) {
    const costs = {
      ours: await cpuOf(() => ours(file), editorLines),
      languageService: await cpuOf(() => languageService(file), editorLines),
    };
    if (round === 0) continue;
    best.ours = Math.min(best.ours, costs.ours);
    best.languageService = Math.min(best.languageService, costs.languageService);
  }
  return {
    name: `check on disk, ${editorLines.toLocaleString('en')} lines of ${editorLineBytes} B`,
    ours: best.ours,
    peer: best.languageService,
    peerName: 'vscode-json-languageservice',
    unit: 'ms CPU',
  };
}

// Node finds only some of its exports with an import.
const { getLanguageService, TextDocument } = createRequire(import.meta.url)(
  'vscode-json-languageservice',
) as typeof JsonService;

async function languageService(file: string): Promise<number> {
  const service = getLanguageService({});
  const schema = z.toJSONSchema(request);
  let lines = 0;
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const document = TextDocument.create(`line://${lines}.json`, 'json', 1, line);
    const problems = await service.doValidation(document, service.parseJSONDocument(document), {}, schema as object);
    if (problems.length > 0) throw new Error(`A good line has problems: ${JSON.stringify(problems[0])}`);
    lines += 1;
  }
  return lines;
}

/** Returns milliseconds of CPU, including the system's share. */
async function cpuOf(work: () => Promise<number>, lines: number): Promise<number> {
  globalThis.gc?.();
  const before = process.cpuUsage();
  const found = await work();
  const { user, system } = process.cpuUsage(before);
  if (found !== lines) throw new Error(`${found} lines were found in place of ${lines}.`);
  return (user + system) / 1000;
}

async function ours(file: string): Promise<number> {
  const problems = new Set<string>();
  const { requests } = await checkFile(file, { onProblem: ({ code }) => void problems.add(code) });
  problems.delete('file.too-many-requests');
  if (problems.size > 0) throw new Error(`Good lines have problems: ${[...problems].join(', ')}`);
  return requests;
}

const request = z.object({
  custom_id: z.string().min(1),
  method: z.literal('POST'),
  url: z.literal('/v1/chat/completions'),
  body: z.object({
    model: z.string(),
    messages: z.array(z.object({ role: z.enum(['system', 'user', 'assistant', 'tool']), content: z.string() })).min(1),
    max_tokens: z.number().int().min(1).optional(),
    temperature: z.number().min(0).max(2).optional(),
  }),
});

async function naive(file: string): Promise<number> {
  const ids = new Set<string>();
  for await (const line of createInterface({ input: createReadStream(file) })) {
    ids.add(request.parse(JSON.parse(line)).custom_id);
  }
  return ids.size;
}

async function count(file: string): Promise<number> {
  const handle = await open(file);
  const buffer = Buffer.allocUnsafe(1 << 20);
  let lines = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, null);
    if (bytesRead === 0) break;
    const bytes = buffer.subarray(0, bytesRead);
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines += 1;
  }
  await handle.close();
  return lines;
}

async function memory(folder: string): Promise<BenchLine> {
  const client = await bundleProgram('test/support/checkClient.ts');
  const file = path.join(folder, 'batch.jsonl');
  const small = path.join(folder, 'small.jsonl');
  writeBatchFile(small, 10, (number) => batchLine(number, 280));
  const lines = 50_000;
  const bytes = writeBatchFile(file, lines, (number) => batchLine(number, gigabyte / lines));
  const { requests, overIdleMb } = JSON.parse(await runProgram(process.execPath, [client, small, file])) as {
    readonly requests: number;
    readonly overIdleMb: number;
  };
  if (requests !== lines) throw new Error(`${requests} lines were found in place of ${lines}.`);
  const allowedMb = 60;
  return {
    name: `memory over the idle program, ${(bytes / gigabyte).toFixed(2)} GB in ${lines.toLocaleString('en')} lines`,
    ours: overIdleMb,
    unit: 'MB',
    atMost: allowedMb,
  };
}
