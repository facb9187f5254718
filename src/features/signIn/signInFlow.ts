import * as vscode from 'vscode';
import { isApiError } from '../../core/api/errors';
import { cleanKey } from '../../core/profiles/apiKey';
import { normaliseBaseUrl } from '../../core/profiles/baseUrl';
import { freeName, type Profile } from '../../core/profiles/profile';
import { otherHostOf, publicHosts } from '../../core/profiles/publicHosts';
import { diagnose, type SignInFix, type SignInProblem } from '../../core/profiles/signInProblem';
import { runCommand } from '../../platform/contributions';
import { askPick, askText, showBusy, type StepFrame, type StepResult, type PickItem } from '../../platform/quickInput';
import { runAction } from '../../platform/errors/reportError';
import type { Services } from '../../services/services';
import { checkKey, type Found } from './checkKey';
import { addressProblemWords, keyProblemWords, nameProblemWords, causeWords, fixWords } from './signInMessages';
import type { Profiles } from '../../services/account/account';

/** Everything typed so far. Stored only here while the person goes back and forth. */
export interface Draft {
  /** Id of the profile that gets the key; unset for a new one. */
  readonly profileId: string | undefined;
  readonly name: string;
  readonly baseUrl: string;
  readonly key: string;
}

/** A draft whose key may be saved. `found` is missing if the person saved it without a check. */
export interface SignedIn {
  readonly draft: Draft;
  readonly found: Found | undefined;
}

type StepName = 'service' | 'address' | 'version' | 'name' | 'key' | 'check';
type Next = { readonly to: StepName } | { readonly end: SignedIn | 'demo' } | 'back' | 'cancelled';

const emptyDraft: Draft = { profileId: undefined, name: '', baseUrl: '', key: '' };

/** Asks for everything a new profile needs. `undefined` if the person cancels. */
export function askForProfile(services: Services): Promise<SignedIn | 'demo' | undefined> {
  return new SignInFlow(services, emptyDraft, 'service').run();
}

/** Asks for the key of a profile, optionally at a new address. */
export async function askForKey(services: Services, profile: Omit<Profile, 'origin'>): Promise<SignedIn | undefined> {
  const draft = { ...emptyDraft, profileId: profile.id, name: profile.name, baseUrl: profile.baseUrl };
  const ended = await new SignInFlow(services, draft, 'key').run();
  return ended === 'demo' ? undefined : ended;
}

class SignInFlow {
  private readonly trail: StepName[];
  private readonly steps: { readonly [Name in StepName]: () => Promise<Next> } = {
    service: () => this.askService(),
    address: () => this.askAddress(),
    version: () => this.askVersion(),
    name: () => this.askName(),
    key: () => this.askKey(),
    check: () => this.check(),
  };

  constructor(
    private readonly services: Services,
    private draft: Draft,
    first: StepName,
  ) {
    this.trail = [first];
  }

  async run(): Promise<SignedIn | 'demo' | undefined> {
    for (;;) {
      const current = this.trail.at(-1);
      if (current === undefined) return undefined;
      const next = await this.steps[current]();
      if (next === 'cancelled') return undefined;
      if (next === 'back') this.trail.pop();
      else if ('end' in next) return next.end;
      else this.goTo(next.to);
    }
  }

  /** Goes back to a step that is already in the trail, otherwise adds it; the check itself is never a step to go back to. */
  private goTo(step: StepName): void {
    const at = this.trail.indexOf(step);
    if (at >= 0) this.trail.length = at;
    if (this.trail.at(-1) === 'check') this.trail.pop();
    this.trail.push(step);
  }

  private get host(): string {
    return new URL(this.draft.baseUrl).host;
  }

  private frame(title: string): StepFrame {
    const order: readonly StepName[] = this.trail.includes('address')
      ? ['service', 'address', 'name', 'key']
      : ['service', 'name', 'key'];
    const at = order.indexOf(this.trail.at(-1) ?? 'check');
    // The first step does not know yet how many follow.
    const isCounted = this.trail[0] === 'service' && at > 0;
    return {
      title,
      canGoBack: this.trail.length > 1,
      ...(isCounted ? { step: at + 1, totalSteps: order.length } : {}),
    };
  }

  private async askService(): Promise<Next> {
    const items = await serviceItems(this.services.profiles);
    const answer = await askPick({
      ...this.frame(vscode.l10n.t('Sign in')),
      placeholder: vscode.l10n.t('Which service?'),
      items,
    });
    if (answer.kind !== 'value') return answer.kind;
    const choice = answer.value;
    switch (choice.kind) {
      case 'demo':
        return { end: 'demo' };
      case 'other':
        this.draft = { ...this.draft, profileId: undefined };
        return { to: 'address' };
      case 'public':
        this.draft = { ...this.draft, profileId: undefined, baseUrl: choice.baseUrl };
        return { to: 'name' };
      case 'profile': {
        const { id, name, baseUrl } = choice.profile;
        this.draft = { ...this.draft, profileId: id, name, baseUrl };
        return { to: 'key' };
      }
    }
  }

  private async askAddress(): Promise<Next> {
    const answer = await askText({
      ...this.frame(vscode.l10n.t('Sign in: address of the service')),
      prompt: vscode.l10n.t('The base of all its addresses, with the version at the end. It is kept in your settings.'),
      placeholder: 'https://api.example.com/v1',
      value: this.draft.baseUrl,
      check: (text) => {
        const result = normaliseBaseUrl(text);
        return result.ok ? undefined : addressProblemWords(result.problem);
      },
    });
    if (answer.kind !== 'value') return answer.kind;
    const result = normaliseBaseUrl(answer.value);
    if (!result.ok) return { to: 'address' };
    this.draft = { ...this.draft, baseUrl: result.baseUrl };
    if (result.missingVersion) return { to: 'version' };
    return { to: this.afterAddress() };
  }

  /** Someone who came back from a failed check has already typed the rest. */
  private afterAddress(): StepName {
    if (this.draft.name === '') return 'name';
    return this.draft.key === '' ? 'key' : 'check';
  }

  private async askVersion(): Promise<Next> {
    const { baseUrl } = this.draft;
    const answer = await askPick({
      ...this.frame(vscode.l10n.t('Sign in: address of the service')),
      placeholder: vscode.l10n.t('The address has no version at its end. Most services want one.'),
      items: [
        { label: `${baseUrl}/v1`, detail: vscode.l10n.t('Add /v1'), value: `${baseUrl}/v1` },
        { label: baseUrl, detail: vscode.l10n.t('Leave it as it is'), value: baseUrl },
      ],
    });
    if (answer.kind !== 'value') return answer.kind;
    this.draft = { ...this.draft, baseUrl: answer.value };
    return { to: this.afterAddress() };
  }

  private async askName(): Promise<Next> {
    const { list } = this.services.profiles;
    const answer = await askText({
      ...this.frame(vscode.l10n.t('Sign in: name of the account')),
      prompt: vscode.l10n.t('What you want to call this account at {0}.', this.host),
      value: this.draft.name === '' ? freeName(this.host, list) : this.draft.name,
      check: (text) => nameProblemWords(text, this.draft.profileId, list),
    });
    if (answer.kind !== 'value') return answer.kind;
    this.draft = { ...this.draft, name: answer.value.trim() };
    return { to: 'key' };
  }

  private async askKey(): Promise<Next> {
    const answer = await askText({
      ...this.frame(vscode.l10n.t('Sign in: key for {0}', this.draft.name)),
      prompt: vscode.l10n.t(
        "Kept in the editor's secret storage and only ever sent to {0}.",
        new URL(this.draft.baseUrl).origin,
      ),
      placeholder: vscode.l10n.t('API key'),
      value: this.draft.key,
      password: true,
      check: (text) => {
        const result = cleanKey(text);
        return result.ok ? undefined : keyProblemWords(result.problem);
      },
    });
    if (answer.kind !== 'value') return answer.kind;
    const result = cleanKey(answer.value);
    if (!result.ok) return { to: 'key' };
    this.draft = { ...this.draft, key: result.key };
    return { to: 'check' };
  }

  private async check(): Promise<Next> {
    const { draft, host } = this;
    try {
      const answer = await showBusy(
        this.frame(vscode.l10n.t('Sign in: checking the key')),
        vscode.l10n.t('Asking {0} for its models…', host),
        (signal) => checkKey(this.services, { baseUrl: draft.baseUrl, apiKey: draft.key }, signal),
      );
      if (answer.kind === 'value') return { end: { draft, found: answer.value } };
      // Closing the check goes back to the key, which is still there.
      return { to: 'key' };
    } catch (error) {
      if (!isApiError(error)) throw error;
      const trouble = diagnose(error, draft.baseUrl);
      return this.askFix(trouble, error.details.exchangeId);
    }
  }

  private async askFix(trouble: SignInProblem, exchangeId: string | undefined): Promise<Next> {
    const { baseUrl } = this.draft;
    const answer: StepResult<SignInFix> = await askPick({
      ...this.frame(causeWords(trouble.cause, this.host)),
      placeholder: vscode.l10n.t('What now?'),
      items: trouble.fixes.map((fix) => ({ ...fixWords(fix, baseUrl), value: fix })),
    });
    if (answer.kind === 'back') return { to: 'key' };
    if (answer.kind === 'cancelled') return 'cancelled';
    switch (answer.value) {
      case 'editKey':
        return { to: 'key' };
      case 'editAddress':
        return { to: 'address' };
      case 'addVersion':
        this.draft = { ...this.draft, baseUrl: `${baseUrl}/v1` };
        return { to: 'check' };
      case 'otherHost':
        this.draft = { ...this.draft, baseUrl: publicHosts[otherHostOf(baseUrl) ?? 'international'] };
        return { to: 'check' };
      case 'retry':
        return { to: 'check' };
      case 'keepUnchecked':
        return { end: { draft: this.draft, found: undefined } };
      case 'networkStack':
        await runAction('networkSetting');
        return this.askFix(trouble, exchangeId);
      case 'proxySetting':
        await runAction('proxySetting');
        return this.askFix(trouble, exchangeId);
      case 'showExchange':
        await runCommand('inferenceDesk.showExchange', exchangeId);
        return this.askFix(trouble, exchangeId);
    }
  }
}

/** A service to sign in to. */
type ServiceChoice =
  | { readonly kind: 'profile'; readonly profile: Profile }
  | { readonly kind: 'public'; readonly baseUrl: string }
  | { readonly kind: 'other' }
  | { readonly kind: 'demo' };

/** Lists first the profiles that only lack their key, then the services for a new profile. */
async function serviceItems(profiles: Profiles): Promise<readonly PickItem<ServiceChoice>[]> {
  const keyless = await keylessItems(profiles);
  const { Separator } = vscode.QuickPickItemKind;
  return [
    ...keyless,
    ...(keyless.length > 0 ? [{ label: vscode.l10n.t('Another account'), kind: Separator }] : []),
    {
      label: vscode.l10n.t('SiliconFlow, international'),
      iconPath: new vscode.ThemeIcon('globe'),
      description: new URL(publicHosts.international).host,
      detail: vscode.l10n.t('For keys made at cloud.siliconflow.com.'),
      value: { kind: 'public', baseUrl: publicHosts.international },
    },
    {
      label: vscode.l10n.t('SiliconFlow, China'),
      iconPath: new vscode.ThemeIcon('globe'),
      description: new URL(publicHosts.china).host,
      detail: vscode.l10n.t('For keys made at cloud.siliconflow.cn. The two know nothing of each other.'),
      value: { kind: 'public', baseUrl: publicHosts.china },
    },
    {
      label: vscode.l10n.t('Another service'),
      iconPath: new vscode.ThemeIcon('server'),
      detail: vscode.l10n.t('Any service with the same interface, by its address.'),
      value: { kind: 'other' },
    },
    {
      label: vscode.l10n.t('The demo service'),
      iconPath: new vscode.ThemeIcon('beaker'),
      detail: vscode.l10n.t('Runs on this machine, needs no key, costs nothing. To look around.'),
      value: { kind: 'demo' },
    },
  ];
}

async function keylessItems(profiles: Profiles): Promise<readonly PickItem<ServiceChoice>[]> {
  const items: PickItem<ServiceChoice>[] = [];
  for (const profile of profiles.list) {
    if ((await profiles.key(profile.id)) !== undefined) continue;
    const vanished = await profiles.isKeyVanished(profile.id);
    items.push({
      label: profile.name,
      iconPath: new vscode.ThemeIcon('key'),
      description: new URL(profile.baseUrl).host,
      detail: vanished
        ? vscode.l10n.t("Its key is gone from the editor's secret storage. Enter it again.")
        : vscode.l10n.t('Has no key. Enter it.'),
      value: { kind: 'profile', profile },
    });
  }
  return items;
}
