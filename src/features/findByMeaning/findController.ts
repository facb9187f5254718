import { checkWorkspace } from '../../services/search/search';
import type { WorkspaceFinding } from '../../services/search/search';
import { runAction } from '../../platform/errors/reportError';
import { openUsageLedger } from '../../services/usage/tokenBudget';
import type { Disposable } from '../../platform/disposables';
import type { Services } from '../../services/services';
import { showFinding } from './findPick';
import { askQuestion, createQuestions } from './questions';
import { runFind } from './runFind';
import type { FoundPassage } from './runFind';

/** Asks for a question, finds passages that answer it, and shows them. */
export interface FindController extends Disposable {
  /** Asks the user if no question is passed. Resolves when the user has picked a passage or left. */
  ask(question: unknown): Promise<void>;
  /** The API for other extensions. */
  run(request: unknown): Promise<FoundPassage[]>;
}

export function createFindController(services: Services): FindController {
  const { context, log } = services;
  const ledger = openUsageLedger(context, log);
  const questions = createQuestions(context);
  const closing = new AbortController();
  let last: WorkspaceFinding | undefined;

  return {
    async ask(given) {
      checkWorkspace();
      // Throws if the user is signed out, before anything is typed.
      await services.connections.client();
      let question = typeof given === 'string' ? given.trim() : '';
      for (let typed = ''; ; typed = question, question = '') {
        question ||= (await askQuestion(questions.list, { typed, held: last?.question })) ?? '';
        if (question === '') return;
        await questions.add(question);
        const held = last?.question === question ? last : undefined;
        const end = await showFinding(question, held, { services, ledger, signal: closing.signal });
        last = end.finding ?? last;
        if (end.kind === 'step') await runAction(end.step);
        if (end.kind !== 'back') return;
      }
    },
    run: (request) => runFind(request, services, ledger),
    dispose: () => closing.abort(),
  };
}
