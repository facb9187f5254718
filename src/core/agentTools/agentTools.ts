import type { AgentTool } from './agentTool';
import { accountBalanceTool, listModelsTool } from './tools/account';
import { batchResultsTool, batchStatusTool, checkBatchFileTool, submitBatchTool } from './tools/batches';
import { evalResultsTool, runEvalTool } from './tools/evals';
import { findFilesTool } from './tools/findFiles';
import { generateImageTool, submitVideoTool, videoStatusTool } from './tools/media';
import { rerankTool } from './tools/rerank';

/** The tools with which models can use an account, in the order of `agentToolNames`. */
export const agentTools: readonly AgentTool[] = [
  rerankTool,
  findFilesTool,
  generateImageTool,
  submitVideoTool,
  videoStatusTool,
  checkBatchFileTool,
  submitBatchTool,
  batchStatusTool,
  batchResultsTool,
  runEvalTool,
  evalResultsTool,
  listModelsTool,
  accountBalanceTool,
];
