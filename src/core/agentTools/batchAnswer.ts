import type { AgentBatch } from './toolHost';
import type { AgentAnswer } from './agentTool';

export function batchAnswer(batch: AgentBatch): AgentAnswer {
  const { status, trouble, id } = batch;
  if (status === 'refused') {
    return { text: `The batch was not started. ${trouble ?? 'The service did not say why.'}`, isError: true };
  }
  return { text: `${batchLine(batch)}\n${nextStep(batch)}`, data: { ...batch, id } };
}

/** Describes one batch in one line. */
export function batchLine({ id, name, status, requests, createdAt, expiresAt, folder, trouble }: AgentBatch): string {
  const { total, completed, failed } = requests ?? {};
  const counts = [
    ...(completed === undefined ? [] : [`${completed}${total === undefined ? '' : ` of ${total}`} answered`]),
    ...(failed === undefined || failed === 0 ? [] : [`${failed} failed`]),
  ];
  return [
    `${id} ${status}`,
    ...(name === undefined ? [] : [name]),
    ...counts,
    ...(createdAt === undefined ? [] : [`created ${timeText(createdAt)}`]),
    ...(expiresAt === undefined ? [] : [`expires ${timeText(expiresAt)}`]),
    ...(folder === undefined ? [] : [`results in ${folder}`]),
    ...(trouble === undefined ? [] : [trouble]),
  ].join(', ');
}

function nextStep({ isOver, status }: AgentBatch): string {
  if (status === 'unknown') {
    return 'Whether it was started is not known: do not submit it again without asking the person.';
  }
  return isOver
    ? 'Read the answers with inferenceDesk_batchResults.'
    : 'It takes minutes to a day. Ask again later with inferenceDesk_batchStatus; do not submit it again.';
}

function timeText(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}
