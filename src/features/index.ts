import type { Feature } from '../services';
import { accountFeature } from './account/account';
import { batchesFeature } from './batches/batches';
import { chatFeature } from './chat/chat';
import { demoFeature } from './demo/demo';
import { exchangesFeature } from './exchanges/exchanges';
import { filesFeature } from './files/files';
import { modelsFeature } from './models/models';
import { signInFeature } from './signIn/signIn';
import { statusBarFeature } from './statusBar/statusBar';
import { voicesFeature } from './voices/voices';

/** Started in this order. A new feature is one folder and one line here. */
export const features: Readonly<Record<string, Feature>> = {
  signIn: signInFeature,
  demo: demoFeature,
  exchanges: exchangesFeature,
  chat: chatFeature,
  models: modelsFeature,
  files: filesFeature,
  batches: batchesFeature,
  voices: voicesFeature,
  account: accountFeature,
  statusBar: statusBarFeature,
};
