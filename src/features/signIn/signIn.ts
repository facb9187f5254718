import { registerCommand, runCommand, setContext } from '../../platform/contributions';
import type { CommandId, Commands } from '../../platform/commands';
import { DisposableStore } from '../../platform/disposables';
import type { Feature, Services } from '../../services/services';

/** Profiles, their keys, and the context keys for views: whether there is a usable one and what its service doesn't offer. */
export const signInFeature: Feature = (services) => {
  const store = new DisposableStore();
  const { account, connections, profiles, log } = services;
  // The modules that interact with the user are loaded on demand.
  const commands = () => import('./profileCommands');
  const on = <Id extends CommandId>(id: Id, handler: Commands[Id]) => store.add(registerCommand(services, id, handler));
  on('inferenceDesk.signIn', () => signIn(services));
  on('inferenceDesk.signOut', async (argument) => (await commands()).signOut(services, argument));
  on('inferenceDesk.switchProfile', async (argument) => (await commands()).switchProfile(services, argument));
  on('inferenceDesk.renameProfile', async (argument) => (await commands()).renameProfile(services, argument));
  on('inferenceDesk.changeBaseUrl', async (argument) => (await commands()).changeBaseUrl(services, argument));
  on('inferenceDesk.removeProfile', async (argument) => (await commands()).removeProfile(services, argument));
  on('inferenceDesk.manageKey', async (argument) => (await commands()).manageKey(services, argument));
  on('inferenceDesk.manageAccounts', async () => (await commands()).manageAccounts(services));

  let wasSignedIn = false;
  const showSession = async () => {
    const isSignedIn = (await activeKey(services)) !== undefined;
    await setContext('inferenceDesk.hasAccounts', profiles.list.length > 0);
    await setContext('inferenceDesk.session', isSignedIn ? 'signedIn' : 'signedOut');
    wasSignedIn ||= isSignedIn;
    if (wasSignedIn) (await import('../../services/account/notOffered')).showOffers(account.current);
  };
  const update = () => {
    showSession().catch((error: unknown) => log.warn(String(error)));
  };
  store.add(connections.onDidChangeOffers(update));
  const logProblems = async () => {
    const { problems } = profiles;
    if (problems.length === 0) return;
    const { addressProblemWords } = await import('./logic/signInMessages');
    for (const { index, problem } of problems)
      log.warn(`Skipped entry ${index + 1} of the setting inferenceDesk.profiles. ${addressProblemWords(problem)}`);
  };
  store.add(
    profiles.onDidChange((change) => {
      update();
      if (change === 'list') void logProblems();
    }),
  );
  update();
  void logProblems();
  return store;
};

async function signIn(services: Services): Promise<boolean> {
  const [{ askForProfile }, { keepProfile }] = await Promise.all([import('./signInFlow'), import('./profileCommands')]);
  const ended = await askForProfile(services);
  if (ended === 'demo') await runCommand('inferenceDesk.demo.start');
  else if (ended) await keepProfile(services, ended);
  return (await activeKey(services)) !== undefined;
}

async function activeKey({ account, profiles }: Services): Promise<string | undefined> {
  return account.current.profile && profiles.key(account.current.profile.id);
}
