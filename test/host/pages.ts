import { buildProduct } from './buildProduct.ts';
import { readTestArguments } from './bundle.ts';
import { runMain } from './command.ts';
import { runJourneys } from './journeys.ts';
import { isLane } from './lanes.ts';

/** `npm run test:pages [-- part of a path …] [--grep pattern]`: tests our pages in a real browser, with scripted hosts. */
await runMain(async () => {
  process.setSourceMapsEnabled(true);
  if (!isLane()) await buildProduct();
  await runJourneys(import.meta.filename, { kind: 'pages', ...readTestArguments(process.argv.slice(2)) });
});
