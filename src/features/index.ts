import type { Feature } from '../services';
import { accountFeature } from './account/account';
import { demoFeature } from './demo/demo';
import { exchangesFeature } from './exchanges/exchanges';
import { signInFeature } from './signIn/signIn';
import { statusBarFeature } from './statusBar/statusBar';

/** Started in this order. A new feature is one folder and one line here. */
export const features: Readonly<Record<string, Feature>> = {
  signIn: signInFeature,
  demo: demoFeature,
  exchanges: exchangesFeature,
  account: accountFeature,
  statusBar: statusBarFeature,
};
