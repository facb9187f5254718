import { mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { mathApart, workerCode } from '../../esbuild.mjs';
import type { BenchLine } from '../host/benchLine';
import { startBrowser } from '../host/browser';
import { root } from '../host/places';
import { themes } from '../support/webviewThemes';

const size = 100_000;
/** 1,000 tokens of four characters per second, at 60 frames per second. */
const charactersPerFrame = 67;
const slowMs = 16;

function repeat(make: (index: number) => string): string {
  let text = '';
  for (let index = 0; text.length < size; index++) text += make(index);
  return text.slice(0, size);
}

const section = (index: number) => `## Part ${index}

A paragraph with **bold**, *italic*, \`code\` and a [link](https://example.com/${index}), long enough to wrap over a few lines of a narrow sidebar, as answers do.

- first point of ${index}
- second point with \`code\`
  - nested

\`\`\`ts
export function part${index}(value: number): string {
  const text = String(value * ${index}); // a comment
  return text.padStart(8, '0');
}
\`\`\`

| name | value |
|------|------:|
| a | ${index} |
| b | ${index * 2} |

`;

const texts = {
  mixed: repeat(section),
  paragraph: repeat((index) => `Word ${index} of **one** very long paragraph with \`code\` in it. `),
  list: repeat((index) => `- item **${index}** with some words and \`code\`\n`),
  table: `| a | b | c |\n|---|---|--:|\n${repeat((index) => `| cell ${index} | **bold** | ${index * 3} |\n`)}`,
  'code block': `\`\`\`ts\n${repeat((index) => `const value${index} = compute(${index}); // a line of code\n`)}`,
} as const;

interface Frames {
  readonly slow: number;
  readonly median: number;
  readonly p99: number;
}

function summary(frames: readonly number[]): Frames {
  const sorted = frames.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { slow: frames.filter((ms) => ms > slowMs).length, median: at(0.5), p99: at(0.99) };
}

/** Rendering everything again takes minutes per answer, so only every eighth frame is rendered, and counted eight times. */
const naiveEvery = 8;

/** Streams answers of 100 KB into a real page, with our renderer and a naive one, and counts late frames. */
export async function run(): Promise<readonly BenchLine[]> {
  const page = await openPage();
  try {
    const mixed = summary(await page.frames('ours', texts.mixed, 1));
    const naive = summary(await page.frames('naive', texts.mixed, naiveEvery));
    const against = (ours: number, peer: number) => ({ ours, peer, peerName: 'naive' });
    const lines: BenchLine[] = [
      {
        name: '100 KB mixed answer: frames over 16 ms',
        ...against(mixed.slow, naive.slow * naiveEvery),
        unit: 'frames',
        // The late frame is the first one, before any code is compiled.
        atMost: 0,
      },
      { name: '100 KB mixed answer: median frame', ...against(mixed.median, naive.median), unit: 'ms' },
      { name: '100 KB mixed answer: 99th percentile', ...against(mixed.p99, naive.p99), unit: 'ms' },
    ];
    for (const name of ['paragraph', 'list', 'table', 'code block'] as const) {
      const { slow, median, p99 } = summary(await page.frames('ours', texts[name], 1));
      lines.push(
        { name: `one 100 KB ${name}: frames over 16 ms`, ours: slow, unit: 'frames', atMost: 10 },
        { name: `one 100 KB ${name}: median frame`, ours: median, unit: 'ms' },
        { name: `one 100 KB ${name}: 99th percentile`, ours: p99, unit: 'ms' },
      );
    }
    return lines;
  } finally {
    await page.close();
  }
}

type Stream = (way: string, text: string, step: number, every: number) => Promise<void>;

async function openPage() {
  const outdir = path.join(root, 'dist/test/benchPage');
  mkdirSync(outdir, { recursive: true });
  await build({
    entryPoints: [path.join(root, 'test/bench/markdownPage.ts')],
    outdir,
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'chrome134',
    logLevel: 'warning',
    plugins: [workerCode, mathApart],
  });
  const { variables } = themes.dark;
  const declarations = Object.entries(variables)
    .map(([name, value]) => `${name}:${value}`)
    .join(';');
  const html = `<!doctype html><style>html{${declarations}}${readFileSync(path.join(root, 'dist/webview.css'), 'utf8')}</style><body class="vscode-dark"><script>${readFileSync(path.join(outdir, 'markdownPage.js'), 'utf8').replaceAll('</script', '<\\/script')}</script>`;
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html; charset=utf-8').end(html),
  );
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const browser = await startBrowser();
  const page = await browser.newPage({ viewport: { width: 340, height: 720 } });
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return {
    async frames(way: 'ours' | 'naive', text: string, every: number): Promise<readonly number[]> {
      const stopTrace = await traceFrames(browser);
      await page.evaluate(
        async ([chosen, whole, step, skip]) =>
          (window as unknown as { stream: Stream }).stream(chosen, whole, step, skip),
        [way, text, charactersPerFrame, every] as const,
      );
      return stopTrace();
    },
    async close() {
      await browser.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

interface TraceEvent {
  readonly name: string;
  /** Microseconds of the thread's own time, which other programs on the machine don't affect. */
  readonly tdur?: number;
}

/** Starts a trace. The returned function ends it, and resolves to the cost of every animation frame in milliseconds. */
async function traceFrames(browser: Browser): Promise<() => Promise<readonly number[]>> {
  const session = await browser.newBrowserCDPSession();
  const frames: number[] = [];
  session.on('Tracing.dataCollected', ({ value }) => {
    for (const { name, tdur } of value as unknown as readonly TraceEvent[]) {
      if (name === 'FireAnimationFrame' && tdur !== undefined) frames.push(tdur / 1000);
    }
  });
  await session.send('Tracing.start', { categories: 'devtools.timeline', transferMode: 'ReportEvents' });
  return async () => {
    const complete = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()));
    await session.send('Tracing.end');
    await complete;
    await session.detach();
    return frames;
  };
}
