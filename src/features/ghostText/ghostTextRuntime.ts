import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isApiError } from '../../core/api/errors';
import { contextLimits } from '../../core/ghostText/cursorContext';
import { estimateTokens } from '../../core/tokens/estimate';
import { noUsage } from '../../core/usage/usage';
import { DisposableStore, type Disposable } from '../../platform/disposables';
import { UserError } from '../../platform/errors/userError';
import type { Services } from '../../services/services';
import { askForModel, ghostChoice, type GhostSubject } from './chosenModel';
import { GhostProvider } from './ghostProvider';
import { showGhostMenu } from './menu';
import { askBeside, otherProviders, askForMode, askForSnooze, type OnMode } from './questions';
import { createSnooze, createSwitches, ghostSelector } from './switches';
import { ghostWords, type GhostState } from './statusWords';
import { Suggester } from './logic/suggester';
import { showMessage, createLanguageStatusItem } from '../../platform/notify';

const lastModeKey = 'ghostText.lastMode';

/** Questions to the user, and which other extensions offer ghost text. */
export interface GhostQuestions {
  readonly askForMode: typeof askForMode;
  readonly askForSnooze: typeof askForSnooze;
  readonly askBeside: typeof askBeside;
  readonly otherProviders: () => ReturnType<typeof otherProviders>;
}

const defaultQuestions: GhostQuestions = {
  askForMode,
  askForSnooze,
  askBeside,
  otherProviders: () => otherProviders(),
};

function isNotOffered(error: unknown): boolean {
  return isApiError(error) && error.kind === 'notOffered';
}

export type GhostMode = 'off' | OnMode;

/** Ghost text of a window, with the actions of its commands. */
export class GhostText implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changed = this.store.add(new vscode.EventEmitter<void>());
  private readonly snoozing;
  private readonly switches;
  private readonly suggester;
  private readonly provider;
  /** The registrations with VS Code while inline suggestions are on. */
  private shown: Disposable | undefined;
  private offered = 0;
  private acceptedCount = 0;

  /** `mode` is the mode until now: a user who turns inline suggestions on gets a question that others don't. */
  constructor(
    private readonly services: Services,
    private mode: GhostMode,
    private readonly questions: GhostQuestions = defaultQuestions,
  ) {
    const { account, context, settings, profiles, connections, models } = services;
    this.snoozing = this.store.add(createSnooze(context.workspaceState));
    this.switches = createSwitches(services, this.snoozing);
    this.suggester = new Suggester(services, () => this.changed.fire());
    this.provider = this.store.add(new GhostProvider(services, this.switches, this.suggester));
    const { errors } = this.provider;
    const forgive = () => {
      errors.forget();
      this.changed.fire();
    };
    this.store.add(
      settings.onDidChange((name) => {
        if (name === 'ghostText.mode') this.apply();
        if (name === 'prices') this.changed.fire();
        if (name.startsWith('ghostText.') || name === 'chat.dailyTokenBudget' || name === 'dailySpendingCap') forgive();
      }),
    );
    this.store.add(profiles.onDidChange(forgive));
    this.store.add(connections.onDidChange(forgive));
    this.store.add(
      connections.onDidChangeOffers(() => {
        if (isNotOffered(errors.last) && !account.current.lacks('POST /completions')) forgive();
      }),
    );
    this.store.add(models.onDidChange(() => this.changed.fire()));
    this.store.add(this.snoozing.onDidChange(() => this.changed.fire()));
    this.store.add(errors.onDidChange(() => this.changed.fire()));
    this.store.add(
      this.provider.onDidSuggest(() => {
        this.offered++;
        this.changed.fire();
      }),
    );
    this.store.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.changed.fire()));
    this.store.add({ dispose: () => this.shown?.dispose() });
    this.show();
    this.apply();
  }

  async trigger(): Promise<void> {
    if (this.mode === 'off') {
      const mode = await this.questions.askForMode();
      if (!mode) return;
      await this.setMode(mode);
    }
    if (await this.tellObstacle(activeDocument())) return;
    await vscode.commands.executeCommand('editor.action.inlineSuggest.trigger');
  }

  async toggle(): Promise<void> {
    if (this.mode !== 'off') {
      await this.setMode('off');
      return;
    }
    const last = this.services.context.globalState.get<OnMode>(lastModeKey);
    const mode = last ?? (await this.questions.askForMode());
    if (mode) await this.setMode(mode);
  }

  async snooze(): Promise<void> {
    const minutes = await this.questions.askForSnooze();
    if (minutes !== undefined) await this.snoozing.start(minutes);
  }

  async resume(): Promise<void> {
    await this.snoozing.end();
  }

  async toggleForLanguage(): Promise<void> {
    await this.switches.toggleLanguage(activeDocument().languageId);
  }

  async toggleForFile(): Promise<void> {
    await this.switches.toggleFile(activeDocument().uri);
    this.changed.fire();
  }

  async chooseModel(): Promise<void> {
    await askForModel(this.services, (subject) => this.suggester.refusedAt(subject));
    this.changed.fire();
  }

  async menu(): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    await showGhostMenu(await this.state(document), document?.languageId, {
      setMode: (mode) => this.setMode(mode),
      tell: (error) => void this.services.report(error),
      forgetError: () => this.provider.errors.forget(),
      forgetRefusal: async () => {
        const subject = await this.provider.subject();
        if (subject) await this.suggester.forgetRefusal(subject);
      },
    });
  }

  async accepted(): Promise<void> {
    this.acceptedCount++;
    this.changed.fire();
  }

  dispose(): void {
    this.store.dispose();
  }

  /** Returns the state in a document, or without one. */
  private readonly state = async (document: vscode.TextDocument | undefined): Promise<GhostState> => {
    const { services, switches, suggester, provider } = this;
    const isSignedIn = (await services.models.ready()).session !== 'signedOut';
    const choice = isSignedIn ? await ghostChoice(services, { asksService: false }) : undefined;
    const subject = choice?.model === undefined ? undefined : choice;
    const { last: error, until } = provider.errors;
    return {
      mode: this.mode === 'automatic' ? 'automatic' : 'manual',
      isAsking: provider.isPaused,
      offered: this.offered,
      accepted: this.acceptedCount,
      obstacle: document && switches.obstacle(document),
      isSignedIn,
      model: subject?.model,
      notOffered: choice && choice.model === undefined ? choice : undefined,
      refusedAt: subject && (await suggester.refusedAt(subject)),
      failure: error === undefined ? undefined : { error, until },
      price: subject && (await priceOf(services, subject, document)),
      used: subject ? await (await services.usage()).today(subject.profile.id, 'ghostText') : noUsage,
    };
  };

  private async setMode(mode: GhostMode): Promise<void> {
    await this.services.settings.set('ghostText.mode', mode);
    if (mode !== 'off') await this.services.context.globalState.update(lastModeKey, mode);
    this.apply();
  }

  /** Applies the mode from the settings, whoever changed it. */
  private apply(): void {
    const before = this.mode;
    this.mode = this.services.settings.get('ghostText.mode');
    if (this.mode === before) return;
    this.show();
    if (this.mode === 'automatic') void this.askBesideOthers().catch(this.services.report);
    this.changed.fire();
  }

  private show(): void {
    if ((this.mode !== 'off') === (this.shown !== undefined)) return;
    this.shown?.dispose();
    this.shown =
      this.mode === 'off'
        ? undefined
        : showGhostText({
            provider: this.provider,
            state: this.state,
            isBusy: () => this.suggester.isBusy,
            onDidChange: this.changed.event,
            log: this.services.log,
          });
  }

  private async askBesideOthers(): Promise<void> {
    const others = this.questions.otherProviders();
    if (others.length === 0) return;
    this.provider.isPaused = true;
    this.changed.fire();
    try {
      const answer = await this.questions.askBeside(others, this.services.context.globalState);
      if (answer !== 'automatic' && this.mode === 'automatic') await this.setMode(answer);
    } finally {
      this.provider.isPaused = false;
      this.changed.fire();
    }
  }

  /** Returns whether something prevents ghost text here. If so, shows what, and offers the menu that changes it. */
  private async tellObstacle(document: vscode.TextDocument): Promise<boolean> {
    const obstacle = this.switches.obstacle(document);
    if (!obstacle) return false;
    const { text, facts } = ghostWords(await this.state(document), Date.now(), vscode.env.language);
    const change = l10n.t('Change…');
    const chosen = showMessage('information', [text, facts].filter(Boolean).join('. '), change);
    void chosen.then((answer) => (answer === change ? this.menu() : undefined));
    return true;
  }
}

/** Resolves to about what a suggestion in a document costs, with as much text around the cursor as is sent. */
async function priceOf(
  { settings, usage }: Services,
  { profile, model }: GhostSubject,
  document: vscode.TextDocument | undefined,
): Promise<string | undefined> {
  const start = new vscode.Position(0, 0);
  const end = document?.positionAt(contextLimits.before + contextLimits.after) ?? start;
  const text = document?.getText(new vscode.Range(start, end)) ?? '';
  const inputTokens = estimateTokens(text);
  const outputLimit = settings.get('ghostText.maxTokens');
  const prices = await (await usage()).readyPrices();
  const options = { profileId: profile.id, purpose: 'inlineSuggestions' } as const;
  const price = prices.brief([{ model, requests: 1, inputTokens, outputLimit }], options);
  if (price?.range === undefined) return price && l10n.t('price unknown');
  return l10n.t('{0} per suggestion', price.likely);
}

function activeDocument(): vscode.TextDocument {
  const document = vscode.window.activeTextEditor?.document;
  if (document) return document;
  throw new UserError(l10n.t('No file is open'), l10n.t('Open a file, then try again.'));
}

interface GhostDisplay {
  readonly provider: vscode.InlineCompletionItemProvider;
  /** Returns the state of ghost text in a document, or without one. */
  readonly state: (document: vscode.TextDocument | undefined) => Promise<GhostState>;
  readonly isBusy: () => boolean;
  readonly onDidChange: vscode.Event<void>;
  readonly log: vscode.LogOutputChannel;
}

/** Registers everything the editor needs while ghost text is on. */
function showGhostText(display: GhostDisplay): Disposable {
  const store = new DisposableStore();
  store.add(vscode.languages.registerInlineCompletionItemProvider([...ghostSelector], display.provider));
  store.add(createGhostStatus(display));
  return store;
}

const severities = {
  information: vscode.LanguageStatusSeverity.Information,
  warning: vscode.LanguageStatusSeverity.Warning,
  error: vscode.LanguageStatusSeverity.Error,
} as const;

function commandOf({ obstacle, notOffered }: GhostState): vscode.Command {
  if (notOffered && !obstacle)
    return { command: 'inferenceDesk.ghostText.chooseModel', title: l10n.t('Choose Model…') };
  return { command: 'inferenceDesk.ghostText.menu', title: l10n.t('Change') };
}

/** Creates the language status item of ghost text. */
function createGhostStatus({ state, isBusy, onDidChange, log }: GhostDisplay): Disposable {
  const store = new DisposableStore();
  const item = store.add(createLanguageStatusItem('inferenceDesk.ghostText', [...ghostSelector]));
  item.name = l10n.t('Inference Desk: inline suggestions');
  let timer: NodeJS.Timeout | undefined;
  let drawn = 0;

  const draw = async () => {
    item.busy = isBusy();
    const document = vscode.window.activeTextEditor?.document;
    if (!document) return;
    const turn = ++drawn;
    const now = await state(document);
    if (turn !== drawn) return;
    const { text, detail, facts, severity } = ghostWords(now, Date.now(), vscode.env.language);
    Object.assign(item, { text, detail, severity: severities[severity], command: commandOf(now) });
    item.accessibilityInformation = { label: [text, facts].filter(Boolean).join('. ') };
    // A text with an end time is updated once that has passed.
    clearTimeout(timer);
    const until = now.failure?.until ?? 0;
    if (Number.isFinite(until) && until > Date.now()) timer = setTimeout(redraw, until - Date.now() + 1);
  };
  const redraw = () =>
    void draw().catch((error: unknown) => log.warn(`The inline suggestion status can't be shown: ${String(error)}`));

  store.add(onDidChange(redraw));
  store.add(vscode.window.onDidChangeActiveTextEditor(redraw));
  store.add(vscode.workspace.onDidOpenTextDocument(redraw));
  store.add({ dispose: () => clearTimeout(timer) });
  redraw();
  return store;
}
