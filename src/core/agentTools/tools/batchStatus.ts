import '../../api/jitless';
import * as z from 'zod/mini';
import { agentTool } from '../agentTool';
import { batchAnswer, batchLine } from '../batchAnswer';
import { joinParts } from '../answerText';
import { waitSeconds } from '../waitSeconds';

const mostListed = 30;

export const batchStatusTool = agentTool({
  name: 'inferenceDesk_batchStatus',
  title: 'Batch Status',
  description:
    'Tells how a batch gets on: its status and how many of its requests are answered or failed. Without an id it lists the newest batches with their ids.',
  input: z.strictObject({
    id: z.optional(
      z
        .string()
        .check(z.minLength(1), z.maxLength(200), z.describe('As inferenceDesk_submitBatch or the list names it.')),
    ),
    waitSeconds,
  }),
  readOnly: true,
  costs: 'nothing',
  async run({ id, waitSeconds: seconds = 0 }, host, signal) {
    if (id !== undefined) return batchAnswer(await host.batch(id, seconds * 1000, signal));
    const batches = await host.batches(signal);
    if (batches.length === 0) return { text: 'There are no batches.', data: { batches: [] } };
    const shown = batches.slice(0, mostListed);
    const left = batches.length - shown.length;
    const head = `${batches.length} batches, newest first${left > 0 ? `, the newest ${shown.length} shown` : ''}:`;
    return { text: joinParts(head, [shown.map(batchLine).join('\n')]), data: { batches: shown } };
  },
});
