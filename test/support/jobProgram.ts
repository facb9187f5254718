import { fastTime, openEngine, submissionOf } from './batchEngines';

/**
 * A window's engine in a process of its own: `<folder> <base url> <key> [<batch file>]`. Submits the file where one is named,
 * goes on with everything, prints each step on a line of its own, and ends when nothing is left to do by itself. Time goes
 * faster here, and begins anew in each process, so that for every process but the first the clock was set back.
 */
const [folder = '', baseUrl = '', apiKey = '', file] = process.argv.slice(2);
const say = (text: string) => void process.stdout.write(`${text}\n`);
const stages = new Map<string, string>();
let isSubmitting = file !== undefined;
let finish: () => void = () => undefined;
const finished = new Promise<void>((resolve) => (finish = resolve));

const engine = openEngine(
  folder,
  { baseUrl, apiKey },
  {
    ...fastTime(20),
    onChange: () => {
      for (const { id, stage } of engine.jobs) {
        if (stages.get(id) !== stage) say(stage);
        stages.set(id, stage);
      }
      if (!isSubmitting && engine.jobs.every(({ stage, looks = 0 }) => isAtRest(stage, looks))) finish();
    },
    onError: (error) => process.stderr.write(`${String(error)}\n`),
  },
);

/** What was not created, or is not listed after some looks, waits for the person. */
function isAtRest(stage: string, looks: number): boolean {
  return stage === 'ended' || stage === 'refused' || (stage === 'unknown' && looks >= 2);
}

say('started');
await engine.refresh();
if (file !== undefined) {
  await engine.submit(submissionOf(file, { baseUrl, apiKey }, { metadata: { name: file } }), { onStep: say });
  isSubmitting = false;
}
await engine.refresh();
if (engine.jobs.every(({ stage, looks = 0 }) => isAtRest(stage, looks))) finish();
await finished;
await engine.dispose();
