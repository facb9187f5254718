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
import { models, userInfo } from './models';
import { rerank } from './rerank';
import { speech, transcriptions, deleteVoice, listVoices, uploadVoice } from './speech';
import { videoStatus, videoSubmit } from './video';

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
