/** As the editor and other agents know the tools. Kept apart from them: who only registers loads no schema. */
export const agentToolNames = [
  'inferenceDesk_rerank',
  'inferenceDesk_findFiles',
  'inferenceDesk_generateImage',
  'inferenceDesk_submitVideo',
  'inferenceDesk_videoStatus',
  'inferenceDesk_checkBatchFile',
  'inferenceDesk_submitBatch',
  'inferenceDesk_batchStatus',
  'inferenceDesk_batchResults',
  'inferenceDesk_listModels',
  'inferenceDesk_accountBalance',
] as const;

export type AgentToolName = (typeof agentToolNames)[number];
