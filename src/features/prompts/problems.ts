import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { env } from 'vscode';
import type { CatalogueModel } from '../../core/catalogue/model';
import { modelProblems, promptSeverities } from '../../core/prompts/promptProblems';
import type { PromptProblem, ValueKind } from '../../core/prompts/promptProblems';
import { DisposableStore } from '../../platform/disposables';
import type { Disposable } from '../../platform/disposables';
import { createDebounce } from '../../platform/debounce';
import { isPromptFile } from './logic/isPromptFile';
import { isWritable, rangeOf } from './promptFiles';
import type { PromptReadings } from './promptFiles';
import { promptQuickFixesOf } from '../../core/prompts/quickFixes';
import type { PromptQuickFix } from '../../core/prompts/quickFixes';
import { mostComparedModels, mostFrontMatterCharacters, mostPromptCharacters } from '../../core/prompts/prompt';
import { numberText } from '../../platform/displayText';
import { parameterWords } from '../../platform/errors/parameterMessages';
import { sentences } from '../../protocol/sentences';
import { foreign } from '../../core/text/foreignText';

const pauseMs = 200;
const source = 'Inference Desk';

const severities = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  hint: vscode.DiagnosticSeverity.Hint,
} as const;

/** Returns all problems of a document, including those of its models. */
type ProblemsOf = (document: vscode.TextDocument) => readonly PromptProblem[];

export function createProblemsOf(readings: PromptReadings, listed: () => readonly CatalogueModel[]): ProblemsOf {
  return (document) => {
    const { prompt, problems } = readings.of(document);
    return [...problems, ...modelProblems(prompt, listed())];
  };
}

interface PromptDiagnostics extends Disposable {
  /** Call this when what is known about models has changed. */
  refresh(): void;
}

export function createPromptDiagnostics(problemsOf: ProblemsOf): PromptDiagnostics {
  const store = new DisposableStore();
  const shown = store.add(vscode.languages.createDiagnosticCollection('inferenceDesk.prompts'));
  const pauses = store.add(createDebounce(pauseMs));
  const publish = (document: vscode.TextDocument) => {
    if (!document.isClosed)
      shown.set(
        document.uri,
        problemsOf(document).map((problem) => toDiagnostic(document, problem)),
      );
  };
  const look = (document: vscode.TextDocument, work: (open: vscode.TextDocument) => void) => {
    if (isPromptFile(document.uri) && isWritable(document.uri)) work(document);
  };
  const soon = (document: vscode.TextDocument) => pauses.start(document.uri.toString(), () => publish(document));
  const refresh = () => vscode.workspace.textDocuments.forEach((document) => look(document, publish));
  store.add(vscode.workspace.onDidOpenTextDocument((document) => look(document, publish)));
  store.add(vscode.workspace.onDidChangeTextDocument(({ document }) => look(document, soon)));
  store.add(
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      pauses.cancel(uri.toString());
      shown.delete(uri);
    }),
  );
  refresh();
  return { refresh, dispose: () => store.dispose() };
}

function toDiagnostic(document: vscode.TextDocument, problem: PromptProblem): vscode.Diagnostic {
  const { code, span } = problem;
  const severity = severities[promptSeverities[code]];
  const diagnostic = new vscode.Diagnostic(rangeOf(document, span), problemMessage(problem), severity);
  diagnostic.source = source;
  diagnostic.code = code;
  if (code === 'variable.unused') diagnostic.tags = [vscode.DiagnosticTag.Unnecessary];
  return diagnostic;
}

/** Provides the quick fixes of prompt files. */
export function createPromptActions(problemsOf: ProblemsOf): vscode.CodeActionProvider {
  return {
    provideCodeActions(document, range, { diagnostics }) {
      const problems = problemsOf(document).filter(({ span }) => range.intersection(rangeOf(document, span)));
      return problems.flatMap((problem) => {
        const shown = diagnostics.filter(({ code, range: at }) => code === problem.code && at.intersection(range));
        return promptQuickFixesOf(document.getText(), problem).map((fix, index) => {
          const action = toAction(document, fix);
          action.diagnostics = shown;
          action.isPreferred = index === 0;
          return action;
        });
      });
    },
  };
}

function toAction(document: vscode.TextDocument, fix: PromptQuickFix): vscode.CodeAction {
  const action = new vscode.CodeAction(titleOf(fix), vscode.CodeActionKind.QuickFix);
  action.edit = new vscode.WorkspaceEdit();
  for (const { text, ...span } of fix.edits) action.edit.replace(document.uri, rangeOf(document, span), text);
  return action;
}

function titleOf({ kind, text }: PromptQuickFix): string {
  switch (kind) {
    case 'replace':
      return l10n.t('Change to {0}', text);
    case 'declare':
      return l10n.t('Declare {0}', text);
    case 'escape':
      return l10n.t('Escape {0} to keep it as text', text);
    case 'remove':
      return l10n.t('Remove {0}', text);
    case 'move':
      return text === '' ? l10n.t('Move to the top') : l10n.t('Move under {0}', text);
  }
}

/** Says what is wrong and what to do. */
export function problemMessage(problem: PromptProblem): string {
  const { name = '', issue, expected = 'text', suggestions: [suggestion] = [] } = problem;
  const meant = suggestion === undefined ? undefined : l10n.t('Did you mean {0}?', suggestion);
  const count = (value: number) => numberText(value, env.language);
  switch (problem.code) {
    case 'file.conflict':
      return l10n.t('Unresolved merge conflict. Resolve it first.');
    case 'file.too-large':
      return l10n.t(
        'The prompt is too long. The limit is {0} characters, including {1} for the front matter.',
        count(mostPromptCharacters),
        count(mostFrontMatterCharacters),
      );
    case 'front-matter.not-closed':
      return l10n.t('End the front matter with three hyphens (---).');
    case 'front-matter.not-mapping':
      return l10n.t('Expected a name and value, e.g. model: vendor/name');
    case 'yaml.invalid':
      return l10n.t('Invalid YAML: {0}', problem.detail ?? '');
    case 'key.unknown':
      return sentences(l10n.t('Unknown property {0}.', foreign(name)), meant);
    case 'key.misplaced':
      return name === 'system' || name === 'model'
        ? l10n.t('{0} belongs at the top level.', foreign(name))
        : l10n.t('{0} belongs under parameters.', foreign(name));
    case 'value.wrong-type':
      return typeMessage(expected, name);
    case 'parameter.out-of-bounds':
      return issue ? parameterWords(issue, vscode.env.language) : '';
    case 'parameter.unusual':
      return issue
        ? sentences(parameterWords(issue, vscode.env.language), l10n.t('The service might reject this value.'))
        : '';
    case 'model.unknown':
      return sentences(l10n.t("The service doesn't list the model {0}.", foreign(name)), meant);
    case 'model.not-chat':
      return sentences(l10n.t("{0} isn't a chat model.", foreign(name)), meant);
    case 'models.too-many':
      return l10n.t('Up to {0} models can be compared. {1} is ignored.', count(mostComparedModels), foreign(name));
    case 'variable.undeclared':
      return sentences(l10n.t("{0} isn't declared. You'll be prompted for its value.", foreign(name)), meant);
    case 'variable.unused':
      return l10n.t("{0} isn't used in the prompt.", foreign(name));
    case 'variable.bad-name':
      return l10n.t("Variable names can't contain braces, or start or end with a space.");
    case 'variable.default-not-option':
      return sentences(l10n.t("The default isn't one of the options."), meant);
    case 'text.empty':
      return l10n.t('Enter a prompt below the front matter.');
  }
}

function typeMessage(expected: ValueKind, name: string): string {
  switch (expected) {
    case 'text':
      return l10n.t('{0} must be text.', foreign(name));
    case 'number':
      return l10n.t('{0} must be a number.', foreign(name));
    case 'true or false':
      return l10n.t('{0} must be true or false.', foreign(name));
    case 'list of texts':
      return l10n.t('{0} must be a list, e.g. [one, two]', foreign(name));
    case 'mapping':
      return l10n.t('{0} must contain names and values.', foreign(name));
  }
}
