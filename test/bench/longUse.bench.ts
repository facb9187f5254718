import type { BenchLine } from '../host/benchLine';
import type { LongUse } from '../host/longUseProbe';
import { startFilledDemo } from '../support/filledDemo';
import { openHostProbe } from './hostProbe';

const mostMb = 10;
const mostIdleMs = 50;

/**
 * Measures the memory of an extension host after a long day: 200 questions in 20 conversations, 20 batch files opened and closed, 50
 * images, then some pages, and idle time.
 */
export async function run(): Promise<readonly BenchLine[]> {
  const demo = await startFilledDemo({ pace: 'fast' });
  const { baseUrl, apiKey } = demo;
  const probe = await openHostProbe('longUseProbe');
  try {
    const held = (await probe.ask(JSON.stringify({ baseUrl, apiKey }))) as LongUse;
    const unit = 'MB';
    return [
      {
        name: 'memory of the host after 200 questions, 20 batch files and 50 pictures, beyond before',
        ours: Math.max(0, held.questionsMb + held.batchesMb + held.imagesMb),
        unit,
        atMost: mostMb,
      },
      { name: 'of it, by the questions', ours: held.questionsMb, unit },
      { name: 'of it, by the batch files', ours: held.batchesMb, unit },
      { name: 'of it, by the pictures', ours: held.imagesMb, unit },
      {
        name: `${held.pages} pages opened and closed: webviews left in the heap`,
        ours: held.pagesLeft,
        unit: 'webviews',
        atMost: 0,
      },
      {
        name: 'an hour of idle with an account, CPU of our code',
        ours: held.idleMsPerHour,
        unit: 'ms CPU',
        atMost: mostIdleMs,
      },
      { name: 'of it, each reading of the balance, of which there are three', ours: held.readingMs, unit: 'ms CPU' },
    ];
  } finally {
    await probe.close();
    await demo.close();
  }
}
