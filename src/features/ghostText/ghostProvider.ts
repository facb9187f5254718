import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { boundContext, isWithinWord, lineBefore, longestLine, contextLimits } from '../../core/ghostText/cursorContext';
import type { CursorContext } from '../../core/ghostText/cursorContext';
import { createSuggestionCache, type CachedSuggestion } from '../../core/ghostText/suggestionCache';
import { trimSuggestion } from '../../core/ghostText/trim';
import type { Disposable } from '../../platform/disposables';
import { isCancellation } from '../../platform/errors/report';
import type { Services } from '../../services/services';
import { ghostChoice, type GhostChoice, type GhostSubject } from './chosenModel';
import type { Suggester } from './logic/suggester';
import type { GhostSwitches } from './switches';
import { runCommand } from '../../platform/contributions';
import { setStatusBarMessage, showMessage } from '../../platform/notify';
import { modelNotOfferedTitle } from '../../services/models/modelNotOffered';
import { isApiError } from '../../core/api/errors';
import { createBackoff, type Failure } from '../../core/ghostText/backoff';
import { isUserError } from '../../platform/errors/userError';

/** How long a message is shown if a manual request yields no suggestion. */
const noticeMs = 5000;

/** The cursor's context, and the range that the suggestion will replace. */
interface Look {
  readonly place: CursorContext;
  /** Text selected in the suggestion list but not yet inserted: the ghost text begins with it. */
  readonly chosen: string;
  readonly range: vscode.Range;
  readonly eol: '\n' | '\r\n';
  readonly languageId: string;
}

/** Provides ghost text to the editor, which asks at every keystroke. */
export class GhostProvider implements vscode.InlineCompletionItemProvider, Disposable {
  readonly errors = createGhostTextErrors();
  private readonly cache = createSuggestionCache();
  private readonly suggested = new vscode.EventEmitter<void>();
  /** Fires for each new suggestion. */
  readonly onDidSuggest = this.suggested.event;
  /** While it is set, only the user's own request is answered by the service. */
  isPaused = false;

  constructor(
    private readonly services: Services,
    private readonly switches: GhostSwitches,
    private readonly suggester: Suggester,
  ) {}

  /** Resolves to the profile and model for requests, or `undefined` without them. */
  async subject(): Promise<GhostSubject | undefined> {
    return subjectOf(await this.choice());
  }

  dispose(): void {
    this.errors.dispose();
    this.suggested.dispose();
  }

  async provideInlineCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
    context: vscode.InlineCompletionContext,
    token: vscode.CancellationToken,
  ): Promise<vscode.InlineCompletionItem[] | undefined> {
    const { cache, services, switches } = this;
    if (services.settings.get('ghostText.mode') === 'off' || switches.obstacle(document)) return undefined;
    const look = lookAt(document, position, context.selectedCompletionInfo);
    const choice = await this.choice();
    const subject = subjectOf(choice);
    if (!look || token.isCancellationRequested) return undefined;
    const isInvoked = context.triggerKind === vscode.InlineCompletionTriggerKind.Invoke;
    if (!subject) return isInvoked ? this.tellNoModel(choice) : undefined;
    const scope = await this.scopeOf(subject, look);
    const known = cache.find(scope, look.place);
    // A manual request where the cached suggestion is empty is meant as a retry.
    if (known && !(isInvoked && known.text === '')) return this.toItems(known, look);
    if (!isInvoked && !(await this.mayAsk(look, token))) return undefined;
    const text = await this.ask(subject, look, { isInvoked, token });
    if (text === undefined) return undefined;
    // Not the scope from before, because the model might have rejected the text after the cursor in the meantime.
    cache.add(await this.scopeOf(subject, look), look.place, text);
    if (text === '' && isInvoked) {
      setStatusBarMessage(l10n.t('No inline suggestion for this position'), noticeMs);
    }
    if (text !== '') this.suggested.fire();
    return this.toItems({ text, replaces: 0 }, look);
  }

  private async scopeOf(subject: GhostSubject, { languageId }: Look): Promise<string> {
    const refusedAt = await this.suggester.refusedAt(subject);
    return [subject.profile.id, subject.model, languageId, refusedAt === undefined].join(' ');
  }

  /** Waits for a pause in typing, but not if an automatic request is not due here or not allowed now. */
  private async mayAsk({ place }: Look, token: vscode.CancellationToken): Promise<boolean> {
    const { settings } = this.services;
    const isAutomatic = settings.get('ghostText.mode') === 'automatic' && !this.isPaused;
    if (!isAutomatic || Date.now() < this.errors.until) return false;
    if (isWithinWord(place) || (place.before + place.after).trim() === '') return false;
    await pause(settings.get('ghostText.waitMs'), token);
    return !token.isCancellationRequested;
  }

  /** Returns `undefined` without an answer. Records errors, and reports them after a manual request. */
  private async ask(
    subject: GhostSubject,
    { place, eol }: Look,
    { isInvoked, token }: { readonly isInvoked: boolean; readonly token: vscode.CancellationToken },
  ): Promise<string | undefined> {
    const { suggester, errors } = this;
    const ending = new AbortController();
    const cancelling = token.onCancellationRequested(() => ending.abort());
    try {
      const answer = await suggester.ask(subject, place, ending.signal);
      errors.forget();
      return trimSuggestion(answer, place, eol);
    } catch (error) {
      if (isCancellation(error)) return undefined;
      errors.note(error);
      if (isInvoked) void this.services.report(error);
      return undefined;
    } finally {
      cancelling.dispose();
    }
  }

  private choice(): Promise<GhostChoice | undefined> {
    return ghostChoice(this.services, { asksService: true });
  }

  private tellNoModel(choice: GhostChoice | undefined): undefined {
    if (choice && choice.model === undefined) {
      void tellNotOffered(choice.notOffered, choice.profile.name);
      return undefined;
    }
    setStatusBarMessage(l10n.t('Sign in to a service to use inline suggestions.'), noticeMs);
    return undefined;
  }

  private toItems({ text, replaces }: CachedSuggestion, { chosen, range }: Look): vscode.InlineCompletionItem[] {
    if (text === '') return [];
    const whole = range.with(undefined, range.end.translate(0, replaces));
    const command = { command: 'inferenceDesk.ghostText.accepted', title: l10n.t('Count Accepted Suggestion') };
    return [new vscode.InlineCompletionItem(chosen + text, whole, command)];
  }
}

function subjectOf(choice: GhostChoice | undefined): GhostSubject | undefined {
  return choice?.model === undefined ? undefined : choice;
}

async function tellNotOffered(model: string, account: string): Promise<void> {
  const choose = l10n.t('Choose Model…');
  const notice = l10n.t('Inline suggestions: {0}', modelNotOfferedTitle([model], account, vscode.env.language));
  if ((await showMessage('warning', notice, choose)) === choose)
    await runCommand('inferenceDesk.ghostText.chooseModel');
}

/** Languages whose documents contain sentences and fenced code, by VS Code's language ID. */
const proseLanguages: ReadonlySet<string> = new Set([
  'markdown',
  'mdx',
  'plaintext',
  'restructuredtext',
  'asciidoc',
  'latex',
  'git-commit',
  'scminput',
]);

/** Returns `undefined` where nothing can be suggested: a generated line, or a selected list item that text can't continue. */
function lookAt(
  document: vscode.TextDocument,
  position: vscode.Position,
  chosen: vscode.SelectedCompletionInfo | undefined,
): Look | undefined {
  const range = chosen?.range ?? new vscode.Range(position, position);
  if (chosen && !(chosen.range.end.isEqual(position) && chosen.text.startsWith(document.getText(chosen.range)))) {
    return undefined;
  }
  const at = document.offsetAt(range.start);
  const from = document.positionAt(Math.max(0, at - contextLimits.before - longestLine));
  const to = document.positionAt(document.offsetAt(range.end) + contextLimits.after + longestLine);
  const place = boundContext({
    before: document.getText(new vscode.Range(from, range.start)) + (chosen?.text ?? ''),
    after: document.getText(new vscode.Range(range.end, to)),
    isProse: proseLanguages.has(document.languageId),
  });
  if (document.lineAt(position).text.length > longestLine || lineBefore(place).length > longestLine) return undefined;
  const eol = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  return { place, chosen: chosen?.text ?? '', range, eol, languageId: document.languageId };
}

/** Resolves once the time is over or the token is canceled. */
function pause(ms: number, token: vscode.CancellationToken): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      cancelling.dispose();
      resolve();
    };
    const timer = setTimeout(end, ms);
    const cancelling = token.onCancellationRequested(end);
  });
}

/** The last error, and when requests may be sent again. */
interface GhostTextErrors extends Disposable {
  /** `undefined` if there is no error. */
  readonly last: unknown;
  /** Unix milliseconds; `Infinity`: until something changes. In the past: now. */
  readonly until: number;
  note(error: unknown): void;
  /** Call this after a success, or after a change that may have fixed the error. */
  forget(): void;
  readonly onDidChange: vscode.Event<void>;
}

function createGhostTextErrors(): GhostTextErrors {
  const changed = new vscode.EventEmitter<void>();
  const backoff = createBackoff(Date.now);
  let last: unknown;
  return {
    get last() {
      return last;
    },
    get until() {
      return backoff.until;
    },
    note(error) {
      last = error;
      backoff.failed(toFailure(error));
      changed.fire();
    },
    forget() {
      backoff.reset();
      if (last === undefined) return;
      last = undefined;
      changed.fire();
    },
    onDidChange: changed.event,
    dispose: () => changed.dispose(),
  };
}

function toFailure(error: unknown): Failure {
  if (isApiError(error)) {
    const { kind, details } = error;
    return { kind, limit: details.limit, retryAfterMs: details.retryAfterMs };
  }
  return { kind: isUserError(error) ? 'user' : 'unexpected' };
}
