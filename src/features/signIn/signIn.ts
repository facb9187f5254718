import { registerCommand, runCommand, setContext } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import type { Feature, Services } from '../../services';
import { addressProblemWords } from './inputWords';
import { keepProfile } from './keepProfile';
import { manageKey } from './manageKey';
import { changeBaseUrl, removeProfile, renameProfile, signOut, switchProfile } from './profileCommands';
import { askForProfile } from './signInFlow';

/** Profiles, their keys, and the context key that tells the views whether there is one to use. */
export const signInFeature: Feature = (services) => {
  const store = new DisposableStore();
  const { profiles, log } = services;
  store.add(registerCommand(services, 'inferenceDesk.signIn', () => signIn(services)));
  store.add(registerCommand(services, 'inferenceDesk.signOut', (asked) => signOut(services, asked)));
  store.add(registerCommand(services, 'inferenceDesk.switchProfile', (asked) => switchProfile(services, asked)));
  store.add(registerCommand(services, 'inferenceDesk.renameProfile', (asked) => renameProfile(services, asked)));
  store.add(registerCommand(services, 'inferenceDesk.changeBaseUrl', (asked) => changeBaseUrl(services, asked)));
  store.add(registerCommand(services, 'inferenceDesk.removeProfile', (asked) => removeProfile(services, asked)));
  store.add(registerCommand(services, 'inferenceDesk.manageKey', (asked) => manageKey(services, asked)));

  const update = () => {
    showSession(services).catch((error: unknown) => log.warn(String(error)));
  };
  const logProblems = () => {
    for (const { index, problem } of profiles.problems)
      log.warn(`Entry ${index + 1} of the setting inferenceDesk.profiles is left out. ${addressProblemWords(problem)}`);
  };
  store.add(
    profiles.onDidChange((change) => {
      update();
      if (change === 'list') logProblems();
    }),
  );
  update();
  logProblems();
  return store;
};

async function signIn(services: Services): Promise<boolean> {
  const ended = await askForProfile(services);
  if (ended === 'demo') await runCommand('inferenceDesk.demo.start');
  else if (ended) await keepProfile(services, ended);
  return (await activeKey(services)) !== undefined;
}

async function activeKey({ profiles }: Pick<Services, 'profiles'>): Promise<string | undefined> {
  return profiles.active && profiles.key(profiles.active.id);
}

async function showSession(services: Pick<Services, 'profiles'>): Promise<void> {
  const isSignedIn = (await activeKey(services)) !== undefined;
  await setContext('inferenceDesk.session', isSignedIn ? 'signedIn' : 'signedOut');
}
