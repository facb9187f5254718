import { createOfferStore } from '../../src/core/api/offers';
import { createClient } from '../../src/core/api/client';
import { createUndiciStack } from '../../src/core/api/transport/undiciTransport';
import { startRun } from '../../src/core/batch/local/startRun';
import { createLocalCall } from '../../src/core/usage/localCall';
import { localOptions } from './localRuns';

/** Runs a batch file to its end: `<base url> <key> <folder> <batch file>`. Prints the outcome. */
const [baseUrl = '', key = '', folder = '', input = ''] = process.argv.slice(2);
const client = createClient({
  baseUrl,
  apiKey: () => Promise.resolve(key),
  stack: createUndiciStack(),
  offers: createOfferStore(),
});
const run = await startRun({
  ...(await localOptions(folder, input)),
  call: createLocalCall(async () => client),
});
process.stdout.write('started\n');
process.stdout.write(`${(await run.ended).kind}\n`);
await client.close();
