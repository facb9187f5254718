import { imageTask, newMedia, openMediaEngine, videoTask } from './mediaEngines';

/**
 * A window's engine in a process of its own: `<folder> <base url> <key> [image|video <prompt>]`. Sends the order where one is
 * named, goes on with everything, prints each stage on a line of its own, and ends when nothing is left to do by itself.
 */
const [folder = '', baseUrl = '', apiKey = '', kind, prompt = ''] = process.argv.slice(2);
const say = (text: string) => void process.stdout.write(`${text}\n`);
const stages = new Map<string, string>();
let isSending = kind !== undefined;
let finish: () => void = () => undefined;
const finished = new Promise<void>((resolve) => (finish = resolve));
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
