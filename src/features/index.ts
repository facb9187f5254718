import type { Feature } from '../services/services';
import { accountFeature } from './account/account';
import { activityFeature } from './activity/activity';
import { agentToolsFeature } from './agentTools/agentTools';
import { batchEditorFeature } from './batchEditor/batchEditor';
import { batchLocalFeature } from './batchLocal/batchLocal';
import { batchResultsFeature } from './batchResults/batchResults';
import { batchesFeature } from './batches/batches';
import { batchSubmitFeature } from './batchSubmit/batchSubmit';
import { chatFeature } from './chat/chat';
import { completionFeature } from './completion/completion';
import { demoFeature } from './demo/demo';
import { diagnosisFeature } from './diagnosis/diagnosis';
import { evalsFeature } from './evals/evals';
import { exchangesFeature } from './exchanges/exchanges';
import { firstRunFeature } from './firstRun/firstRun';
import { filesFeature } from './files/files';
import { ghostTextFeature } from './ghostText/ghostText';
import { findByMeaningFeature } from './findByMeaning/findByMeaning';
import { imagesFeature } from './images/images';
import { mcpFeature } from './mcp/mcp';
import { mediaFeature } from './media/media';
import { galleryFeature } from './gallery/gallery';
import { languageModelFeature } from './languageModel/languageModel';
import { modelCheckFeature } from './modelCheck/modelCheck';
import { modelsFeature } from './models/models';
import { promptsFeature } from './prompts/prompts';
import { publicApiFeature } from './publicApi/publicApi';
import { replacementsFeature } from './replacements/replacements';
import { rerankFeature } from './rerank/rerank';
import { signInFeature } from './signIn/signIn';
import { statusBarFeature } from './statusBar/statusBar';
import { videosFeature } from './videos/videos';
import { voiceUploadFeature } from './voiceUpload/voiceUpload';
import { voicesFeature } from './voices/voices';

/** Started in this order. A new feature is one folder and one line here. */
export const features: Readonly<Record<string, Feature>> = {
  signIn: signInFeature,
  demo: demoFeature,
  firstRun: firstRunFeature,
  exchanges: exchangesFeature,
  diagnosis: diagnosisFeature,
  chat: chatFeature,
  publicApi: publicApiFeature,
  replacements: replacementsFeature,
  models: modelsFeature,
  modelCheck: modelCheckFeature,
  languageModel: languageModelFeature,
  files: filesFeature,
  batches: batchesFeature,
  batchEditor: batchEditorFeature,
  prompts: promptsFeature,
  evals: evalsFeature,
  batchLocal: batchLocalFeature,
  batchSubmit: batchSubmitFeature,
  batchResults: batchResultsFeature,
  ghostText: ghostTextFeature,
  findByMeaning: findByMeaningFeature,
  rerank: rerankFeature,
  agentTools: agentToolsFeature,
  mcp: mcpFeature,
  images: imagesFeature,
  completion: completionFeature,
  videos: videosFeature,
  media: mediaFeature,
  gallery: galleryFeature,
  voices: voicesFeature,
  voiceUpload: voiceUploadFeature,
  activity: activityFeature,
  account: accountFeature,
  statusBar: statusBarFeature,
};
