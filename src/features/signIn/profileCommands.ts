import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { randomUUID } from 'node:crypto';
import { isLoopback, normaliseBaseUrl } from '../../core/profiles/baseUrl';
import { askText, askPick, showBusy, type PickItem } from '../../platform/quickInput';
import { nameAfterMove } from '../../core/profiles/accountName';
import type { Profile } from '../../core/profiles/profile';
import type { CurrentAccount, Profiles } from '../../services/account/account';
import type { Services } from '../../services/services';
import { addressProblemWords, nameProblemWords, causeWords } from './logic/signInMessages';
import { addressCheck, askAboutHttp, askForKey, type SignedIn } from './signInFlow';
import { AgreedCheck, type CommandId } from '../../platform/commands';
import { commandTitle, runCommand } from '../../platform/contributions';
import { numberText } from '../../platform/displayText';
import { showMessage } from '../../platform/notify';
import { hasPrices, isDemo, knownServiceOf } from '../../core/profiles/knownServices';
import { foreign } from '../../core/text/foreignText';
import { isApiError } from '../../core/api/errors';
import { lastCharacters, looksLikeKey } from '../../core/profiles/apiKey';
import { diagnose } from '../../core/profiles/signInProblem';
import { checkKey, foundWords } from './checkKey';
import { runAction } from '../../platform/errors/reportError';

export async function switchProfile(services: Services, argument?: unknown): Promise<void> {
  const { profiles } = services;
  const profile = await chooseProfile(services, {
    // The title of the view passes the focused row, which is the account that is used already.
    argument: typeof argument === 'string' ? argument : undefined,
    title: l10n.t('Switch Account'),
    placeholder: l10n.t('Select an account for this window'),
    onlyOneIsClear: false,
  });
  if (profile) await profiles.setActive(profile.id);
}

export async function renameProfile(services: Services, argument?: unknown): Promise<void> {
  const { profiles } = services;
  const profile = await chooseProfile(services, {
    argument,
    title: l10n.t('Rename Account'),
    placeholder: l10n.t('Select an account'),
    onlyOneIsClear: true,
  });
  if (!profile) return;
  const answer = await askText({
    title: l10n.t('Rename Account'),
    prompt: l10n.t('Name of this account at {0}.', new URL(profile.baseUrl).host),
    canGoBack: false,
    value: profile.name,
    check: (text) => nameProblemWords(text, profile.id, profiles.list),
  });
  if (answer.kind === 'value') await profiles.save({ ...profile, name: answer.value.trim() });
}

/** Another origin requires entering the key again; until that succeeds, the profile is unchanged. */
export async function changeBaseUrl(services: Services, argument?: unknown): Promise<void> {
  const { account, profiles, connections } = services;
  const profile = await chooseProfile(services, {
    argument: argument ?? account.current.profile?.id,
    title: l10n.t('Edit Base URL'),
    placeholder: l10n.t('Select an account'),
    onlyOneIsClear: true,
  });
  if (!profile) return;
  const answer = await askText({
    title: l10n.t('Base URL of {0}', foreign(profile.name)),
    prompt: l10n.t('Include the version, such as /v1. For another host, enter the key again.'),
    canGoBack: false,
    value: profile.baseUrl,
    check: (text) => (looksLikeKey(text) ? addressProblemWords('key') : addressCheck(text)),
  });
  if (answer.kind !== 'value') return;
  const address = await agreedAddress(answer.value, profile);
  if (!address || address.baseUrl === profile.baseUrl) return;
  const { origin: _origin, keyHeader, ...rest } = profile;
  const others = profiles.list.filter(({ id }) => id !== profile.id);
  const name = nameAfterMove(profile.name, { from: profile.baseUrl, to: address.baseUrl }, others);
  if (new URL(address.baseUrl).origin !== profile.origin) {
    const signedIn = await askForKey(services, { ...rest, name, ...address });
    if (signedIn) await keepProfile(services, signedIn);
    return;
  }
  await profiles.save({ ...rest, name, keyHeader, ...address });
  await connections.forgetOffers(profile.id);
}

/** Asks about plain http in a private network, unless it was allowed at the same host. `undefined` if the user wants neither. */
async function agreedAddress(
  text: string,
  profile: Profile,
): Promise<{ readonly baseUrl: string; readonly allowHttp?: true } | undefined> {
  const result = normaliseBaseUrl(text);
  if (result.ok) return { baseUrl: result.baseUrl };
  if (result.problem !== 'privateHttp') return undefined;
  const agreed = normaliseBaseUrl(text, { allowHttp: true });
  if (agreed.ok && agreed.origin === profile.origin) return { baseUrl: agreed.baseUrl, allowHttp: true };
  const frame = { title: l10n.t('Base URL of {0}', foreign(profile.name)), canGoBack: false };
  const answer = await askAboutHttp(frame, text);
  return answer.kind === 'value' && answer.value !== 'edit' ? answer.value : undefined;
}

export async function removeProfile(services: Services, argument?: unknown): Promise<void> {
  const { profiles } = services;
  const profile = await chooseProfile(services, {
    argument,
    title: l10n.t('Remove Account'),
    placeholder: l10n.t('Select an account'),
    onlyOneIsClear: false,
  });
  if (!profile) return;
  const remove = l10n.t('Remove');
  const chosen = await showMessage(
    'warning',
    l10n.t('Remove the account {0} and its key?', foreign(profile.name)),
    {
      modal: true,
      detail: l10n.t("The account and key at the service aren't deleted."),
    },
    remove,
  );
  if (chosen === remove) await profiles.remove(profile.id);
}

export async function signOut(services: Services, argument?: unknown): Promise<void> {
  const { account, profiles } = services;
  const profile = await chooseProfile(services, {
    argument: argument ?? account.current.profile?.id,
    title: l10n.t('Sign Out'),
    placeholder: l10n.t('Select an account'),
    onlyOneIsClear: true,
  });
  if (profile) await signOutOf(profiles, profile);
}

/** Asks first, because the key is stored nowhere else on this machine. */
async function signOutOf(profiles: Profiles, { id, name, origin, keyless }: Profile): Promise<void> {
  const action = l10n.t('Sign Out');
  const chosen = await showMessage(
    'warning',
    l10n.t('Sign out of {0}?', foreign(name)),
    {
      modal: true,
      detail: keyless
        ? l10n.t("No key is stored for {0}. Conversations and files aren't deleted.", origin)
        : l10n.t("Deletes the API key for {0} from this machine. Conversations and files aren't deleted.", origin),
    },
    action,
  );
  if (chosen === action) await profiles.signOut(id);
}

/** Menu for everything about one account. */
export async function manageAccounts(services: Services): Promise<void> {
  const title = l10n.t('Manage Accounts');
  const profile = await chooseProfile(services, {
    argument: undefined,
    title,
    placeholder: l10n.t('Select an account'),
    onlyOneIsClear: true,
  });
  if (!profile) return;
  const item = (icon: string, id: CommandId, value: (services: Services, argument: string) => Promise<void>) => ({
    label: commandTitle(id),
    iconPath: new vscode.ThemeIcon(icon),
    value,
  });
  const answer = await askPick({
    title: l10n.t('Manage {0}', foreign(profile.name)),
    placeholder: l10n.t('Select an action'),
    canGoBack: false,
    items: [
      ...(services.account.current.id === profile.id
        ? []
        : [item('arrow-swap', 'inferenceDesk.switchProfile', switchProfile)]),
      item('key', 'inferenceDesk.manageKey', manageKey),
      item('edit', 'inferenceDesk.renameProfile', renameProfile),
      item('link', 'inferenceDesk.changeBaseUrl', changeBaseUrl),
      item('sign-out', 'inferenceDesk.signOut', signOut),
      item('trash', 'inferenceDesk.removeProfile', removeProfile),
    ],
  });
  if (answer.kind === 'value') await answer.value(services, profile.id);
}

type Choice = 'test' | 'replace' | 'remove' | 'where';

/** Menu for all key actions: check it, replace it, see where it is stored, delete it. */
export async function manageKey(services: Services, argument?: unknown): Promise<void> {
  const { account, profiles } = services;
  const profile = await chooseProfile(services, {
    argument: argument ?? account.current.profile?.id,
    title: l10n.t('Manage Key'),
    placeholder: l10n.t('Select an account'),
    onlyOneIsClear: true,
  });
  if (!profile) return;
  let outcome: string | undefined;
  for (;;) {
    const key = await profiles.key(profile.id);
    const answer = await askPick({
      title: l10n.t('Key of {0}', foreign(profile.name)),
      placeholder: outcome ?? l10n.t('Select an action'),
      canGoBack: false,
      items: key ? keyItems(profile, key) : noKeyItems(profile, key),
    });
    if (answer.kind !== 'value') return;
    switch (answer.value) {
      case 'test':
        outcome = key === undefined ? undefined : await test(services, profile, key);
        break;
      case 'where':
        break;
      case 'replace': {
        const signedIn = await askForKey(services, profile);
        if (signedIn) await keepProfile(services, signedIn);
        return;
      }
      case 'remove':
        await signOutOf(profiles, profile);
        return;
    }
  }
}

function testItem({ baseUrl }: Profile): PickItem<Choice> {
  return {
    label: l10n.t('Test Key'),
    iconPath: new vscode.ThemeIcon('pulse'),
    detail: l10n.t('Lists models from {0}, free of charge.', new URL(baseUrl).host),
    value: 'test',
  };
}

function keyItems(profile: Profile, key: string): readonly PickItem<Choice>[] {
  const last = lastCharacters(key);
  return [
    testItem(profile),
    {
      label: l10n.t('Replace Key'),
      iconPath: new vscode.ThemeIcon('key'),
      detail: l10n.t('The current key is used until the new one has been checked.'),
      value: 'replace',
    },
    {
      label: l10n.t('Remove Key'),
      iconPath: new vscode.ThemeIcon('trash'),
      detail: l10n.t('The account stays in the list.'),
      value: 'remove',
    },
    {
      label: last === undefined ? l10n.t('Storage') : l10n.t('Ends in {0}', last),
      iconPath: new vscode.ThemeIcon('lock'),
      detail: l10n.t("Stored in VS Code's secret storage, sent only to {0}.", profile.origin),
      value: 'where',
    },
  ];
}

/** `key`: empty if the account is used without one, `undefined` if the user is signed out. */
function noKeyItems(profile: Profile, key: string | undefined): readonly PickItem<Choice>[] {
  return [
    ...(key === undefined ? [] : [testItem(profile)]),
    {
      label: l10n.t('Enter Key'),
      iconPath: new vscode.ThemeIcon('key'),
      detail:
        key === undefined ? l10n.t('No key is stored on this machine.') : l10n.t("This account doesn't use a key."),
      value: 'replace',
    },
  ];
}

async function test(services: Services, { baseUrl, keyHeader }: Profile, apiKey: string): Promise<string | undefined> {
  const host = new URL(baseUrl).host;
  try {
    const answer = await showBusy(
      { title: l10n.t('Checking key…'), canGoBack: false },
      l10n.t('Loading models from {0}…', host),
      (signal) => checkKey(services, { baseUrl, apiKey, keyHeader }, signal),
    );
    return answer.kind === 'value' ? l10n.t('Connected: {0}', foundWords(answer.value)) : undefined;
  } catch (error) {
    if (!isApiError(error)) throw error;
    return causeWords(diagnose(error, { baseUrl, key: apiKey }).cause, host);
  }
}

/** Saves a checked profile and its key, makes it active and shows what was found. Resolves without waiting for that message. */
export async function keepProfile(services: Services, { draft, found }: SignedIn): Promise<void> {
  const { profiles, connections, report } = services;
  // Not derived from the name: a profile with the same name must not get the same keys.
  const id = draft.profileId ?? randomUUID();
  const before = profiles.get(id);
  const isKeyless = draft.key === '';
  const { name, baseUrl, allowHttp, keyHeader } = draft;
  // A key for an address the profile no longer has is useless, and so is one that is not sent.
  if (before && ((isKeyless && !before.keyless) || before.origin !== new URL(baseUrl).origin))
    await profiles.signOut(id);
  const profile = await profiles.save({ id, name, baseUrl, allowHttp, keyHeader, ...(isKeyless && { keyless: true }) });
  const isStored = isKeyless || (await profiles.storeKey(id, draft.key));
  await connections.forgetOffers(id);
  await profiles.setActive(id);
  tell(services, profile, { draft, found }, isStored).catch(report);
  if (found && !before) await showFrontDoor(services, profile);
}

const frontDoorKey = 'editorChat.shown';

/** After the first sign-in to a service on the internet, shows once how its models are used in VS Code's own Chat. */
async function showFrontDoor({ context }: Services, { baseUrl }: Profile): Promise<void> {
  const isOnline = !isDemo(baseUrl) && knownServiceOf(baseUrl) !== undefined && !isLoopback(new URL(baseUrl).hostname);
  if (!isOnline || context.globalState.get(frontDoorKey) === true) return;
  await context.globalState.update(frontDoorKey, true);
  await runCommand('inferenceDesk.editorChat.open');
}

async function tell(
  services: Services,
  profile: Profile,
  { draft, found }: SignedIn,
  isStored: boolean,
): Promise<void> {
  if (!isStored) {
    await showMessage(
      'warning',
      l10n.t(
        "VS Code couldn't save the key, so you'll need to enter it again. On Linux, install a keyring such as gnome-keyring.",
      ),
    );
    return;
  }
  const name = foreign(profile.name);
  const offer = found && (await checkOffer(services, profile));
  const openChat = l10n.t('Open Chat');
  const showModels = l10n.t('Show Models');
  const check = l10n.t('Check Model');
  const message = found
    ? l10n.t('Signed in to {0}: {1}', name, foundWords(found))
    : draft.key === ''
      ? l10n.t('Added the account {0} without checking it.', name)
      : l10n.t('Saved the unchecked key for {0}.', name);
  const chosen = await (offer
    ? showMessage('information', `${message} ${offer.text}`, check, openChat, showModels)
    : showMessage('information', message, openChat, showModels));
  if (chosen === openChat) await vscode.commands.executeCommand('inferenceDesk.chat.focus');
  if (chosen === showModels) await vscode.commands.executeCommand('inferenceDesk.models.focus');
  if (chosen === check && offer) await runCommand('inferenceDesk.models.check', new AgreedCheck(offer.model));
}

/** Returns the model to offer a check for, and its cost, or `undefined` if none is worth checking. */
async function checkOffer(
  { models }: Services,
  { id, baseUrl }: Profile,
): Promise<{ readonly model: string; readonly text: string } | undefined> {
  const { checkCost, modelWorthChecking } = await import('../../core/modelCheck/modelCheck');
  const state = await models.listed();
  const model = state.profileId === id ? modelWorthChecking(baseUrl, state) : undefined;
  if (model === undefined) return undefined;
  const count = (value: number) => numberText(value, vscode.env.language);
  const facts = [foreign(model), count(checkCost.chat.requests), count(checkCost.chat.tokens)] as const;
  const text = hasPrices(baseUrl)
    ? l10n.t('Check Model sends up to {1} requests with about {2} tokens to {0}, at regular prices.', ...facts)
    : l10n.t(
        "Check Model sends up to {1} requests with about {2} tokens to {0}. They're free on your own server.",
        ...facts,
      );
  return { model, text };
}

interface ProfileQuestion {
  /** The argument of a command: a profile id, a tree row with a `profileId`, or anything else. */
  readonly argument: unknown;
  readonly title: string;
  readonly placeholder: string;
  /** Whether to skip the question if there is only one profile. */
  readonly onlyOneIsClear: boolean;
}

/** Returns the profile a command is about, asking the user if that is not clear. `undefined` if they cancel or there is none. */
async function chooseProfile({ account, profiles }: Services, question: ProfileQuestion): Promise<Profile | undefined> {
  const named = profiles.get(profileIdIn(question.argument) ?? '');
  if (named) return named;
  const [only, ...others] = profiles.list;
  if (question.onlyOneIsClear && only && others.length === 0 && profiles.problems.length === 0) return only;
  const answer = await askPick<Profile | 'problem'>({
    title: question.title,
    placeholder: profiles.list.length === 0 ? l10n.t('No accounts yet.') : question.placeholder,
    canGoBack: false,
    canFilter: true,
    items: [...profileItems(profiles, account.current), ...problemItems(profiles)],
  });
  if (answer.kind !== 'value') return undefined;
  if (answer.value !== 'problem') return answer.value;
  await runAction('profilesSetting');
  return undefined;
}

function profileItems(profiles: Profiles, { id }: CurrentAccount): readonly PickItem<Profile>[] {
  return profiles.list.map((profile) => ({
    label: profile.name,
    iconPath: new vscode.ThemeIcon(profile.id === id ? 'check' : 'account'),
    description: profile.baseUrl,
    value: profile,
  }));
}

function problemItems({ problems }: Profiles): readonly PickItem<'problem'>[] {
  return problems.map(({ index, name, problem }) => ({
    label: l10n.t('Invalid account: {0}', name ?? l10n.t('entry {0} in the setting', index + 1)),
    iconPath: new vscode.ThemeIcon('warning'),
    detail: addressProblemWords(problem),
    value: 'problem',
  }));
}

function profileIdIn(argument: unknown): string | undefined {
  if (typeof argument === 'string') return argument;
  const isRow = typeof argument === 'object' && argument !== null && 'profileId' in argument;
  return isRow && typeof argument.profileId === 'string' ? argument.profileId : undefined;
}
