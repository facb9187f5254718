import type { ScreenId, Screens } from '../../src/protocol/screens';
import type { Host } from '../host';
import { mountActivity } from './activity/activity';
import { mountBatchCompare } from './batchCompare/batchCompare';
import { mountBatchPreview } from './batchPreview/batchPreview';
import { mountBatchSubmit } from './batchSubmit/batchSubmit';
import { mountBatchResults } from './batchResults/batchResults';
import { mountChat } from './chat/chat';
import { mountEditorChat } from './editorChat/editorChat';
import { mountEvalResults } from './evalResults/evalResults';
import { mountImages } from './images/images';
import { mountGallery } from './gallery/gallery';
import { mountModelCheck } from './modelCheck/modelCheck';
import { mountRerank } from './rerank/rerank';
import { mountCompletion } from './completion/completion';
import { mountVideos } from './videos/videos';
import { mountVoice } from './voice/voice';
import { mountVoiceUpload } from './voiceUpload/voiceUpload';

type Mounts = { readonly [Id in ScreenId]: (root: HTMLElement, host: Host<Screens[Id]>) => void };

/** A new screen needs a folder and an entry here, which the compiler enforces. */
export const screens: Mounts = {
  activity: mountActivity,
  chat: mountChat,
  editorChat: mountEditorChat,
  batchPreview: mountBatchPreview,
  batchSubmit: mountBatchSubmit,
  batchResults: mountBatchResults,
  batchCompare: mountBatchCompare,
  evalResults: mountEvalResults,
  modelCheck: mountModelCheck,
  rerank: mountRerank,
  completion: mountCompletion,
  images: mountImages,
  videos: mountVideos,
  gallery: mountGallery,
  voice: mountVoice,
  voiceUpload: mountVoiceUpload,
};
