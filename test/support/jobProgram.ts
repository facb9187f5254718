import { fastTime, openEngine, submissionOf } from './batchEngines';

/**
 * Runs a window's engine in a separate process: `<folder> <base url> <key> [<batch file>]`. Submits the file if one is named, continues all
 * jobs, prints each step on a separate line, and ends when nothing is left to do automatically. Time is faster here, and restarts in each
 * process, so that every process except the first starts with an earlier clock.
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

/** Returns whether a batch waits for the user, because it wasn't created or isn't listed after several checks. */
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
