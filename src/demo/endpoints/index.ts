import type { Endpoint } from '../call';
import { cancelBatch, createBatch, deleteBatch, getBatch, listBatches } from './batches';
import { chatCompletions } from './chatCompletions';
import { completions } from './completions';
import { embeddings } from './embeddings';
import { deleteFile, fileContent, listFiles, uploadFile } from './files';
import { images } from './images';
import {
  cancelMessageBatch,
  createMessageBatch,
  deleteMessageBatch,
  getMessageBatch,
  listMessageBatches,
  messageBatchResults,
} from './messageBatches';
import { messages } from './messages';
import { models } from './models';
import { rerank } from './rerank';
import { speech } from './speech';
import { transcriptions } from './transcriptions';
import { userInfo } from './userInfo';
import { videoStatus, videoSubmit } from './video';
import { deleteVoice, listVoices, uploadVoice } from './voices';

/** Every operation below the version segment, one line each. */
export const endpoints: readonly Endpoint[] = [
  userInfo,
  models,
  uploadFile,
  listFiles,
  fileContent,
  deleteFile,
  createBatch,
  listBatches,
  getBatch,
  cancelBatch,
  deleteBatch,
  createMessageBatch,
  listMessageBatches,
  getMessageBatch,
  messageBatchResults,
  cancelMessageBatch,
  deleteMessageBatch,
  messages,
  chatCompletions,
  completions,
  rerank,
  embeddings,
  images,
  videoSubmit,
  videoStatus,
  uploadVoice,
  listVoices,
  deleteVoice,
  speech,
  transcriptions,
];
