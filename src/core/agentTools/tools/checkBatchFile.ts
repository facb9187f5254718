import '../../api/jitless';
import * as z from 'zod/mini';
import type { CheckedFile } from '../../batch/job/checkJob';
import { agentTool } from '../agentTool';
import type { AgentAnswer } from '../agentTool';
import { cut, joinParts, oneLine } from '../answerText';

const mostProblems = 20;

export const checkBatchFileTool = agentTool({
  name: 'inferenceDesk_checkBatchFile',
  title: 'Check Batch File',
  description:
    'Checks a batch file (JSONL, one request in each line: custom_id, method, url, body) on this machine, without sending it, and returns how many requests it has, for which models, and each problem with its line, column and code. Use it before inferenceDesk_submitBatch and after writing or changing such a file.',
  input: z.strictObject({
    file: z.string().check(z.minLength(1), z.describe('The path of the file.')),
  }),
  readOnly: true,
  costs: 'nothing',
  async run({ file }, host, signal) {
    return checkAnswer(await host.checkBatch(file, signal));
  },
});

function checkAnswer(checked: CheckedFile): AgentAnswer {
  const { requests, bytes, models, modelCount, counts, kinds, changed } = checked;
  const asked = models.slice(0, 10).map(({ id, requests: count }) => `${id} (${count})`);
  const more = modelCount > asked.length ? `, and ${modelCount - asked.length} more` : '';
  const head = [
    `${requests} requests, ${bytes} bytes: ${counts.error} errors, ${counts.warning} warnings, ${counts.information + counts.hint} hints.`,
    ...(asked.length > 0 ? [`Models (requests): ${asked.join(', ')}${more}.`] : []),
    ...(changed ? ['It was written to while it was checked: check it again.'] : []),
    counts.error > 0 ? 'It cannot be submitted before the errors are mended.' : 'It can be submitted.',
  ];
  const summary = kinds.map(({ count, first: { severity, code } }) => `${severity} ${code}: ${count}`);
  const rows = problemRows(checked);
  return {
    text: joinParts(head.join(' '), [
      ...(summary.length > 0 ? [cut(`By kind:\n${summary.join('\n')}`, 6000)] : []),
      ...(rows.length > 0 ? [`The weightiest, as line:column:\n${rows.join('\n')}`] : []),
    ]),
    data: { requests, bytes, models, modelCount, counts, changed, canBeSubmitted: counts.error === 0 && !changed },
  };
}

/** Formats problems with lines and columns counted from 1, as editors do. */
function problemRows({ problems }: CheckedFile): readonly string[] {
  return problems
    .slice(0, mostProblems)
    .map(
      ({ line, span, severity, code, message }) =>
        `${line + 1}:${span.start + 1} ${severity} ${code} ${oneLine(message, 300)}`,
    );
}
