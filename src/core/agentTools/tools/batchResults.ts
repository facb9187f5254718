import '../../api/jitless';
import * as z from 'zod/mini';
import { agentTool } from '../agentTool';
import { cut, joinParts } from '../answerText';

export const batchResultsTool = agentTool({
  name: 'inferenceDesk_batchResults',
  title: 'Batch Results',
  description:
    'Returns the answers of a batch, each with its custom_id, a page at a time; what failed comes with the reason. Fetches the results, and saves them to files, where they are not on this machine yet. For all of a large batch, read the files in the folder that it names instead.',
  input: z.strictObject({
    id: z.string().check(z.minLength(1), z.maxLength(200), z.describe('As inferenceDesk_batchStatus names it.')),
    only: z.optional(z.enum(['all', 'answered', 'failed']).check(z.describe('"all" where absent.'))),
    offset: z.optional(z.int().check(z.minimum(0), z.describe('How many to skip. 0 where absent.'))),
    limit: z.optional(z.int().check(z.minimum(1), z.maximum(100), z.describe('How many at most. 20 where absent.'))),
    maxChars: z.optional(
      z
        .int()
        .check(
          z.minimum(50),
          z.maximum(10_000),
          z.describe('Cut each answer after so many characters. 1000 where absent.'),
        ),
    ),
  }),
  readOnly: false,
  costs: 'nothing',
  async run({ id, only = 'all', offset = 0, limit = 20, maxChars = 1000 }, host, signal) {
    const {
      batch,
      rows,
      total,
      answered,
      failed,
      notes = [],
    } = await host.batchResults({ id, only, offset, limit }, signal);
    const end = offset + rows.length;
    const folder = batch.folder === undefined ? '' : ` All of them are in ${batch.folder}.`;
    const more = end < total ? ` For the next ones ask with "offset" ${end}.` : '';
    const head =
      rows.length === 0
        ? `The batch is ${batch.status}: ${answered} answered, ${failed} failed; there are no results to show here.${folder}`
        : `The batch is ${batch.status}: ${answered} answered, ${failed} failed. ${offset + 1} to ${end} of ${total}.${more}${folder}`;
    const parts = rows.map(
      ({ customId, text, failed: isFailed }) => `${customId}${isFailed ? ' (failed)' : ''}:\n${cut(text, maxChars)}`,
    );
    const data = { id, status: batch.status, answered, failed, total, offset, rows: rows.map(shorten(maxChars)) };
    return {
      text: joinParts([head, ...notes].join(' '), parts),
      data: { ...data, ...(batch.folder !== undefined && { folder: batch.folder }) },
    };
  },
});

function shorten(most: number) {
  return <Row extends { readonly text: string }>(row: Row): Row => ({ ...row, text: cut(row.text, most) });
}
