import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandId } from '../../platform/commands';
import { registerCommand } from '../../platform/contributions';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import { loadedOr, once } from '../../platform/once';
import type { Once } from '../../platform/once';
import { isSignedIn } from '../../services/account/account';
import type { Feature, Services } from '../../services/services';
import { commandLink, createStatusBarItem, joined, markdown } from '../../platform/notify';
import type { StatusText } from './statusText';

/** The status bar item: account, balance, work in progress. Shown once there is an account, because nobody else needs a reminder of it. */
export const statusBarFeature: Feature = (services) => {
  const store = new DisposableStore();
  const { profiles, settings } = services;
  store.add(
    registerCommand(services, 'inferenceDesk.showMenu', async () =>
      (await import('./menu')).showMenu(await isSignedIn(profiles), services.account.current),
    ),
  );

  let shown: Disposable | undefined;
  const update = () => {
    const isEnabled = settings.get('statusBar.show') && profiles.list.length > 0;
    if (isEnabled === (shown !== undefined)) return;
    shown?.dispose();
    shown = isEnabled ? showItem(services) : undefined;
  };
  store.add(settings.onDidChange((name) => name === 'statusBar.show' && update()));
  store.add(profiles.onDidChange(update));
  store.add({ dispose: () => shown?.dispose() });
  update();
  return store;
};

function showItem(services: Services): Disposable {
  const store = new DisposableStore();
  const { account, activity, profiles, settings, log } = services;
  const item = store.add(createStatusBarItem('inferenceDesk.status', vscode.StatusBarAlignment.Left, 0));
  item.name = 'Inference Desk';

  let hasKey = false;
  const signedIn = once(() => import('./statusText'));
  const errors = once(() => import('../../platform/errors/reportError'));
  const now = <T>(module: Once<T>) => loadedOr(module, draw, (error) => log.error(String(error)));
  /** Returns `undefined` while the module with its texts is being loaded. */
  const textNow = () => {
    const { state } = account;
    const profile = account.current.profile;
    if (!hasKey || !profile) return signedOutText();
    const failure = state.status === 'failed' ? now(errors)?.describe(state.error).title : undefined;
    if (state.status === 'failed' && failure === undefined) return undefined;
    return now(signedIn)?.statusText({
      profile,
      state,
      failure,
      running: activity.running,
      failures: services.failures.count,
      lowBalance: settings.get('account.lowBalance'),
      now: Date.now(),
      language: vscode.env.language,
    });
  };
  let drawn = '';
  const draw = () => {
    const status = textNow();
    if (!status || JSON.stringify(status) === drawn) return;
    drawn = JSON.stringify(status);
    const { text, spoken, tooltip } = status;
    const command: CommandId = hasKey ? 'inferenceDesk.activity.open' : 'inferenceDesk.signIn';
    Object.assign(item, { command, text, tooltip, accessibilityInformation: { label: spoken, role: 'button' } });
    item.show();
  };
  const drawAnew = () => {
    isSignedIn(profiles)
      .then((has) => {
        hasKey = has;
        draw();
      })
      .catch((error: unknown) => log.warn(String(error)));
  };
  store.add(profiles.onDidChange(drawAnew));
  store.add(account.onDidChange(draw));
  store.add(activity.onDidChange(draw));
  store.add(services.failures.onDidChange(draw));
  store.add(settings.onDidChange(draw));
  // Another day may have come since, and a balance is old after a while.
  store.add(vscode.window.onDidChangeWindowState(({ focused }) => focused && draw()));
  store.add(watchOnceUsed(services));
  drawAnew();
  return store;
}

/** Follows the balance once someone uses the service: opening a window must not cost a request. */
function watchOnceUsed({ account, connections }: Services): Disposable {
  const store = new DisposableStore();
  let watching: Disposable | undefined;
  store.add(
    connections.onDidUse(() => {
      watching ??= store.add(account.watch());
    }),
  );
  return store;
}

/** Returns the status bar text while no account is signed in. */
function signedOutText(): StatusText {
  const words = l10n.t('Inference Desk: sign in');
  const links = [
    commandLink(l10n.t('Sign In'), 'inferenceDesk.signIn'),
    commandLink(l10n.t('Start Demo Service'), 'inferenceDesk.demo.start'),
  ];
  const tooltip = joined([markdown`${l10n.t("You aren't signed in to a service.")}`, joined(links, ' · ')]);
  return { text: `$(plug) ${words}`, spoken: words, tooltip };
}
