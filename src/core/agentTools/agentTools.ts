import type { AgentTool } from './agentTool';
import { accountBalanceTool } from './tools/accountBalance';
import { batchResultsTool } from './tools/batchResults';
import { batchStatusTool } from './tools/batchStatus';
import { checkBatchFileTool } from './tools/checkBatchFile';
import { findFilesTool } from './tools/findFiles';
import { generateImageTool } from './tools/generateImage';
import { listModelsTool } from './tools/listModels';
import { rerankTool } from './tools/rerank';
import { submitBatchTool } from './tools/submitBatch';
import { submitVideoTool } from './tools/submitVideo';
import { videoStatusTool } from './tools/videoStatus';

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
  listModelsTool,
  accountBalanceTool,
];
