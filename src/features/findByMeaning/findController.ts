import * as l10n from '@vscode/l10n';
import '../../schema/jitless';
import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import { checkWorkspace, openAccount, find, wayOfFinding } from '../../services/search/search';
import type { WorkspaceFinding } from '../../services/search/search';
import { runAction, describe } from '../../platform/errors/reportError';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import type { Services } from '../../services/services';
import { FindPick, searchText } from './findPick';
import { passagesOf } from '../../core/search/find/finding';
import { mostCandidates } from '../../core/search/find/finding';
import { isLarge } from '../../core/search/find/findPassages';
import { areUsableGlobs } from '../../core/search/searchGlobs';
import { longestGlob, mostWildcards } from '../../core/workspace/globs';
import { isCancellation } from '../../platform/errors/report';
import { foreignLine, foreign } from '../../core/text/foreignText';
import { createQuickPick } from '../../platform/notify';

/** Asks for a question, finds passages that answer it, and shows them. */
export class FindController implements Disposable {
  private readonly questions;
  private readonly closing = new AbortController();
  private last: WorkspaceFinding | undefined;

  constructor(private readonly services: Services) {
    this.questions = new Questions(services.context.workspaceState);
  }

  /** Asks the user if no question is passed. Resolves when the user has picked a passage or left. */
  async ask(argument: unknown): Promise<void> {
    checkWorkspace();
    const { services, questions, closing } = this;
    // Throws if the user is signed out, before anything is typed.
    await services.connections.client();
    let question = typeof argument === 'string' ? argument.trim() : '';
    for (let typed = ''; ; typed = question, question = '') {
      question ||=
        (await askQuestion(questions.list, typed, this.last?.question, await searchText(services, l10n.t('Find')))) ??
        '';
      if (question === '') return;
      await questions.add(question);
      const held = this.last?.question === question ? this.last : undefined;
      const end = await new FindPick(question, services, closing.signal).run(held);
      this.last = end.finding ?? this.last;
      if (end.kind === 'step') await runAction(end.step);
      if (end.kind !== 'back') return;
    }
  }

  /**
   * For other extensions: shows nothing and asks nothing. Rejects with a localized `Error`. Without a reranker, or if it fails, the scores
   * are those of the candidate search.
   */
  async run(request: unknown): Promise<FoundPassage[]> {
    const parsed = findRequest.safeParse(request);
    if (!parsed.success)
      throw new Error(foreignLine(`inferenceDesk.findByMeaning.run: ${z.prettifyError(parsed.error)}`, mostWords));
    const { query, include = '', exclude = '', limit = 20, signal = new AbortController().signal } = parsed.data;
    signal.throwIfAborted();
    const { services } = this;
    const profileId = services.account.current.profile?.id;
    const work = services.activity.start(l10n.t('Running a semantic search'), {
      kind: 'search',
      profileId,
      paid: true,
    });
    try {
      const account = await openAccount(services, { source: 'search' });
      signal.throwIfAborted();
      const { by } = wayOfFinding(services.settings, services.context);
      const found = await find({ question: query, include, exclude, by }, account, services, {
        signal,
        onProgress: () => undefined,
        // There is no user to ask.
        confirm: async (vectors) => !isLarge(vectors),
      });
      const places = passagesOf(found).filter(({ scoredBy }) => !found.ranking || scoredBy === 'rerank');
      return places.slice(0, limit).map(({ uri, range, score, text }) => ({ uri, range, score, text }));
    } catch (error) {
      if (signal.aborted || isCancellation(error)) throw error;
      const { title, detail } = describe(error);
      throw new Error(foreignLine(`${title}. ${detail}`, mostWords), { cause: error });
    } finally {
      work.dispose();
    }
  }

  dispose(): void {
    this.closing.abort();
  }
}

const globs = z
  .string()
  .check(
    z.maxLength(2000),
    z.refine(areUsableGlobs, `A pattern has more than ${longestGlob} characters or ${mostWildcards} wildcards`),
  );

/** Argument of `inferenceDesk.findByMeaning.run`. */
const findRequest = z.strictObject({
  query: z.string().check(z.trim(), z.minLength(1), z.maxLength(10_000)),
  include: z.optional(globs),
  exclude: z.optional(globs),
  limit: z.optional(z.int().check(z.minimum(1), z.maximum(mostCandidates))),
  signal: z.optional(z.instanceof(AbortSignal)),
});

/** A part of a file that answers a question. Part of the API for other extensions, which `inferenceDesk.ts` documents. */
interface FoundPassage {
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
  /** Comparable only with scores of the same result. */
  readonly score: number;
  readonly text: string;
}

/** Most characters of an error, which VS Code shows as a notification if a key binding ran the command. */
const mostWords = 900;

const mostQuestions = 20;
const key = 'findByMeaning.questions';

/** Questions asked in this workspace. */
class Questions {
  constructor(private readonly memento: vscode.Memento) {}

  /** Newest first. */
  get list(): readonly string[] {
    const stored = this.memento.get<unknown>(key);
    return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : [];
  }

  add(question: string): Thenable<void> {
    return this.memento.update(key, [question, ...this.list.filter((one) => one !== question)].slice(0, mostQuestions));
  }
}

interface QuestionRow extends vscode.QuickPickItem {
  readonly question: string;
}

/** Asks for a question; `undefined` on cancel. `held`: the question whose results are still available. `find`: the action for the others. */
function askQuestion(
  questions: readonly string[],
  typed: string,
  held: string | undefined,
  find: string,
): Promise<string | undefined> {
  const store = new DisposableStore();
  const pick = store.add(createQuickPick<QuestionRow>());
  pick.title = l10n.t('Semantic Search');
  pick.placeholder = l10n.t('Describe code or text, e.g. "where an upload is retried"');
  pick.ignoreFocusOut = true;
  pick.value = typed;
  const noteOf = (question: string) => (question === held ? l10n.t('saved results') : find);
  const rows = questions.map((one) => toRow(one, noteOf(one)));
  // The typed question goes last: if rows moved while the user presses Enter, another would be taken. VS Code shows it first anyway.
  const draw = () => {
    const own = pick.value.trim();
    const isNew = own !== '' && !questions.includes(own);
    pick.items = isNew ? [...rows, { ...toRow(own, find), alwaysShow: true }] : rows;
  };
  draw();
  return new Promise<string | undefined>((resolve) => {
    store.add(pick.onDidChangeValue(draw));
    store.add(
      pick.onDidAccept(() => {
        // Enter may arrive before the row of the typed question exists.
        const question = pick.selectedItems[0]?.question ?? pick.value.trim();
        if (question !== '') resolve(question);
      }),
    );
    store.add(pick.onDidHide(() => resolve(undefined)));
    pick.show();
  }).finally(() => store.dispose());
}

function toRow(question: string, description: string): QuestionRow {
  return { label: foreign(question, 300), description, question };
}
