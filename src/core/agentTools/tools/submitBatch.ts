import '../../api/jitless';
import * as z from 'zod/mini';
import { AgentProblem, agentTool } from '../agentTool';
import { batchAnswer } from '../batchAnswer';

export const submitBatchTool = agentTool({
  name: 'inferenceDesk_submitBatch',
  title: 'Submit Batch',
  description:
    'Uploads a batch file (JSONL) and starts the batch: all its requests are answered within the given time, mostly at half the price. The file is checked first, and one with errors is not sent. Returns the id of the batch; ask with inferenceDesk_batchStatus, and read the answers with inferenceDesk_batchResults.',
  input: z.strictObject({
    file: z.string().check(z.minLength(1), z.describe('The path of the file.')),
    completionWindow: z.optional(
      z
        .string()
        .check(z.regex(/^[1-9]\d{0,2}h$/), z.describe('Within how many hours it is to be done: "24h", where absent.')),
    ),
    model: z.optional(
      z.string().check(z.minLength(1), z.describe('A model for all requests, in place of those in the lines.')),
    ),
  }),
  readOnly: false,
  costs: 'paid',
  async run({ file, completionWindow = '24h', model }, host, signal) {
    const { counts, requests, changed, sha256 } = await host.checkBatch(file, signal);
    if (counts.error > 0 || requests === 0) {
      const why = requests === 0 ? 'has no requests' : `has ${counts.error} errors`;
      throw new AgentProblem(
        `The file ${why}, so it was not sent. See inferenceDesk_checkBatchFile, and mend it first.`,
      );
    }
    if (changed) throw new AgentProblem('The file was written to while it was checked, so it was not sent. Try again.');
    return batchAnswer(await host.submitBatch({ file, completionWindow, model, sha256 }, signal));
  },
});
