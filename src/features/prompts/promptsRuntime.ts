import * as vscode from 'vscode';
import { useTranslations } from '../../core/batch/words/translate';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import { createLastEditor } from '../../platform/workspace/lastEditor';
import type { Services } from '../../services/services';
import { createPromptActions } from './actions';
import { addPromptLine, newFromPromptRows } from './batchPrompt';
import { askToUse, choosePrompt } from './choosePrompt';
import { completionTriggers, createPromptCompletion } from './completion';
import { createProblemsOf, createPromptDiagnostics } from './diagnostics';
import { createPromptHover } from './hover';
import { registerPromptLenses } from './lenses';
import { newPrompt } from './newPrompt';
import { createPromptReadings, promptSelector } from './promptFiles';
import { createRememberedValues } from './rememberedValues';
import { runPrompt } from './runPrompt';

/** Commands on the file passed to them, otherwise on the one in the active editor, otherwise on one that the person chooses. */
export interface PromptsRuntime extends Disposable {
  run(file: unknown): Promise<void>;
  compare(file: unknown): Promise<void>;
  addBatchLine(file: unknown): Promise<void>;
  newFromRows(file: unknown): Promise<void>;
  create(): Promise<void>;
}

/** `before` is the editor that was used before the prompt file. */
export function createPrompts(
  services: Services,
  before: vscode.TextEditor | undefined,
  ask = askToUse,
): PromptsRuntime {
  const { context, settings, models } = services;
  const store = new DisposableStore();
  useTranslations(vscode.l10n.bundle);
  const readings = createPromptReadings();
  /** Files outside of the workspace that the person has approved. */
  const agreed = new Set<string>();
  const parts = {
    readings,
    settings,
    lastEditor: store.add(createLastEditor(before)),
    remembered: createRememberedValues(context.workspaceState),
  };
  registerHelp(services, readings, store);
  const withPrompt = (work: (document: vscode.TextDocument) => Promise<void>) => async (given: unknown) => {
    const document = await choosePrompt(given, { settings, agreed, ask });
    if (document) await work(document);
  };
  return {
    run: withPrompt((document) => runPrompt(document, parts, { ...services, isCompared: false })),
    compare: withPrompt((document) => runPrompt(document, parts, { ...services, isCompared: true })),
    addBatchLine: withPrompt((document) => addPromptLine(document, parts, models)),
    newFromRows: withPrompt((document) => newFromPromptRows(document, parts, models)),
    create: () => newPrompt(models),
    dispose: () => store.dispose(),
  };
}

function registerHelp(
  { settings, models }: Services,
  readings: ReturnType<typeof createPromptReadings>,
  store: DisposableStore,
): void {
  const listed = () => models.state.models;
  const problemsOf = createProblemsOf(readings, listed);
  const diagnostics = store.add(createPromptDiagnostics(problemsOf));
  store.add(models.onDidChange(() => diagnostics.refresh()));
  void models.ready();
  // Offers what is already known immediately, and refreshes in the background for the next time.
  const catalogue = async () => {
    const known = await models.ready();
    const asked = models.ensureFresh();
    return known.models.length > 0 ? known : asked;
  };
  const completion = createPromptCompletion({ readings, catalogue });
  store.add(vscode.languages.registerCompletionItemProvider(promptSelector, completion, ...completionTriggers));
  store.add(vscode.languages.registerHoverProvider(promptSelector, createPromptHover(readings, listed)));
  store.add(
    vscode.languages.registerCodeActionsProvider(promptSelector, createPromptActions(problemsOf), {
      providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
    }),
  );
  store.add(registerPromptLenses(settings));
}
