import * as l10n from '@vscode/l10n';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { isApiError } from '../../core/api/errors';
import { cleanKey, looksLikeKey } from '../../core/profiles/apiKey';
import { normaliseBaseUrl } from '../../core/profiles/baseUrl';
import { type KeyHeader, knownServiceOf } from '../../core/profiles/knownServices';
import { defaultName, nameAfterMove } from '../../core/profiles/accountName';
import type { Profile } from '../../core/profiles/profile';
import { otherHostOf, publicHosts } from '../../core/profiles/publicHosts';
import { servicePage } from '../../core/network/servicePages';
import { diagnose, type SignInFix, type SignInProblem } from '../../core/profiles/signInProblem';
import { sentences } from '../../protocol/sentences';
import { runCommand } from '../../platform/contributions';
import { askPick, askText, showBusy, type StepFrame, type StepResult } from '../../platform/quickInput';
import { pageStep } from '../../platform/errors/errorActions';
import { runAction } from '../../platform/errors/reportError';
import type { Services } from '../../services/services';
import { checkKey, type Found } from './checkKey';
import { findLocalServers, localServices, type LocalServer } from './logic/localServers';
import { moreItems, serviceItems, urlItem, type ServiceChoice } from './serviceItems';
import { addressProblemWords, keyProblemWords, nameProblemWords, causeWords, fixWords } from './logic/signInMessages';

/** A new account, or one that gets a key. */
export interface Draft {
  /** Id of the profile that gets the key; unset for a new one. */
  readonly profileId: string | undefined;
  readonly name: string;
  readonly baseUrl: string;
  /** Empty for a service that is used without one. */
  readonly key: string;
  /** Set once the user agreed to plain http at this address. */
  readonly allowHttp?: true | undefined;
  /** Set if the service requires another header than its URL implies. */
  readonly keyHeader?: KeyHeader | undefined;
}

/** A draft whose key may be saved. `found` is missing if the user saved it without a check. */
export interface SignedIn {
  readonly draft: Draft;
  readonly found: Found | undefined;
}

type StepName = 'service' | 'more' | 'address' | 'http' | 'version' | 'name' | 'key' | 'check';
type Next = { readonly to: StepName } | { readonly end: SignedIn | 'demo' } | 'back' | 'cancelled';

/** Everything typed so far but the keys. */
type KeylessDraft = Omit<Draft, 'key'>;

/** How long the list of services waits for servers on this machine before it opens. */
const quickMs = 300;

const emptyDraft: KeylessDraft = { profileId: undefined, name: '', baseUrl: '' };

/** Asks for everything a new profile needs. `undefined` if the user cancels. */
export function askForProfile(services: Services): Promise<SignedIn | 'demo' | undefined> {
  return new SignInFlow(services, emptyDraft, 'service').run();
}

/** Asks for the key of a profile, optionally at a new URL. If none is required, only tests the service. */
export async function askForKey(services: Services, profile: Omit<Profile, 'origin'>): Promise<SignedIn | undefined> {
  const { id, name, baseUrl, allowHttp, keyHeader } = profile;
  const draft = { ...emptyDraft, profileId: id, name, baseUrl, allowHttp, keyHeader };
  const ended = await new SignInFlow(services, draft, 'key').run();
  return ended === 'demo' ? undefined : ended;
}

/**
 * Asks what to do about plain http in a private network. Resolves with the address to use, or with `edit`: another one has to be entered.
 * `address` is one whose only problem is `privateHttp`.
 */
export async function askAboutHttp(
  frame: StepFrame,
  address: string,
): Promise<StepResult<'edit' | { readonly baseUrl: string; readonly allowHttp?: true }>> {
  const agreed = normaliseBaseUrl(address, { allowHttp: true });
  if (!agreed.ok) return { kind: 'value', value: 'edit' };
  const { baseUrl } = agreed;
  const { host } = new URL(baseUrl);
  const encrypted = baseUrl.replace(/^http:/, 'https:');
  return askPick<'edit' | { readonly baseUrl: string; readonly allowHttp?: true }>({
    ...frame,
    placeholder: l10n.t('Connect to {0} without encryption?', host),
    items: [
      {
        label: l10n.t('Use HTTP'),
        iconPath: new vscode.ThemeIcon('unlock'),
        detail: l10n.t('Anyone on this network can read your key and requests.'),
        value: { baseUrl, allowHttp: true },
      },
      {
        label: l10n.t('Use HTTPS'),
        iconPath: new vscode.ThemeIcon('lock'),
        detail: encrypted,
        value: { baseUrl: encrypted },
      },
      {
        label: l10n.t('Edit Base URL'),
        iconPath: new vscode.ThemeIcon('edit'),
        detail: baseUrl,
        value: 'edit',
      },
    ],
  });
}

class SignInFlow {
  private readonly trail: StepName[];
  /** The entered keys, by origin, so that none is sent to another origin. Empty for an origin whose key was left empty. */
  private readonly keys = new Map<string, string>();
  /** A key for the user to confirm in the key step, because it was entered for another origin or for none. */
  private unconfirmedKey = '';
  /** A URL typed as a key, to be edited in the address step. */
  private misplacedAddress = '';
  /** The servers in the list of services. */
  private found: readonly LocalServer[] = [];
  private readonly steps: { readonly [Name in StepName]: () => Promise<Next> } = {
    service: () => this.askService(),
    more: () => this.askMore(),
    address: () => this.askAddress(),
    http: () => this.askHttp(),
    version: () => this.askVersion(),
    name: () => this.askName(),
    key: () => this.askKey(),
    check: () => this.check(),
  };

  constructor(
    private readonly services: Services,
    private draft: KeylessDraft,
    first: 'service' | 'key',
  ) {
    this.trail = [first === 'key' && this.keyNeed === 'none' ? 'check' : first];
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

  private get origin(): string {
    return new URL(this.draft.baseUrl).origin;
  }

  /** The key entered for the current origin. */
  private get key(): string | undefined {
    return this.keys.get(this.origin);
  }

  private startWith(draft: KeylessDraft): void {
    this.draft = draft;
    this.keys.clear();
    this.unconfirmedKey = '';
  }

  /** Agreements and findings about the previous URL don't apply to the new one. */
  private moveTo(baseUrl: string): void {
    const { draft } = this;
    const others = this.services.profiles.list.filter(({ id }) => id !== draft.profileId);
    const name = nameAfterMove(draft.name, { from: draft.baseUrl, to: baseUrl }, others);
    this.draft = { ...draft, name, baseUrl, allowHttp: undefined, keyHeader: undefined };
  }

  /** For an unknown service, only a request can show it. */
  private get keyNeed(): 'required' | 'optional' | 'none' {
    return knownServiceOf(this.draft.baseUrl)?.key ?? 'optional';
  }

  private frame(title: string): StepFrame {
    const order: readonly StepName[] = [
      'service',
      ...(this.trail.includes('address') ? (['address'] as const) : []),
      'name',
      ...(this.keyNeed === 'none' ? [] : (['key'] as const)),
    ];
    const current = this.trail.at(-1) ?? 'check';
    // Questions about a URL are a part of entering it.
    const at = order.indexOf(current === 'http' || current === 'version' ? 'address' : current);
    // The first step does not know yet how many follow.
    const isCounted = this.trail[0] === 'service' && at > 0;
    return {
      title,
      canGoBack: this.trail.length > 1,
      ...(isCounted ? { step: at + 1, totalSteps: order.length } : {}),
    };
  }

  private async askService(): Promise<Next> {
    const { connections, profiles } = this.services;
    const found: LocalServer[] = [];
    this.found = found;
    const ending = new AbortController();
    let show: ((items: Awaited<ReturnType<typeof serviceItems>>) => void) | undefined;
    const finding = findLocalServers(connections, localServices, {
      signal: ending.signal,
      onFound(server) {
        found.push(server);
        if (show) void serviceItems(profiles, found).then(show);
      },
    });
    // Servers that respond fast are there when the list opens; later ones don't move the active entry.
    await Promise.race([finding, delay(quickMs)]);
    const answer = await askPick<ServiceChoice>({
      ...this.frame(l10n.t('Sign In')),
      placeholder: l10n.t('Select a service, or enter a base URL'),
      canFilter: true,
      items: await serviceItems(profiles, found),
      itemFor: urlItem,
      refine(replace) {
        show = replace;
        return finding;
      },
    }).finally(() => ending.abort());
    return answer.kind === 'value' ? this.choose(answer.value) : answer.kind;
  }

  private async askMore(): Promise<Next> {
    const answer = await askPick<ServiceChoice>({
      ...this.frame(l10n.t('Sign In')),
      placeholder: l10n.t('Select a service, or enter a base URL'),
      canFilter: true,
      items: moreItems(this.found),
      itemFor: urlItem,
    });
    return answer.kind === 'value' ? this.choose(answer.value) : answer.kind;
  }

  private choose(choice: ServiceChoice): Next {
    switch (choice.kind) {
      case 'demo':
        return { end: 'demo' };
      case 'more':
        return { to: 'more' };
      case 'other':
        this.draft = { ...this.draft, profileId: undefined };
        return { to: 'address' };
      case 'known':
        this.startWith({ ...emptyDraft, baseUrl: choice.baseUrl });
        return { to: 'name' };
      case 'found': {
        const { baseUrl, models } = choice.server;
        this.startWith({ ...emptyDraft, baseUrl, name: defaultName(baseUrl, this.services.profiles.list) });
        if (models) this.keys.set(this.origin, '');
        return { to: models ? 'check' : 'name' };
      }
      case 'url':
        this.startWith(emptyDraft);
        return this.useAddress(choice.url);
      case 'profile': {
        const { id, name, baseUrl, allowHttp, keyHeader } = choice.profile;
        this.startWith({ profileId: id, name, baseUrl, allowHttp, keyHeader });
        return { to: this.keyNeed === 'none' ? 'check' : 'key' };
      }
    }
  }

  private async askAddress(): Promise<Next> {
    const answer = await askText({
      ...this.frame(l10n.t('Sign in: base URL')),
      prompt: l10n.t('Include the version, such as /v1.'),
      placeholder: 'https://api.example.com/v1',
      value: this.misplacedAddress || this.draft.baseUrl,
      check: addressCheck,
    });
    if (answer.kind !== 'value') return answer.kind;
    if (looksLikeKey(answer.value)) return this.askAboutMisplacedKey(answer.value);
    return this.useAddress(answer.value);
  }

  private useAddress(text: string): Next {
    const result = normaliseBaseUrl(text);
    const agreed = normaliseBaseUrl(text, { allowHttp: true });
    if (!agreed.ok) return { to: 'address' };
    this.misplacedAddress = '';
    // A private address keeps its permission for as long as it stays the same.
    const { baseUrl } = agreed;
    if (baseUrl !== this.draft.baseUrl) this.moveTo(baseUrl);
    if (!result.ok && !this.draft.allowHttp) return { to: 'http' };
    return this.afterAddress();
  }

  private async askHttp(): Promise<Next> {
    const frame = this.frame(l10n.t('Sign in: base URL'));
    const answer = await askAboutHttp(frame, this.draft.baseUrl);
    if (answer.kind !== 'value') return answer.kind;
    if (answer.value === 'edit') return { to: 'address' };
    this.draft = { ...this.draft, allowHttp: undefined, ...answer.value };
    return this.afterAddress();
  }

  private afterAddress(): Next {
    const result = normaliseBaseUrl(this.draft.baseUrl, { allowHttp: this.draft.allowHttp ?? false });
    if (!result.ok) return { to: 'address' };
    return { to: result.missingVersion ? 'version' : this.afterVersion() };
  }

  /** Someone who came back from a failed check has already typed the rest. */
  private afterVersion(): StepName {
    if (this.draft.name === '') return 'name';
    return this.afterName();
  }

  private afterName(): StepName {
    return this.key !== undefined || this.keyNeed === 'none' ? 'check' : 'key';
  }

  private async askVersion(): Promise<Next> {
    const { baseUrl } = this.draft;
    const answer = await askPick({
      ...this.frame(l10n.t('Sign in: base URL')),
      placeholder: l10n.t("The URL doesn't contain a version. Most services require one, such as /v1."),
      items: [
        { label: `${baseUrl}/v1`, detail: l10n.t('Add /v1'), value: `${baseUrl}/v1` },
        { label: baseUrl, detail: l10n.t('Keep Unchanged'), value: baseUrl },
      ],
    });
    if (answer.kind !== 'value') return answer.kind;
    this.draft = { ...this.draft, baseUrl: answer.value };
    return { to: this.afterVersion() };
  }

  private async askName(): Promise<Next> {
    const { list } = this.services.profiles;
    const answer = await askText({
      ...this.frame(l10n.t('Sign in: enter a name')),
      prompt: l10n.t('Name of this account at {0}.', this.host),
      value: this.draft.name === '' ? defaultName(this.draft.baseUrl, list) : this.draft.name,
      check: (text) => nameProblemWords(text, this.draft.profileId, list),
    });
    if (answer.kind !== 'value') return answer.kind;
    this.draft = { ...this.draft, name: answer.value.trim() };
    return { to: this.keyNeed === 'none' ? 'check' : 'key' };
  }

  private async askKey(): Promise<Next> {
    const isOptional = this.keyNeed !== 'required';
    const { origin } = this;
    const storageText = l10n.t("Stored in VS Code's secret storage, sent only to {0}.", origin);
    const url = servicePage(knownServiceOf(this.draft.baseUrl)?.id, 'keys');
    const answer = await askText({
      ...this.frame(l10n.t('Sign in: key for {0}', this.draft.name)),
      prompt: sentences(
        isOptional ? l10n.t('Leave empty if no key is required.') : undefined,
        url === undefined ? undefined : l10n.t('Get a key at {0}.', url.replace(/^https:\/\//, '')),
        storageText,
      ),
      link: url === undefined ? undefined : { label: l10n.t('Get API Key'), url },
      placeholder: isOptional ? l10n.t('API key (optional)') : l10n.t('API key'),
      value: this.key ?? this.unconfirmedKey,
      password: true,
      check: (text) => {
        const result = cleanKey(text);
        if (result.ok || result.problem === 'address') return undefined;
        return result.problem === 'empty' && isOptional ? undefined : keyProblemWords(result.problem);
      },
    });
    if (answer.kind !== 'value') return answer.kind;
    const result = cleanKey(answer.value);
    if (!result.ok && result.problem === 'address') return this.askAboutMisplacedAddress(answer.value);
    this.keys.set(origin, result.ok ? result.key : '');
    this.unconfirmedKey = '';
    return { to: 'check' };
  }

  private async askAboutMisplacedKey(text: string): Promise<Next> {
    const answer = await askPick<'use' | 'edit'>({
      ...this.frame(l10n.t('This is a key, not a URL')),
      placeholder: l10n.t('No request was sent.'),
      items: [
        {
          label: l10n.t('Use as Key'),
          detail: l10n.t('Then enter the base URL.'),
          value: 'use',
        },
        { label: l10n.t('Edit Base URL'), value: 'edit' },
      ],
    });
    if (answer.kind === 'cancelled') return 'cancelled';
    const result = cleanKey(text);
    if (answer.kind === 'value' && answer.value === 'use' && result.ok) this.unconfirmedKey = result.key;
    return { to: 'address' };
  }

  private async askAboutMisplacedAddress(text: string): Promise<Next> {
    const address = text.trim();
    const answer = await askPick<'use' | 'edit'>({
      ...this.frame(l10n.t('This is a URL, not a key')),
      placeholder: l10n.t('No request was sent.'),
      items: [
        { label: l10n.t('Edit Key'), value: 'edit' },
        { label: l10n.t('Use as Base URL'), detail: address, value: 'use' },
      ],
    });
    if (answer.kind === 'cancelled') return 'cancelled';
    if (answer.kind === 'back' || answer.value === 'edit') return { to: 'key' };
    this.misplacedAddress = address;
    return { to: 'address' };
  }

  private async check(): Promise<Next> {
    const { host, key: apiKey = '' } = this;
    const draft = { ...this.draft, key: apiKey };
    const { baseUrl, keyHeader } = draft;
    try {
      const answer = await showBusy(
        this.frame(apiKey === '' ? l10n.t('Sign in: connecting to the service') : l10n.t('Sign in: checking the key')),
        l10n.t('Loading models from {0}…', host),
        (signal) => checkKey(this.services, { baseUrl, apiKey, keyHeader }, signal),
      );
      // Closing the check goes back to the key, which is still there.
      if (answer.kind !== 'value') return this.beforeCheck();
      return { end: { draft: { ...draft, keyHeader: answer.value.keyHeader }, found: answer.value } };
    } catch (error) {
      if (!isApiError(error)) throw error;
      return this.askFix(diagnose(error, draft), error.details.exchangeId);
    }
  }

  private beforeCheck(): Next {
    const last = this.trail.at(-2);
    if (this.keyNeed !== 'none' || last === undefined) return { to: 'key' };
    return { to: last };
  }

  private async askFix(problem: SignInProblem, exchangeId: string | undefined): Promise<Next> {
    const draft = { ...this.draft, key: this.key ?? '' };
    const answer: StepResult<SignInFix> = await askPick({
      ...this.frame(causeWords(problem.cause, this.host)),
      placeholder: l10n.t('Select how to continue'),
      items: problem.fixes.map((fix) => ({ ...fixWords(fix, draft), value: fix })),
    });
    if (answer.kind === 'back') return this.beforeCheck();
    if (answer.kind === 'cancelled') return 'cancelled';
    switch (answer.value) {
      case 'enterKey':
      case 'editKey':
        return { to: 'key' };
      case 'editAddress':
        return { to: 'address' };
      case 'addVersion':
        this.draft = { ...this.draft, baseUrl: `${draft.baseUrl}/v1` };
        return { to: 'check' };
      case 'otherHost':
        this.moveTo(publicHosts[otherHostOf(draft.baseUrl) ?? 'international']);
        this.unconfirmedKey = draft.key;
        return { to: this.afterName() };
      case 'retry':
        return { to: 'check' };
      case 'keepUnchecked':
        return { end: { draft, found: undefined } };
      case 'networkStack':
        await runAction('networkSetting');
        return this.askFix(problem, exchangeId);
      case 'getKey':
      case 'verifyIdentity':
        for (const { id } of pageStep(answer.value, knownServiceOf(draft.baseUrl)?.id)) await runAction(id);
        return this.askFix(problem, exchangeId);
      case 'proxySetting':
        await runAction('proxySetting');
        return this.askFix(problem, exchangeId);
      case 'showExchange':
        await runCommand('inferenceDesk.showExchange', exchangeId);
        return this.askFix(problem, exchangeId);
    }
  }
}

/** Returns the problem of a typed URL, or nothing if a question follows. */
export function addressCheck(text: string): string | undefined {
  const result = normaliseBaseUrl(text);
  if (result.ok || result.problem === 'privateHttp' || result.problem === 'key') return undefined;
  return addressProblemWords(result.problem);
}
