import { setTimeout as wait } from 'node:timers/promises';
import { imageTask, newMedia, openMediaEngine, openSpending, videoTask } from './mediaEngines';

/**
 * A window's engine in a process of its own: `<folder> <base url> <key> [image|video <prompt> [<moment>]]`. Sends the order where one is
 * named, goes on with everything, prints each stage on a line of its own, and ends when nothing is left to do by itself. Before its charge is
 * noted it prints `paid`, and after that `noted`; at the named one of these it waits to be killed.
 */
const [folder = '', baseUrl = '', apiKey = '', kind, prompt = '', moment = ''] = process.argv.slice(2);
const say = (text: string) => void process.stdout.write(`${text}\n`);
const stages = new Map<string, string>();
let isSending = kind !== undefined;
let finish: () => void = () => undefined;
const finished = new Promise<void>((resolve) => (finish = resolve));
const spending = openSpending(folder);
const reach = async (reached: string) => {
  say(reached);
  if (reached === moment) await wait(10_000);
};
const isAtRest = (stage: string) => stage === 'ended' || stage === 'refused' || stage === 'unknown';

const engine = openMediaEngine(
  folder,
  { baseUrl, apiKey },
  {
    onChange: () => {
      for (const { id, stage, results = [] } of engine.jobs) {
        if (stages.get(id) !== stage) say(stage);
        if (results.some(({ path }) => path !== undefined)) say('saved');
        stages.set(id, stage);
      }
      if (!isSending && engine.jobs.every(({ stage }) => isAtRest(stage))) finish();
    },
    onPaid: async (job) => {
      await reach('paid');
      const isNoted = await spending.note(job);
      await reach('noted');
      return isNoted;
    },
    onError: (error) => process.stderr.write(`${String(error)}\n`),
  },
);

say('started');
await engine.refresh();
if (kind !== undefined) {
  const more = { batch_size: 2, model: 'Qwen/Qwen-Image' };
  const task = kind === 'video' ? videoTask(prompt) : imageTask(prompt, more);
  await engine.submit(newMedia(folder, { baseUrl }, task));
  isSending = false;
}
await engine.refresh();
if (engine.jobs.every(({ stage }) => isAtRest(stage))) finish();
await finished;
await engine.dispose();
