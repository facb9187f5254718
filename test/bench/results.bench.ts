import { createReadStream } from 'node:fs';
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser } from 'playwright-core';
import type { ResultsSource } from '../../src/core/batch/results/resultsSource';
import { ResultsTable } from '../../src/core/batch/results/resultsTable';
import type { ResultsHead } from '../../src/protocol/batchResults';
import type { BenchLine } from '../host/benchLine';
import { startBrowser } from '../host/browser';
import { bundleProgram, runProgram } from '../support/programs';
import { writeRun } from '../support/resultLines';
import { createResultsHost } from '../support/resultsHost';
import { naiveTickets, writeTickets } from '../support/tickets';
import { openPageContext, openTab, serveWebview, showScreen, type WebviewServer } from '../support/webviewPage';
import { now, watchPaint } from './tokenPaint';

const joined = { count: 50_000, bytes: 1000 };
const large = { count: 50_000, bytes: 29_000 };
const rounds = 3;
/** A third of the time is `JSON.parse`, which the peer calls too. */
const goal = 0.8;
const mostMb = 200;
const freeBytes = 3e9;
const quiet = { signal: new AbortController().signal, onProgress: () => {} };

/** Joins results with their requests. Compares CPU with a naive join, and measures the memory for 1 GB. */
export async function run(): Promise<readonly BenchLine[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'inference-desk-results-'));
  const [input, output] = [path.join(folder, 'input.jsonl'), path.join(folder, 'output.jsonl')];
  const browser = await startBrowser();
  try {
    writeRun(input, output, joined);
    const lines = [
      await compare(input, output),
      ...(await onPage(folder, browser, tickets)),
      ...(await onPage(folder, browser, manyTickets)),
    ];
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize >= freeBytes) lines.push(await memory(input, output));
    else console.log(`The memory of a large join is not measured: less than 3 GB are free in ${folder}.`);
    return lines;
  } finally {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function compare(input: string, output: string): Promise<BenchLine> {
  const ways = { ours, naive };
  const best = { ours: Infinity, naive: Infinity };
  // They take turns, so that none of them has a quieter machine. The first round warms up.
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
/** The largest number without a wait that would require progress. */
const manyTickets: Tickets = { count: 50_000, shownMs: 3000, arrangedMs: 1000 };
const head: ResultsHead = { name: 'tickets.jsonl', facts: '', factsHint: '', phases: [], notices: [], faults: [] };

type Times = Record<'shown' | 'filtered' | 'grouped' | 'naive', number>;

/** Measures the built page with source columns and JSON answers until rows are painted after opening, filtering, and grouping. */
async function onPage(folder: string, browser: Browser, { count, shownMs, arrangedMs }: Tickets): Promise<BenchLine[]> {
  const [input = '', output = '', store = ''] = ['tickets.jsonl', 'labels.jsonl', 'store'].map((name) =>
    path.join(folder, `${count}-${name}`),
  );
  await writeTickets({ input, output, store }, count);
  const source = { input: { path: input }, outputs: [output], errors: [], columns: { store } };
  const server = await serveWebview();
  const best: Times = { shown: Infinity, filtered: Infinity, grouped: Infinity, naive: Infinity };
  try {
    for (let round = 0; round <= rounds; round += 1) {
      const times = await measurePage(browser, server, source);
      const before = now();
      await naiveTickets(input, output);
      const all: Times = { ...times, naive: now() - before };
      if (round === 0) continue;
      for (const name of ['shown', 'filtered', 'grouped', 'naive'] as const)
        best[name] = Math.min(best[name], all[name]);
    }
  } finally {
    await server.stop();
  }
  const named = (what: string, ours: number, atMost: number): BenchLine => ({
    name: `${count.toLocaleString('en')} results with columns, ${what} until rows are painted`,
    ours,
    peer: best.naive,
    peerName: 'readline + JSON.parse of both files, without a page',
    unit: 'ms',
    atMost,
  });
  return [
    named('from the load of the page', best.shown, shownMs),
    named('from Enter in the search', best.filtered, arrangedMs),
    named('from the choice of groups', best.grouped, arrangedMs),
  ];
}

async function measurePage(
  browser: Browser,
  server: WebviewServer,
  source: ResultsSource,
): Promise<Omit<Times, 'naive'>> {
  const host = createResultsHost(source, head);
  const context = await openPageContext(browser);
  try {
    const rows = '.results-rows .results-row';
    const tab = await openTab(context);
    await tab.page.goto(server.restAddress);
    const began = now();
    const { page } = await showScreen(tab, 'batchResults', {
      server,
      theme: 'dark',
      handlers: host.handlers,
      width: 1300,
    });
    await page.locator(rows, { hasText: 'T-0' }).first().waitFor();
    const shown = now() - began;
    const paintOf = await watchPaint(page, `${rows}, .group-heading`);
    const search = page.getByRole('searchbox');
    // The fifteenth matching ticket, which wasn't visible before.
    const filtering = await paintOf('T-101');
    await search.focus();
    await page.keyboard.insertText('product:3');
    const entered = now();
    await page.keyboard.press('Enter');
    const filtered = (await filtering()) - entered;
    const grouping = await paintOf(' rows');
    const chosen = await page.getByRole('combobox', { name: 'Group by' }).evaluate((list: HTMLSelectElement) => {
      const option = [...list.options].find(({ label }) => label === 'Group by label');
      if (!option) throw new Error('There is no group by the label.');
      list.value = option.value;
      const at = performance.timeOrigin + performance.now();
      list.dispatchEvent(new Event('change', { bubbles: true }));
      return at;
    });
    return { shown, filtered, grouped: (await grouping()) - chosen };
  } finally {
    await context.close();
    host.close();
  }
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
