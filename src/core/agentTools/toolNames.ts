/** The tool names that VS Code and other agents use. In a separate module, so that registering tools loads no schemas. */
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
  'inferenceDesk_runEval',
  'inferenceDesk_evalResults',
  'inferenceDesk_listModels',
  'inferenceDesk_accountBalance',
] as const;

export type AgentToolName = (typeof agentToolNames)[number];
