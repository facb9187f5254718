import { createReadStream } from 'node:fs';
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { ResultsTable } from '../../src/core/batch/results/resultsTable';
import type { BenchLine } from '../host/benchLine';
import { bundleProgram, runProgram } from '../support/programs';
import { writeRun } from '../support/resultLines';
import { naiveTickets, writeTickets } from '../support/tickets';

const joined = { count: 50_000, bytes: 1000 };
const large = { count: 50_000, bytes: 29_000 };
const rounds = 3;
/** A third of the time is the `JSON.parse` that the peer does too. */
const goal = 0.8;
const mostMb = 200;
const freeBytes = 3e9;
const quiet = { signal: new AbortController().signal, onProgress: () => {} };

/** Results joined to their requests: CPU beside what people write, and the memory of 1 GB of them. */
export async function run(): Promise<readonly BenchLine[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'inference-desk-results-'));
  const [input, output] = [path.join(folder, 'input.jsonl'), path.join(folder, 'output.jsonl')];
  try {
    writeRun(input, output, joined);
    const lines = [
      await compare(input, output),
      ...(await arranged(folder, tickets)),
      ...(await arranged(folder, manyTickets)),
    ];
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize >= freeBytes) lines.push(await memory(input, output));
    else console.log(`The memory of a large join is not measured: less than 3 GB are free in ${folder}.`);
    return lines;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function compare(input: string, output: string): Promise<BenchLine> {
  const ways = { ours, naive };
  const best = { ours: Infinity, naive: Infinity };
  // In turn, so that no one has the quieter machine; the first round warms up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const way of ['ours', 'naive'] as const) {
      const before = process.cpuUsage();
      const answered = await ways[way](input, output);
      const { user, system } = process.cpuUsage(before);
      if (answered !== joined.count * 0.9) throw new Error(`${answered} answers were found.`);
      if (round > 0) best[way] = Math.min(best[way], (user + system) / 1000);
    }
  }
  return {
    name: `join of ${joined.count.toLocaleString('en')} results of 1 kB`,
    ours: best.ours,
    peer: best.naive,
    peerName: 'readline + JSON.parse + Map',
    unit: 'ms CPU',
    ratioAtMost: goal,
  };
}

interface Tickets {
  readonly count: number;
  readonly shownMs: number;
  readonly arrangedMs: number;
}

const tickets: Tickets = { count: 5000, shownMs: 1500, arrangedMs: 100 };
/** Still without a wait that would need its progress shown. */
const manyTickets: Tickets = { count: 50_000, shownMs: 3000, arrangedMs: 1000 };

/** A table of tickets with source columns and JSON answers: time until it is shown, and until it is grouped and filtered. */
async function arranged(folder: string, tickets: Tickets): Promise<readonly BenchLine[]> {
  const { count: number, shownMs, arrangedMs } = tickets;
  const files = ['tickets.jsonl', 'labels.jsonl', 'store'].map((name) => path.join(folder, `${number}-${name}`));
  const [input, output, store] = files;
  await writeTickets({ input: input!, output: output!, store: store! }, number);
  const view = { state: 'all', query: '', sort: 'line', descending: false } as const;
  const grouped = { ...view, query: 'product:3', groupBy: 'response:label' };
  const best = { shown: Infinity, arranged: Infinity, naiveShown: Infinity, naiveArranged: Infinity };
  for (let round = 0; round <= rounds; round += 1) {
    const times = { ...best };
    const began = performance.now();
    const source = { input: { path: input! }, outputs: [output!], errors: [], columns: { store: store! } };
    const table = await ResultsTable.open(source, quiet);
    await table.arrange(view, quiet);
    await table.rows(0, 100, table.columns.defaults);
    times.shown = performance.now() - began;
    const before = performance.now();
    const found = await table.arrange(grouped, quiet);
    await table.rows(0, 100, table.columns.defaults);
    times.arranged = performance.now() - before;
    table.close();
    const naive = performance.now();
    await naiveTickets(input!, output!);
    times.naiveShown = performance.now() - naive;
    const again = performance.now();
    if ((await naiveTickets(input!, output!)) !== found) throw new Error(`${found} tickets were found.`);
    times.naiveArranged = performance.now() - again;
    if (round === 0) continue;
    for (const name of ['shown', 'arranged', 'naiveShown', 'naiveArranged'] as const)
      best[name] = Math.min(best[name], times[name]);
  }
  const peerName = 'readline + JSON.parse of both files';
  const count = number.toLocaleString('en');
  const unit = 'ms';
  return [
    {
      name: `${count} results with columns shown`,
      ours: best.shown,
      peer: best.naiveShown,
      peerName,
      unit,
      atMost: shownMs,
    },
    {
      name: `${count} results filtered and grouped`,
      ours: best.arranged,
      peer: best.naiveArranged,
      peerName,
      unit,
      atMost: arrangedMs,
    },
  ];
}

async function ours(input: string, output: string): Promise<number> {
  const table = await ResultsTable.open({ input: { path: input }, outputs: [output], errors: [] }, quiet);
  table.close();
  return table.summary.answered;
}

async function naive(input: string, output: string): Promise<number> {
  const results = new Map<string, { readonly response: unknown }>();
  for await (const line of createInterface({ input: createReadStream(output) })) {
    const result = JSON.parse(line) as { readonly custom_id: string; readonly response: unknown };
    results.set(result.custom_id, result);
  }
  let answered = 0;
  for await (const line of createInterface({ input: createReadStream(input) })) {
    const { custom_id: id } = JSON.parse(line) as { readonly custom_id: string };
    if (results.get(id)?.response) answered += 1;
  }
  return answered;
}

async function memory(input: string, output: string): Promise<BenchLine> {
  const bytes = writeRun(input, output, large);
  const client = await bundleProgram('test/support/joinClient.ts');
  const { peakMb } = JSON.parse(await runProgram(process.execPath, [client, input, output])) as {
    readonly peakMb: number;
  };
  return {
    name: `most memory of a join of ${large.count.toLocaleString('en')} results, ${(bytes / 1e9).toFixed(2)} GB, sorted by id`,
    ours: peakMb,
    unit: 'MB',
    atMost: mostMb,
  };
}
